import { assertEquals, assertMatch } from "@std/assert";
import { fileURLToPath } from "node:url";
import { temporaryGGUF } from "../support/gguf_writer.ts";
import { smollm2 } from "../support/models.ts";
import { pythonPath } from "../support/oracle.ts";
import { command, littleModel, spawn } from "./muser.ts";

const terminal = fileURLToPath(new URL("terminal.py", import.meta.url));

/**
 * What a terminal receives on one stream of `muser ARGS`, with the escape character written out. Ids are written to it
 * until it has shown what is waited for.
 */
async function seen(
  stream: "out" | "error",
  args: string[],
  env: Record<string, string>,
  awaited = /^/,
): Promise<string> {
  const child = new Deno.Command(pythonPath(), {
    args: [terminal, stream, Deno.execPath(), ...command(), ...args],
    env,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  let received = "";
  const receiving = (async () => {
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) received += text;
  })();
  const input = child.stdin.getWriter();
  for (let turn = 0; turn < 200 && !awaited.test(received); turn += 1) {
    await input.write(new TextEncoder().encode("0 1 2 3\n".repeat(1000)));
    await new Promise((resume) => setTimeout(resume, 200));
  }
  await input.close();
  await Promise.all([receiving, child.status]);
  return received.replaceAll("\x1b", "ESC");
}

Deno.test("muser colours what a terminal shows, and not where NO_COLOR is set", async () => {
  using file = temporaryGGUF(littleModel());
  assertMatch(await seen("out", ["inspect", file.path], { NO_COLOR: "" }), /ESC\[1mtoken_embd\.weightESC\[0m/);
  assertEquals((await seen("out", ["inspect", file.path], { NO_COLOR: "1" })).includes("ESC"), false);
});

Deno.test("muser writes control characters of a text out when a terminal shows it", async () => {
  using file = temporaryGGUF(littleModel());
  const args = ["inspect", file.path, "--metadata", "tokenizer.chat_template"];
  assertEquals(await seen("out", args, { NO_COLOR: "1" }), "first line\r\nsecond line\r\n");
});

Deno.test("muser embed shows its progress on a terminal when it takes long, and takes it away at the end", async () => {
  using file = temporaryGGUF(littleModel());
  const args = ["embed", file.path, "--ids", "-", "--format", "raw"];
  const received = await seen("error", args, { NO_COLOR: "1" }, /\d rows/);
  assertMatch(received, /\r[\d,]+ rows, [\d,]+\/sESC\[K/);
  assertEquals(received.endsWith("\rESC[K"), true);
  assertEquals(await seen("error", args, { NO_COLOR: "1" }), "");
});

Deno.test({
  name: "muser embed of a million rows takes less than 100 MB more than of ten thousand",
  ignore: !smollm2.available || Deno.build.os !== "linux",
  async fn() {
    const [few, many] = [await peakOf(10_000), await peakOf(1_000_000)];
    assertEquals(many.bytes, 1_000_000 * 576 * 4);
    assertEquals(many.peak - few.peak < 100e6, true, `${few.peak} and ${many.peak} bytes`);
  },
});

/** The most memory that was resident while rows went through a pipe, and how many bytes came out. */
async function peakOf(rows: number): Promise<{ peak: number; bytes: number }> {
  await using child = spawn(["embed", smollm2.path, "--ids", "-", "--format", "raw"], "piped");
  const feeding = new Blob(["1 49151 17 40000\n".repeat(rows / 4)]).stream().pipeTo(child.stdin);
  const errors = child.stderr.cancel();
  let [peak, bytes] = [0, 0];
  for await (const piece of child.stdout) {
    bytes += piece.length;
    peak = Math.max(peak, highWater(child.pid));
  }
  await Promise.all([feeding, errors]);
  return { peak, bytes };
}

/** The most memory that a process has had so far; 0 where it has ended. */
function highWater(process: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(Deno.readTextFileSync(`/proc/${process}/status`))?.[1] ?? 0) * 1024;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return 0;
    throw error;
  }
}
