import { fileURLToPath } from "node:url";
import { writeGGUF } from "../tests/support/gguf_writer.ts";
import { randomBytes } from "../tests/support/values.ts";

/** Columns of every table that is measured: those of Muse Glimmer. */
export const COLUMNS = 6656;
const Q4_K = { id: 12, blockValues: 256, blockBytes: 144 };

/**
 * Writes a model whose token table is Q4_K with `rows` rows of random bytes, unless it is there already.
 *
 * @returns Its path.
 */
export async function writeTable(rows: number): Promise<string> {
  const folder = fileURLToPath(new URL("../.muser/bench/", import.meta.url));
  const path = `${folder}q4_k-${rows}.gguf`;
  if (await Deno.stat(path).then(() => true, () => false)) return path;
  await Deno.mkdir(folder, { recursive: true });
  // No half-precision scale is infinite or NaN: the second-highest bit of each byte is clear.
  const words = new Uint32Array(randomBytes(COLUMNS / Q4_K.blockValues * Q4_K.blockBytes * rows).buffer);
  for (let index = 0; index < words.length; index++) words[index]! &= 0xbfbfbfbf;
  const bytes = new Uint8Array(words.buffer);
  const temporary = `${path}.${Deno.pid}`;
  await Deno.writeFile(
    temporary,
    writeGGUF({ tensors: [{ name: "token_embd.weight", type: Q4_K.id, dimensions: [COLUMNS, rows], bytes }] }),
  );
  await Deno.rename(temporary, path);
  return path;
}

/** `count` ids at a time, others each time: all together they are as many as the table has rows. */
export function idsByTurns(rows: number, count: number): (turn: number) => Uint32Array<ArrayBuffer> {
  const batches = Math.max(2, Math.floor(rows / count));
  const ids = new Uint32Array(randomBytes(4 * batches * count, count).buffer).map((word) => word % rows);
  const parts = Array.from({ length: batches }, (_, batch) => ids.subarray(batch * count, (batch + 1) * count));
  return (turn) => parts[turn % batches]!;
}
