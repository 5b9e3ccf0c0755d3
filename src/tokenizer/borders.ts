import { charAt, LETTER, NUMBER, SPACE } from "./classes.ts";
import { LINE_FEED } from "./scan/common.ts";
import type { Joins } from "./scan/joins.ts";
import { isContinuation, validLength } from "./utf8.ts";

const WORD = LETTER | NUMBER;

/** Tells whether text may be cut at a place without a change of its pieces. */
export type IsBorder = (text: Uint8Array, at: number, end: number) => boolean;

/**
 * A border for every set of pre-tokenizers: white space after a letter or digit, and a letter or digit after the only
 * line feed. No piece goes on over these, none looks back, and none before them depends on what follows.
 */
export function isWordBorder(text: Uint8Array, at: number, end: number): boolean {
  const before = characterBefore(text, at);
  if (before < 0 || validLength(text, at, end) === 0) return false;
  const char = charAt(text, at);
  if (char & SPACE) return (charAt(text, before) & WORD) !== 0;
  if (!(char & WORD) || text[before] !== LINE_FEED) return false;
  const last = characterBefore(text, before);
  return last >= 0 && !(charAt(text, last) & SPACE);
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

/** Where the character begins that ends at `at`; -1 where there is no valid one. */
function characterBefore(text: Uint8Array, at: number): number {
  let before = at - 1;
  while (before > 0 && before > at - 4 && isContinuation(text[before])) before--;
  return before + validLength(text, before, at) === at ? before : -1;
}
