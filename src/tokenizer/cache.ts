import { equalBytes, slotOf } from "./hash.ts";
import type { Output } from "./output.ts";

const MOST_PIECES = 2 ** 15;
const MOST_BYTES = 2 ** 20;
const MOST_IDS = 2 ** 17;

/** The longest piece that is kept. */
export const LONGEST_CACHED = 64;

/** The ids of pieces met before. Bounded: when it is full, all of them are forgotten. */
export class PieceCache {
  /** A piece's number + 1 in the first free slot from its hash on; 0 is a free slot. */
  readonly #slots = new Uint16Array(MOST_PIECES * 2);
  readonly #hashes = new Int32Array(MOST_PIECES);
  /** Piece n has the bytes and the ids from these places of n to those of n + 1. */
  readonly #byteStarts = new Uint32Array(MOST_PIECES + 1);
  readonly #idStarts = new Uint32Array(MOST_PIECES + 1);
  readonly #bytes = new Uint8Array(MOST_BYTES);
  readonly #ids = new Uint32Array(MOST_IDS);
  #count = 0;

  /** Adds the ids of a piece that is known to the output; `lengths` are the bytes of every token. */
  emit(
    text: Uint8Array,
    start: number,
    end: number,
    hash: number,
    at: number,
    lengths: Uint32Array,
    output: Output,
  ): boolean {
    const piece = this.#slots[this.#slotOf(text, start, end, hash)]! - 1;
    if (piece < 0) return false;
    const stop = this.#idStarts[piece + 1]!;
    let offset = at;
    for (let next = this.#idStarts[piece]!; next < stop; next++) {
      const id = this.#ids[next]!;
      output.push(id, offset);
      offset += lengths[id]!;
    }
    return true;
  }

  /** Keeps the first `count` ids for a piece that is not known. */
  add(text: Uint8Array, start: number, end: number, hash: number, ids: Uint32Array, count: number): void {
    const length = end - start;
    let bytesEnd = this.#byteStarts[this.#count]!;
    let idsEnd = this.#idStarts[this.#count]!;
    if (this.#count === MOST_PIECES || bytesEnd + length > MOST_BYTES || idsEnd + count > MOST_IDS) {
      this.#slots.fill(0);
      this.#count = bytesEnd = idsEnd = 0;
    }
    this.#bytes.set(text.subarray(start, end), bytesEnd);
    for (let at = 0; at < count; at++) this.#ids[idsEnd + at] = ids[at]!;
    this.#hashes[this.#count] = hash;
    this.#slots[this.#slotOf(text, start, end, hash)] = ++this.#count;
    this.#byteStarts[this.#count] = bytesEnd + length;
    this.#idStarts[this.#count] = idsEnd + count;
  }

  /** The slot of a piece, or the free slot where it would be. */
  #slotOf(text: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    const length = end - start;
    let slot = slotOf(hash, mask);
    for (let piece = this.#slots[slot]! - 1; piece >= 0; piece = this.#slots[slot]! - 1) {
      const bytes = this.#byteStarts[piece]!;
      if (
        this.#hashes[piece] === hash && this.#byteStarts[piece + 1]! - bytes === length &&
        equalBytes(this.#bytes, bytes, text, start, length)
      ) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
