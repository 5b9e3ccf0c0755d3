import { isSpaceMark } from "./alphabet.ts";
import type { Output } from "./output.ts";
import { findInvalid } from "./utf8.ts";

const REPLACEMENT: readonly number[] = [0xef, 0xbf, 0xbd];

/** A changed copy of a text that knows where each of its bytes stood before. */
export class Rewriting {
  #bytes: Uint8Array;
  #length = 0;
  /** From `#from[n]` on, a byte of the copy stood `#shift[n]` bytes further on in the text. */
  readonly #from: number[] = [];
  readonly #shift: number[] = [];

  /** @param size The most bytes that the copy can have. */
  constructor(size: number) {
    this.#bytes = new Uint8Array(size);
  }

  /** The copy. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Copies bytes that stood at `start`. */
  copy(text: Uint8Array, start: number, end: number): void {
    this.#at(start);
    this.#bytes.set(text.subarray(start, end), this.#length);
    this.#length += end - start;
  }

  /** Adds bytes that all stand for what stood at `place`. */
  put(bytes: readonly number[], place: number): void {
    for (const byte of bytes) {
      this.#at(place);
      this.#bytes[this.#length++] = byte;
    }
  }

  #at(place: number): void {
    this.#from.push(this.#length);
    this.#shift.push(place - this.#length);
  }

  /** Where a byte of the copy stood. */
  placeOf(offset: number): number {
    let low = 0;
    let high = this.#from.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#from[middle]! <= offset) low = middle;
      else high = middle;
    }
    return offset + (this.#shift[low] ?? 0);
  }

  /** Gives the tokens from `first` on the places that they have in the text, which begins at `base`. */
  restore(output: Output, first: number, base: number): void {
    output.moveFrom(first, (offset) => base + this.placeOf(offset));
  }
}

/** A copy of a text in which every byte that is not part of valid UTF-8 is U+FFFD. */
export function replaceInvalid(text: Uint8Array): Rewriting {
  const copy = new Rewriting(text.length * REPLACEMENT.length);
  for (let at = 0; at < text.length;) {
    const bad = findInvalid(text, at, text.length);
    copy.copy(text, at, bad);
    if (bad < text.length) copy.put(REPLACEMENT, bad);
    at = bad + 1;
  }
  return copy;
}

/** A copy of a part of a text with its space marks as spaces, and a space before it where `prefix` is set. */
export function rewriteSpaces(text: Uint8Array, start: number, end: number, prefix: boolean): Rewriting {
  const copy = new Rewriting(end - start + 1);
  if (prefix) copy.put([0x20], start);
  let rest = start;
  for (let at = findSpaceMark(text, start, end); at < end; at = findSpaceMark(text, rest, end)) {
    copy.copy(text, rest, at);
    copy.put([0x20], at);
    rest = at + 3;
  }
  copy.copy(text, rest, end);
  return copy;
}

/** Where U+2581 begins; `end` where it does not. */
export function findSpaceMark(text: Uint8Array, start: number, end: number): number {
  for (let at = start; at + 2 < end; at++) if (text[at]! === 0xe2 && isSpaceMark(text, at)) return at;
  return end;
}
