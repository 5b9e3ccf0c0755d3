import { join } from "../join.ts";
import type { Model } from "../model.ts";
import { Failure } from "./failure.ts";
import type { IdParser } from "./id_parser.ts";
import { readPieces } from "./input.ts";
import { printable } from "./style.ts";

/** Where ids come from. They come in the order of these fields. */
export interface IdSources {
  /** Ids as arguments. */
  words: readonly string[];
  /** A file of ids, `-` for standard input. */
  file: string | undefined;
  /** Ids of vocabulary entries. */
  tokens: readonly number[];
  /** Ids of texts. */
  texts: AsyncIterable<IdBatch>;
}

/** Some ids, and which part of all ids they complete, from 0 to 1, where that is known. */
export interface IdBatch {
  ids: Uint32Array;
  share?: number | undefined;
}

/** The ids piece by piece as they arrive, each proven to be in range. */
export async function* readIds({ words, file, tokens, texts }: IdSources, parser: IdParser): AsyncGenerator<IdBatch> {
  yield { ids: Uint32Array.from(words, (word) => parser.word(word)) };
  if (file !== undefined) yield* idsOfFile(file, parser);
  yield { ids: parser.checked(Uint32Array.from(tokens)) };
  for await (const { ids, share } of texts) yield { ids: parser.checked(ids), share };
}

/** The ids of a file of text, words separated by white space. */
export async function* idsOfFile(path: string, parser: IdParser): AsyncGenerator<IdBatch> {
  for await (const { bytes, share } of readPieces(path, "ids")) yield { ids: parser.piece(bytes), share };
  yield { ids: parser.end() };
}

/** All ids at once, 4 bytes each: for formats whose header states how many there are. */
export async function collectIds(batches: AsyncIterable<IdBatch>): Promise<Uint32Array> {
  const pieces: Uint32Array[] = [];
  for await (const { ids } of batches) pieces.push(ids);
  return join(pieces, Uint32Array);
}

/** The id of the vocabulary entry with exactly this text. */
export function findToken(model: Model, text: string): number {
  const id = model.find(text);
  if (id !== undefined) return id;
  const spaced = ["Ġ", "▁"].flatMap((space) => {
    const written = text.replaceAll(" ", space);
    return [written, space + written];
  });
  const other = spaced.find((candidate) => model.find(candidate) !== undefined);
  const help = other === undefined ? "name an entry exactly as the vocabulary writes it" : `did you mean "${other}"?`;
  throw new Failure(`Cannot find token "${printable(text)}": the vocabulary has no such entry, ${help}`);
}
