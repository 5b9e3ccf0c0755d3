import { MuserError } from "../errors.ts";

/** Texts kept as bytes: text `i` is `bytes` from `starts[i]`, `lengths[i]` bytes long. */
export interface SourceTexts {
  /** How many texts there are. */
  readonly length: number;
  /** The bytes that hold all of them. */
  readonly bytes: Uint8Array;
  /** Where each begins. */
  readonly starts: Uint32Array;
  /** How many bytes each has. */
  readonly lengths: Uint32Array;
}

/** Where a tokenizer is read from: the metadata of a model, or anything with these four methods. */
export interface TokenizerSource {
  /** Whether there is a value. */
  has(key: string): boolean;
  /** What a value is; `undefined` where there is none. */
  type(key: string): { readonly type: string; readonly element: string; readonly count: number } | undefined;
  /** A value: arrays of numbers are typed arrays. */
  get(key: string): unknown;
  /** The texts of an array of texts. */
  strings(key: string): SourceTexts;
}

/** The metadata key of a value that a tokenizer is made of. */
export function keyOf(name: string): string {
  return `tokenizer.ggml.${name}`;
}

/** The error for a vocabulary that is not sound; `name` is the metadata key without its beginning. */
export function fault(name: string, state: string): MuserError {
  return new MuserError("vocabulary", `Cannot build a tokenizer: ${keyOf(name)} ${state}`);
}

/** A text; `undefined` where it is missing. */
export function readText(source: TokenizerSource, name: string): string | undefined {
  const value = read(source, name, "string", "a text");
  return value as string | undefined;
}

/** A truth value; `undefined` where it is missing. */
export function readFlag(source: TokenizerSource, name: string): boolean | undefined {
  return read(source, name, "bool", "a truth value") as boolean | undefined;
}

/** The id of a token, proven to be in the vocabulary; `undefined` where it is missing. */
export function readId(source: TokenizerSource, name: string, size: number): number | undefined {
  const value = source.get(keyOf(name));
  if (value === undefined) return undefined;
  if (typeof value !== "number" || !Number.isInteger(value)) {
    throw fault(name, `is ${source.type(keyOf(name))?.type}, it should be an integer`);
  }
  if (value < 0 || value >= size) throw fault(name, `is ${value}, the vocabulary has ids from 0 to ${size - 1}`);
  return value;
}

/** The texts of an array; a fault where it is missing. */
export function readTexts(source: TokenizerSource, name: string): SourceTexts {
  const type = source.type(keyOf(name));
  if (!type) throw fault(name, "is missing, use a file with a whole vocabulary");
  if (type.element !== "string") throw fault(name, `is ${described(type)}, it should be an array of texts`);
  return source.strings(keyOf(name));
}

/** One number for each of `size` tokens; `undefined` where the array is missing. */
export function readNumbers(
  source: TokenizerSource,
  name: string,
  elements: readonly string[],
  size: number,
): Float32Array | Int32Array | undefined {
  const type = source.type(keyOf(name));
  if (!type) return undefined;
  if (!elements.includes(type.element)) {
    throw fault(name, `is ${described(type)}, its elements should be ${elements.join(" or ")}`);
  }
  if (type.count < size) throw fault(name, `has ${type.count} elements, there are ${size} tokens`);
  return source.get(keyOf(name)) as Float32Array | Int32Array;
}

function read(source: TokenizerSource, name: string, type: string, words: string): unknown {
  const found = source.type(keyOf(name));
  if (!found) return undefined;
  if (found.type !== type) throw fault(name, `is ${described(found)}, it should be ${words}`);
  return source.get(keyOf(name));
}

function described({ type, element }: { type: string; element: string }): string {
  return type === "array" ? `an array of ${element}` : `a ${type}`;
}
