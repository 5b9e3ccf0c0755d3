import { fileURLToPath } from "node:url";
import { type TypeFacts, types } from "../mod.ts";
import { writeGGUF } from "../tests/support/gguf_writer.ts";
import { randomBytes } from "../tests/support/values.ts";

/** Columns of every table that is measured: those of Muse Glimmer. */
export const COLUMNS = 6656;
/** Bytes that a table repeats. */
const PERIOD = 2 ** 24;

/** The facts of a type. */
export function typeOf(name: string): TypeFacts {
  return types().find((type) => type.name === name)!;
}

/** Bytes of a row. */
export function rowBytes({ blockValues, blockBytes }: TypeFacts): number {
  return COLUMNS / blockValues * blockBytes;
}

/**
 * Writes a model whose token table is of `type` with `rows` rows of random bytes, unless it is there already.
 *
 * @returns Its path.
 */
export async function writeTable(type: TypeFacts, rows: number): Promise<string> {
  const folder = fileURLToPath(new URL("../.muser/bench/", import.meta.url));
  const path = `${folder}${type.name.toLowerCase()}-${rows}.gguf`;
  if (await Deno.stat(path).then(() => true, () => false)) return path;
  await Deno.mkdir(folder, { recursive: true });
  const temporary = `${path}.${Deno.pid}`;
  {
    using file = await Deno.open(temporary, { write: true, create: true, truncate: true });
    await writeAll(
      file,
      writeGGUF({ tensors: [{ name: "token_embd.weight", type: type.id, dimensions: [COLUMNS, rows] }] }),
    );
    const bytes = scrambled();
    for (let left = rows * rowBytes(type); left > 0; left -= bytes.length) {
      await writeAll(file, bytes.subarray(0, Math.min(left, bytes.length)));
    }
  }
  await Deno.rename(temporary, path);
  return path;
}

/** Random bytes of which no half-precision scale is infinite or NaN: the second-highest bit of each is clear. */
function scrambled(): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(randomBytes(PERIOD).buffer);
  for (let index = 0; index < words.length; index++) words[index]! &= 0xbfbfbfbf;
  return new Uint8Array(words.buffer);
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
}

/** `count` ids at a time, others each time: all together they are as many as the table has rows. */
export function idsByTurns(rows: number, count: number): (turn: number) => Uint32Array<ArrayBuffer> {
  const batches = Math.max(2, Math.floor(rows / count));
  const ids = new Uint32Array(randomBytes(4 * batches * count, count).buffer).map((word) => word % rows);
  const parts = Array.from({ length: batches }, (_, batch) => ids.subarray(batch * count, (batch + 1) * count));
  return (turn) => parts[turn % batches]!;
}
