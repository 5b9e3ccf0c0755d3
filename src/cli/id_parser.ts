import { join } from "../join.ts";
import { UsageError } from "./failure.ts";
import { printable } from "./style.ts";

/** The most letters of a word that are kept and shown. */
const LONGEST = 80;

/** What ids choose from. */
export interface IdRange {
  /** Ids are 0 to `count` - 1. */
  count: number;
  /** What is done with ids, completes "Cannot … id 7". */
  action: string;
  /** How many there are, as a clause of a message. */
  state: string;
}

/** Turns text into ids and proves that each is in range; counts positions over everything it has seen. */
export class IdParser {
  readonly #range: IdRange;
  #position = 0;
  /** A word that the end of the last piece may have cut. */
  #rest: Uint8Array = new Uint8Array(0);

  /** @param range What the ids are for. */
  constructor(range: IdRange) {
    this.#range = range;
  }

  /** The id that a word stands for. */
  word(word: string): number {
    return this.#checked(integer(word));
  }

  /** These ids, where they are in range. */
  checked(ids: Uint32Array): Uint32Array {
    for (const id of ids) this.#checked(id);
    return ids;
  }

  /** The ids that are complete with this piece of a text, words separated by white space. */
  piece(bytes: Uint8Array): Uint32Array {
    const text = this.#rest.length === 0 ? bytes : join([this.#rest, bytes]);
    let end = text.length;
    while (end > 0 && !isSpace(text[end - 1]!)) end -= 1;
    this.#rest = text.slice(end);
    if (this.#rest.length > LONGEST) integer(decode(this.#rest.subarray(0, LONGEST)) + "…");
    return this.#parse(text.subarray(0, end));
  }

  /** The id that stands at the very end of the text, if any. */
  end(): Uint32Array {
    return this.piece(new Uint8Array([SPACE]));
  }

  #checked(id: number | bigint): number {
    const { count, action, state } = this.#range;
    if (!(id >= 0 && id < count)) {
      const place = `id ${id} at position ${this.#position}`;
      throw new RangeError(`Cannot ${action} ${place}: ${state}, use ids from 0 to ${count - 1}`);
    }
    this.#position += 1;
    return Number(id);
  }

  #parse(text: Uint8Array): Uint32Array {
    const ids = new Uint32Array(Math.ceil(text.length / 2));
    const { count } = this.#range;
    let found = 0;
    for (let at = 0; at < text.length; at += 1) {
      if (isSpace(text[at]!)) continue;
      const start = at;
      let value = 0;
      for (; isDigit(text[at]!); at += 1) value = value * 10 + text[at]! - ZERO;
      if (isSpace(text[at]!) && value < count) {
        this.#position += 1;
      } else {
        while (!isSpace(text[at]!)) at += 1;
        value = this.word(decode(text.subarray(start, at)));
      }
      ids[found] = value;
      found += 1;
    }
    return ids.subarray(0, found);
  }
}

/** The integer that a word stands for, however large; any other word is wrong usage. */
export function integer(word: string): bigint {
  if (/^[+-]?\d+$/.test(word)) return BigInt(word.replace("+", ""));
  const shown = word.length > LONGEST ? `${word.slice(0, LONGEST)}…` : word;
  throw new UsageError(`Id "${printable(shown)}" is no integer`);
}

const SPACE = 0x20;
const ZERO = 0x30;

/** Space, tab, line feed, vertical tab, form feed, carriage return. */
function isSpace(byte: number): boolean {
  return byte === SPACE || (byte >= 0x09 && byte <= 0x0d);
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
