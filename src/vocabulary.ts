import { decodeText, type StringArray } from "./gguf_values.ts";
import { MuserError } from "./errors.ts";
import type { Metadata } from "./metadata.ts";

/** What a vocabulary entry is for. */
export type TokenKind = "normal" | "unknown" | "control" | "user-defined" | "unused" | "byte";

/** An entry of the vocabulary. */
export interface Token {
  /** Its number, and its row in the token table. */
  readonly id: number;
  /** Its text as the file holds it: many vocabularies write a space as `Ġ` or `▁`. What is no UTF-8 becomes U+FFFD. */
  readonly text: string;
  /** The bytes of that text. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What it is for; `undefined` where the file does not say. */
  readonly kind: TokenKind | undefined;
  /** Its score, which some tokenizers choose by; `undefined` where the file has none. */
  readonly score: number | undefined;
}

const TOKENS = "tokenizer.ggml.tokens";

/** Kinds by their number in `tokenizer.ggml.token_type`. */
const kinds: readonly (TokenKind | undefined)[] = [
  undefined,
  "normal",
  "unknown",
  "control",
  "user-defined",
  "unused",
  "byte",
];

/** The vocabulary of a model: the texts that its token ids stand for. Read from the file at first use. */
export class Vocabulary {
  readonly #metadata: Metadata;
  #texts: StringArray | undefined;
  #kinds: ArrayLike<number | bigint> | undefined;
  #scores: ArrayLike<number | bigint> | undefined;
  #index: TextIndex | undefined;

  /**
   * Made by `Model.open`.
   *
   * @param metadata The metadata that holds the vocabulary.
   */
  constructor(metadata: Metadata) {
    this.#metadata = metadata;
  }

  /** Entries; 0 where the file has no vocabulary. The token table may have more rows, or fewer. */
  get size(): number {
    const { type, element, count } = this.#metadata.type(TOKENS) ?? {};
    return type === "array" && element === "string" ? count ?? 0 : 0;
  }

  /**
   * An entry by its number.
   *
   * @param id From 0 to `size` - 1.
   * @returns The entry.
   * @throws {TypeError} `id` is no number.
   * @throws {RangeError} `id` is no integer, or there is no such entry.
   * @throws {MuserError} `vocabulary` where the file has none.
   */
  token(id: number): Token {
    const texts = this.#load(`Cannot read token ${String(id)}`);
    if (typeof id !== "number") throw new TypeError(`Cannot read token ${String(id)}: its id is no number`);
    if (!(Number.isInteger(id) && id >= 0 && id < texts.length)) {
      const limit = `use ids from 0 to ${texts.length - 1}`;
      throw new RangeError(`Cannot read token ${id}: the vocabulary has ${texts.length} entries, ${limit}`);
    }
    const bytes = texts.bytesAt(id).slice();
    return { id, text: decodeText(bytes), bytes, kind: this.#kindOf(id), score: this.#scoreOf(id) };
  }

  /**
   * The entry with exactly this text. No tokenizer: a text of several tokens is not found.
   *
   * @param text The text as the file holds it, or its bytes.
   * @returns The lowest id with this text; `undefined` where no entry has it.
   * @throws {MuserError} `vocabulary` where the file has none.
   */
  find(text: string | Uint8Array): number | undefined {
    const texts = this.#load("Cannot find a token");
    this.#index ??= new TextIndex(texts);
    return this.#index.find(typeof text === "string" ? new TextEncoder().encode(text) : text);
  }

  #load(action: string): StringArray {
    if (this.#texts) return this.#texts;
    if (this.size === 0) {
      throw new MuserError("vocabulary", `${action}: the file has no vocabulary (${TOKENS}), use ids`);
    }
    this.#kinds = this.#numbers("tokenizer.ggml.token_type");
    this.#scores = this.#numbers("tokenizer.ggml.scores");
    return this.#texts = this.#metadata.strings(TOKENS);
  }

  #numbers(key: string): ArrayLike<number | bigint> | undefined {
    const value = this.#metadata.get(key);
    return ArrayBuffer.isView(value) ? value : undefined;
  }

  #kindOf(id: number): TokenKind | undefined {
    return kinds[Number(this.#kinds?.[id] ?? 0)];
  }

  #scoreOf(id: number): number | undefined {
    const score = this.#scores?.[id];
    return score === undefined ? undefined : Number(score);
  }
}

/** Finds texts by their bytes: a hash table with open addressing, so that no text becomes a JavaScript string. */
class TextIndex {
  readonly #texts: StringArray;
  /** An entry's number + 1 in the first free slot from its hash on; 0 is a free slot. */
  readonly #slots: Uint32Array;

  constructor(texts: StringArray) {
    this.#texts = texts;
    // At most half full, so that a search ends soon; a power of two, so that a mask does for the remainder.
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(texts.length * 2)));
    const mask = this.#slots.length - 1;
    for (let id = 0; id < texts.length; id++) {
      let slot = hash(texts.bytesAt(id)) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = id + 1;
    }
  }

  find(text: Uint8Array): number | undefined {
    const mask = this.#slots.length - 1;
    for (let slot = hash(text) & mask;; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot]!;
      if (entry === 0) return undefined;
      if (equal(this.#texts.bytesAt(entry - 1), text)) return entry - 1;
    }
  }
}

/** FNV-1a in 32 bits. */
function hash(bytes: Uint8Array): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < bytes.length; at++) value = Math.imul(value ^ bytes[at]!, 0x01000193);
  // The low bits choose the slot, so the high ones are mixed in.
  return value ^ (value >>> 15);
}

function equal(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return false;
  return true;
}
