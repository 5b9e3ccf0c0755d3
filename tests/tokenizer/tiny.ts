/** Small vocabularies made in memory. */
import type { SourceTexts, TokenizerSource } from "../../src/tokenizer/mod.ts";
import { utf8 } from "./support.ts";

/** Values by their keys without `tokenizer.ggml.`; `key!` stands for a whole key. */
export type TinyValues = Record<
  string,
  string | boolean | number | readonly string[] | Float32Array | Int32Array | Uint8Array
>;

/** The metadata of a file with these values. */
export function sourceOf(values: TinyValues): TokenizerSource {
  const found = new Map(
    Object.entries(values).map((
      [key, value],
    ) => [key.endsWith("!") ? key.slice(0, -1) : `tokenizer.ggml.${key}`, value]),
  );
  return {
    has: (key) => found.has(key),
    type: (key) => typeOf(found.get(key)),
    get: (key) => found.get(key),
    strings: (key) => textsOf(found.get(key) as readonly string[]),
  };
}

function typeOf(value: TinyValues[string] | undefined): ReturnType<TokenizerSource["type"]> {
  if (value === undefined) return undefined;
  const scalar = { string: "string", boolean: "bool", number: "uint32" }[typeof value as string];
  if (scalar) return { type: scalar, element: "", count: 1 };
  const list = value as readonly string[] | Float32Array;
  const element = value instanceof Float32Array
    ? "float32"
    : value instanceof Int32Array
    ? "int32"
    : value instanceof Uint8Array
    ? "uint8"
    : "string";
  return { type: "array", element, count: list.length };
}

function textsOf(texts: readonly string[]): SourceTexts {
  const parts = texts.map(utf8);
  const lengths = Uint32Array.from(parts, (part) => part.length);
  const starts = new Uint32Array(parts.length);
  for (let at = 1; at < parts.length; at++) starts[at] = starts[at - 1]! + lengths[at - 1]!;
  const bytes = Uint8Array.from(parts.flatMap((part) => [...part]));
  return { length: parts.length, bytes, starts, lengths };
}

/** The 256 printable characters that byte-pair vocabularies write bytes with. */
export const byteCharacters: readonly string[] = (() => {
  const characters: string[] = [];
  let next = 0x100;
  for (let byte = 0; byte < 0x100; byte++) {
    const printable = byte > 0x20 && byte < 0x7f || byte > 0xa0 && byte !== 0xad;
    characters.push(String.fromCodePoint(printable ? byte : next++));
  }
  return characters;
})();

/** A byte-pair vocabulary of all bytes, the merges' results, and further tokens of the given kinds. */
export function bytePairValues(
  merges: readonly string[],
  others: readonly (readonly [string, number])[] = [],
): TinyValues {
  const merged = [...new Set(merges.map((merge) => merge.replace(" ", "")))].filter((text) => [...text].length > 1);
  const tokens = [...byteCharacters, ...merged, ...others.map(([text]) => text)];
  const kinds = tokens.map((_, id) => others[id - byteCharacters.length - merged.length]?.[1] ?? 1);
  return { model: "gpt2", pre: "gpt-2", tokens, merges, token_type: Int32Array.from(kinds) };
}

/** A sentence-piece vocabulary of `<unk>`, `<s>`, `</s>`, all bytes, the pieces with their scores, and others. */
export function sentencePieceValues(
  pieces: readonly (readonly [string, number])[],
  others: readonly (readonly [string, number])[] = [],
): TinyValues {
  const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`);
  const tokens = ["<unk>", "<s>", "</s>", ...bytes, ...pieces.map(([text]) => text), ...others.map(([text]) => text)];
  const kinds = [2, 3, 3, ...bytes.map(() => 6), ...pieces.map(() => 1), ...others.map(([, kind]) => kind)];
  const scores = [0, 0, 0, ...bytes.map(() => 0), ...pieces.map(([, score]) => score), ...others.map(() => 0)];
  return { model: "llama", tokens, scores: Float32Array.from(scores), token_type: Int32Array.from(kinds) };
}
