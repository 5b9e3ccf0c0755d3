import { codePointAt } from "./utf8.ts";

/** Classes of characters, as bits. */
export const LETTER = 1;
export const NUMBER = 2;
export const SPACE = 4;
export const MARK = 8;
export const PUNCTUATION = 16;
export const SYMBOL = 32;
/** Upper-case or title-case letter. */
export const UPPER = 64;
export const LOWER = 128;
/** `A` to `Z`. */
export const ASCII_UPPER = 256;
/** `a` to `z`. */
export const ASCII_LOWER = 512;

const LENGTH_SHIFT = 12;

const properties: readonly (readonly [RegExp, number])[] = [
  [/\p{L}/u, LETTER],
  [/[\p{Lu}\p{Lt}]/u, UPPER],
  [/\p{Ll}/u, LOWER],
  [/\p{N}/u, NUMBER],
  [/\p{White_Space}/u, SPACE],
  [/\p{M}/u, MARK],
  [/\p{P}/u, PUNCTUATION],
  [/\p{S}/u, SYMBOL],
  [/[A-Z]/, ASCII_UPPER],
  [/[a-z]/, ASCII_LOWER],
];

/** Classes of the characters of each block of 256 code points, found when the block is first met. */
const blocks: (Uint16Array | undefined)[] = Array.from({ length: 0x1100 });
const ascii = blockOf(0);

/** Classes and length in bytes of the character at `at`, which must be valid UTF-8: see {@linkcode lengthOf}. */
export function charAt(text: Uint8Array, at: number): number {
  const first = text[at]!;
  if (first < 0x80) return ascii[first]!;
  const codePoint = codePointAt(text, at);
  return (blocks[codePoint >> 8] ?? blockOf(codePoint >> 8))[codePoint & 0xff]!;
}

/** Bytes of a character that {@linkcode charAt} gave. */
export function lengthOf(char: number): number {
  return char >> LENGTH_SHIFT;
}

/** Where the run of characters with one of the classes ends. */
export function runEnd(text: Uint8Array, start: number, end: number, classes: number): number {
  let at = start;
  while (at < end) {
    const char = charAt(text, at);
    if (!(char & classes)) break;
    at += char >> LENGTH_SHIFT;
  }
  return at;
}

/** Where the run of characters with none of the classes ends. */
export function runEndWithout(text: Uint8Array, start: number, end: number, classes: number): number {
  let at = start;
  while (at < end) {
    const char = charAt(text, at);
    if (char & classes) break;
    at += char >> LENGTH_SHIFT;
  }
  return at;
}

function blockOf(number: number): Uint16Array {
  const block = new Uint16Array(0x100);
  for (let low = 0; low < 0x100; low++) {
    const codePoint = number << 8 | low;
    const character = String.fromCodePoint(codePoint);
    let classes = 0;
    for (const [property, bit] of properties) if (property.test(character)) classes |= bit;
    const length = codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
    block[low] = classes | length << LENGTH_SHIFT;
  }
  return blocks[number] = block;
}
