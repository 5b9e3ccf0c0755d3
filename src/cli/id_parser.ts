import { UsageError } from "./failure.ts";
import { printable } from "./style.ts";

/** The most letters of a word that are kept and shown. */
const LONGEST = 80;

/** The rows that ids choose from. */
export interface Rows {
  name: string;
  rowCount: number;
}

/** Turns text into ids and proves that each is a row of a table; counts positions over everything it has read. */
export class IdParser {
  readonly #rows: Rows;
  #position = 0;
  /** A word that the end of the last piece may have cut. */
  #rest: Uint8Array = new Uint8Array(0);

  /** @param rows The table that the ids are for. */
  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /** The id that a word stands for. */
  word(word: string): number {
    const id = integer(word);
    const { name, rowCount } = this.#rows;
    if (!(id >= 0 && id < rowCount)) {
      const place = `id ${id} at position ${this.#position}`;
      const fix = `use ids from 0 to ${rowCount - 1}`;
      throw new RangeError(`Cannot look up ${place}: table "${name}" has ${rowCount} rows, ${fix}`);
    }
    this.#position += 1;
    return Number(id);
  }

  /** The ids that are complete with this piece of a text, words separated by white space. */
  piece(bytes: Uint8Array): Uint32Array {
    const text = joined(this.#rest, bytes);
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

  #parse(text: Uint8Array): Uint32Array {
    const ids = new Uint32Array(Math.ceil(text.length / 2));
    const { rowCount } = this.#rows;
    let found = 0;
    for (let at = 0; at < text.length; at += 1) {
      if (isSpace(text[at]!)) continue;
      const start = at;
      let value = 0;
      for (; isDigit(text[at]!); at += 1) value = value * 10 + text[at]! - ZERO;
      if (isSpace(text[at]!) && value < rowCount) {
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

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
