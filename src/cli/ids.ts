import type { Model } from "../model.ts";
import { Failure, failure } from "./failure.ts";
import type { IdParser } from "./id_parser.ts";
import { printable } from "./style.ts";

/** Bytes of ids read at once. */
const PIECE_BYTES = 64 * 1024;

/** Where ids come from. Their rows come in the order of these fields. */
export interface IdSources {
  /** Ids as arguments. */
  words: readonly string[];
  /** A file of ids, `-` for standard input. */
  file: string | undefined;
  /** Ids of vocabulary entries. */
  tokens: readonly number[];
}

/** Some ids, and which part of all ids they complete, from 0 to 1, where that is known. */
export interface IdBatch {
  ids: Uint32Array;
  share?: number;
}

/** The ids piece by piece as they arrive, each proven to be a row. */
export async function* readIds(sources: IdSources, parser: IdParser): AsyncGenerator<IdBatch> {
  yield { ids: Uint32Array.from(sources.words, (word) => parser.word(word)) };
  if (sources.file !== undefined) yield* idsOfFile(sources.file, parser);
  yield { ids: Uint32Array.from(sources.tokens, (id) => parser.word(String(id))) };
}

/** All ids at once, 4 bytes each: for formats whose header states how many there are. */
export async function collectIds(batches: AsyncIterable<IdBatch>): Promise<Uint32Array> {
  const pieces: Uint32Array[] = [];
  for await (const { ids } of batches) pieces.push(ids);
  const all = new Uint32Array(pieces.reduce((count, ids) => count + ids.length, 0));
  let at = 0;
  for (const ids of pieces) {
    all.set(ids, at);
    at += ids.length;
  }
  return all;
}

/** The id of the vocabulary entry with exactly this text. */
export function findToken(model: Model, text: string): number {
  const id = model.find(text);
  if (id !== undefined) return id;
  const spaced = ["Ġ", "▁"].map((space) => space + text.replaceAll(" ", space)).concat(text.replaceAll(" ", "Ġ"));
  const other = spaced.find((candidate) => model.find(candidate) !== undefined);
  const help = other === undefined ? "name an entry exactly as the vocabulary writes it" : `did you mean "${other}"?`;
  throw new Failure(`Cannot find token "${printable(text)}": the vocabulary has no such entry, ${help}`);
}

async function* idsOfFile(path: string, parser: IdParser): AsyncGenerator<IdBatch> {
  using file = await openIds(path);
  const buffer = new Uint8Array(PIECE_BYTES);
  let done = 0;
  for (let read = await file.read(buffer); read !== null; read = await file.read(buffer)) {
    done += read;
    const ids = parser.piece(buffer.subarray(0, read));
    yield file.size === undefined ? { ids } : { ids, share: done / file.size };
  }
  yield { ids: parser.end() };
}

interface IdFile extends Disposable {
  /** Bytes in all, where that is known. */
  size: number | undefined;
  read(buffer: Uint8Array): Promise<number | null>;
}

async function openIds(path: string): Promise<IdFile> {
  if (path === "-" || path === "/dev/stdin") {
    const read = (buffer: Uint8Array): Promise<number | null> =>
      attempt("standard input", () => Deno.stdin.read(buffer));
    return { size: undefined, read, [Symbol.dispose](): void {} };
  }
  const file = await attempt(path, () => Deno.open(path));
  const { isFile, size } = file.statSync();
  return {
    size: isFile && size > 0 ? size : undefined,
    read: (buffer) => attempt(path, () => file.read(buffer)),
    [Symbol.dispose]: () => file.close(),
  };
}

async function attempt<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw failure(`read ids from "${path}"`, error);
  }
}
