import { equalBytes, hashOf, slotCount, slotOf } from "./hash.ts";
import { fault, type SourceTexts } from "./source.ts";

/** Kinds of tokens, as `tokenizer.ggml.token_type` numbers them. */
export const NORMAL = 1;
export const UNKNOWN = 2;
export const CONTROL = 3;
export const USER_DEFINED = 4;
export const BYTE = 6;

/**
 * Writes the bytes that a token's text stands for, which are never more than the text has.
 *
 * @returns Where writing ended; -1 where the text is not written in the vocabulary's own way.
 */
export type DecodeText = (
  text: Uint8Array,
  start: number,
  end: number,
  output: Uint8Array,
  position: number,
) => number;

/**
 * The tokens of a vocabulary by their bytes. Those that merges can build are kept as the bytes of text that they stand
 * for; all others, such as control tokens, as their text.
 */
export class TokenTable {
  /** How many tokens there are. */
  readonly size: number;
  /** The bytes of token `id` begin at `starts[id]` and are `lengths[id]` long. */
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly lengths: Uint32Array;
  /** The most bytes of a token. */
  readonly longest: number;
  /** 1 for each token that merges can build. */
  readonly mergeable: Uint8Array;
  readonly #texts: SourceTexts;
  readonly #decode: DecodeText;
  readonly #hashes: Int32Array;
  /** A token's id + 1 in the first free slot from its hash on; 0 is a free slot. */
  readonly #slots: Uint32Array;

  /**
   * Every token counts as mergeable at first, if its text can be decoded.
   *
   * @throws {MuserError} `vocabulary` where two tokens have the same text.
   */
  constructor(texts: SourceTexts, decode: DecodeText) {
    const size = texts.length;
    this.size = size;
    this.longest = texts.lengths.reduce((most, length) => Math.max(most, length), 0);
    this.bytes = new Uint8Array(texts.lengths.reduce((sum, length) => sum + length, 0));
    this.starts = new Uint32Array(size);
    this.lengths = new Uint32Array(size);
    this.mergeable = new Uint8Array(size);
    this.#texts = texts;
    this.#decode = decode;
    this.#hashes = new Int32Array(size);
    this.#slots = new Uint32Array(slotCount(size));
    for (let id = 0, at = 0; id < size; at += texts.lengths[id++]!) this.#add(id, at);
  }

  #add(id: number, at: number): void {
    const start = this.#texts.starts[id]!;
    const stop = this.#decode(this.#texts.bytes, start, start + this.#texts.lengths[id]!, this.bytes, at);
    this.starts[id] = at;
    if (stop < 0) {
      this.keepText(id);
    } else {
      this.mergeable[id] = 1;
      this.lengths[id] = stop - at;
    }
    const length = this.lengths[id]!;
    if (length === 0) return;
    const hash = hashOf(this.bytes, at, at + length);
    const slot = this.#slotOf(this.bytes, at, at + length, hash, this.mergeable[id]!);
    const other = this.#slots[slot]!;
    if (other !== 0) {
      throw fault("tokens", `has the same text at ${other - 1} and at ${id}, use a file with distinct tokens`);
    }
    this.#slots[slot] = id + 1;
    this.#hashes[id] = hash;
  }

  /** The slot of a token, or the free slot where it would be. */
  #slotOf(bytes: Uint8Array, start: number, end: number, hash: number, mergeable: number): number {
    const mask = this.#slots.length - 1;
    const length = end - start;
    let slot = slotOf(hash, mask);
    for (let id = this.#slots[slot]! - 1; id >= 0; id = this.#slots[slot]! - 1) {
      if (
        this.#hashes[id] === hash && this.lengths[id] === length && this.mergeable[id] === mergeable &&
        equalBytes(this.bytes, this.starts[id]!, bytes, start, length)
      ) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** The token that merges can build of these bytes; -1 where there is none. */
  find(bytes: Uint8Array, start: number, end: number, hash: number = hashOf(bytes, start, end)): number {
    if (end - start > this.longest) return -1;
    return this.#slots[this.#slotOf(bytes, start, end, hash, 1)]! - 1;
  }

  /** The token with this text; -1 where there is none. Only before {@linkcode keepText} changed one. */
  findText(text: string): number {
    const bytes = new TextEncoder().encode(text);
    const decoded = new Uint8Array(bytes.length);
    const stop = this.#decode(bytes, 0, bytes.length, decoded, 0);
    if (stop >= 0) return this.find(decoded, 0, stop);
    return this.#slots[this.#slotOf(bytes, 0, bytes.length, hashOf(bytes, 0, bytes.length), 0)]! - 1;
  }

  /** Whether a token's text differs from the bytes that it stands for. */
  isEncoded(id: number): boolean {
    return this.lengths[id]! < this.#texts.lengths[id]!;
  }

  /** Makes a token one that merges cannot build, and that stands for its text as it is. */
  keepText(id: number): void {
    const start = this.#texts.starts[id]!;
    this.keepBytes(id, this.#texts.bytes.subarray(start, start + this.#texts.lengths[id]!));
  }

  /** Makes a token one that merges cannot build, and that stands for these bytes: no more than its text has. */
  keepBytes(id: number, bytes: Uint8Array): void {
    this.bytes.set(bytes, this.starts[id]!);
    this.lengths[id] = bytes.length;
    this.mergeable[id] = 0;
  }

  /** The bytes that a token stands for, without a copy. */
  bytesOf(id: number): Uint8Array {
    const start = this.starts[id]!;
    return this.bytes.subarray(start, start + this.lengths[id]!);
  }
}
