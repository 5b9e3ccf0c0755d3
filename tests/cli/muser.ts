/**
 * Runs the command line as a process of its own, with the permissions that scripts/muser gives it.
 * @module
 */
import { fileURLToPath } from "node:url";
import { array, f32, type FileSpec, text, u32, u64 } from "../support/gguf_writer.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What a run wrote, and how it ended. */
export interface Run {
  status: number;
  bytes: Uint8Array<ArrayBuffer>;
  out: string;
  error: string;
}

/** The beginning of every command line: what to run and with which permissions. */
export function command(): string[] {
  const config = exists(`${root}deno.offline.json`) ? "deno.offline.json" : "deno.json";
  const permissions = ["--allow-read", "--allow-write", "--allow-ffi", "--allow-env=MUSER_LIBRARY"];
  return ["run", "--quiet", "--no-prompt", `--config=${root}${config}`, ...permissions, `${root}src/cli.ts`];
}

/** Starts `muser ARGS`; its standard input is empty unless it is asked for. */
export function spawn(args: readonly string[], stdin: "piped" | "null" = "null"): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: [...command(), ...args],
    env: { NO_COLOR: "1" },
    stdin,
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Runs `muser ARGS` to its end. */
export async function muser(args: readonly string[], input?: string): Promise<Run> {
  const child = spawn(args, input === undefined ? "null" : "piped");
  const output = child.output(); // read meanwhile, or both sides wait for the other
  if (input !== undefined) await new Blob([input]).stream().pipeTo(child.stdin).catch(() => {}); // it may not read all
  return runOf(await output);
}

/** Runs a line of shell in which `"$@"` is the command line's beginning. */
export async function shell(line: string): Promise<Run> {
  const args = ["-c", line, "sh", Deno.execPath(), ...command()];
  return runOf(await new Deno.Command("sh", { args, env: { NO_COLOR: "1" }, stdin: "null" }).output());
}

function runOf({ code, stdout, stderr }: Deno.CommandOutput): Run {
  const decoder = new TextDecoder();
  return { status: code, bytes: stdout, out: decoder.decode(stdout), error: decoder.decode(stderr) };
}

/** Values of the little model's table: 4 rows of 3, with all that is special about floats. */
export const VALUES = Float32Array.of(
  0,
  -0,
  0.1,
  NaN,
  Infinity,
  -Infinity,
  1e-45,
  16777216,
  1 / 3,
  65504,
  -1e-7,
  123456.79,
);

/** A model of 4 tokens with an F32 table of {@linkcode VALUES}, an F16 one and metadata of every sort. */
export function littleModel(): FileSpec {
  return {
    metadata: {
      "general.architecture": text("llama"),
      "general.name": text("Little"),
      "llama.embedding_length": u32(3),
      "llama.rope.freq_base": f32(0.1),
      "little.large": u64(2n ** 53n + 1n),
      "little.numbers": array(Array.from({ length: 100 }, (_, index) => u32(index))),
      "tokenizer.ggml.tokens": array(["a", "Ġb", "-c", "d\n"].map((token) => text(token))),
      "tokenizer.chat_template": text("first line\nsecond line"),
    },
    tensors: [
      { name: "token_embd.weight", type: 0, dimensions: [3, 4], bytes: new Uint8Array(VALUES.buffer) },
      { name: "blk.0.half.weight", type: 1, dimensions: [2, 2], bytes: Uint8Array.of(0, 0x3c, 0, 0xc0, 0, 0, 0, 0x80) },
      { name: "norm.weight", type: 0, dimensions: [3], bytes: new Uint8Array(12) },
    ],
  };
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
