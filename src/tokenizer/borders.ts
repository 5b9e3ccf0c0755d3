import { charAt, LETTER, NUMBER } from "./classes.ts";
import type { Joins } from "./scan/joins.ts";
import { isContinuation, validLength } from "./utf8.ts";

/** Tells whether text may be cut at a place without a change of its pieces. */
export type IsBorder = (text: Uint8Array, at: number, end: number) => boolean;

/**
 * A border for every set of pre-tokenizers: before a space that follows a letter or a digit, and after a line feed that
 * a letter or digit follows. No piece goes on over these, and none looks back.
 */
export function isWordBorder(text: Uint8Array, at: number, end: number): boolean {
  if (text[at] !== 0x20) return text[at - 1] === 0x0a && validLength(text, at, end) > 0 && isWord(text, at);
  const before = characterBefore(text, at);
  return before >= 0 && isWord(text, before);
}

/** A border where no token lies across; not beside U+2581, which counts as a space. */
export function joinBorder(joins: Joins): IsBorder {
  return (text, at, end) => {
    const left = text[at - 1]!;
    const right = text[at]!;
    if (right === 0xe2 || left === 0x81 || joins.has(left, right)) return false;
    return validLength(text, at, end) > 0 && characterBefore(text, at) >= 0;
  };
}

function isWord(text: Uint8Array, at: number): boolean {
  return (charAt(text, at) & (LETTER | NUMBER)) !== 0;
}

/** Where the character begins that ends at `at`; -1 where it is not valid. */
function characterBefore(text: Uint8Array, at: number): number {
  let before = at - 1;
  while (before > 0 && before > at - 4 && isContinuation(text[before])) before--;
  return before + validLength(text, before, at) === at ? before : -1;
}
