/**
 * The witness that is not ours: the `gguf` package reads headers and dequantises rows.
 * @module
 */
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const tensors = `${root}tests/support/tensors.py`;

/** What the `gguf` package reads in a file's header. */
export interface OracleHeader {
  version: number;
  dataOffset: number;
  /** Scalars and texts by key; arrays as `{ element, count }`, which costs nothing for a large vocabulary. */
  metadata: Record<string, number | boolean | string | { element: string; count: number }>;
  tensors: { name: string; type: string; dimensions: number[]; offset: number; bytes: number }[];
}

/** The Python of `MUSER_PYTHON`, or the one that `scripts/setup` made. */
export function pythonPath(): string {
  return Deno.env.get("MUSER_PYTHON") ?? `${root}.muser/python/bin/python`;
}

/**
 * Runs a Python script to its end.
 * @param input What it reads on standard input.
 * @returns What it wrote on standard output.
 * @throws {Error} With its standard error, where it failed.
 */
export async function runPython(
  script: string,
  args: readonly string[] = [],
  input: Uint8Array<ArrayBuffer> = new Uint8Array(),
): Promise<Uint8Array<ArrayBuffer>> {
  const command = new Deno.Command(pythonPath(), {
    args: [script, ...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  });
  await using child = command.spawn();
  const output = child.output();
  await new Blob([input]).stream().pipeTo(child.stdin).catch(() => {}); // a script that reads nothing closes the pipe
  const { success, stdout, stderr } = await output;
  if (!success) throw new Error(`Cannot run ${script} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
  return stdout;
}

/** Rows `ids` of a two-dimensional tensor as the `gguf` package dequantises them, one after another. */
export async function dequantize(path: string, tensor: string, ids: ArrayLike<number>): Promise<Float32Array> {
  const bytes = await runPython(tensors, ["rows", path, tensor], new Uint8Array(Uint32Array.from(ids).buffer));
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
}

/** The values of encoded rows, whole blocks of the type of that name (`"Q4_K"`), as the `gguf` package sees them. */
export async function dequantizeBytes(type: string, encoded: Uint8Array<ArrayBuffer>): Promise<Float32Array> {
  const bytes = await runPython(tensors, ["decode", type], encoded);
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
}

/** The header of a file as the `gguf` package reads it. */
export async function readHeader(path: string): Promise<OracleHeader> {
  return JSON.parse(new TextDecoder().decode(await runPython(tensors, ["header", path])));
}
