import { charAt, lengthOf, LETTER, NUMBER, runEnd, SPACE } from "../classes.ts";

/**
 * Finds where the piece ends that begins at `start`. Text is valid UTF-8; nothing outside `start` to `end` is looked
 * at, and the piece has at least one character.
 */
export type Scan = (text: Uint8Array, start: number, end: number) => number;

export const SPACE_BYTE = 0x20;
export const CARRIAGE_RETURN = 0x0d;
export const LINE_FEED = 0x0a;
const SLASH = 0x2f;
const QUOTE = 0x27;
/** The bit that tells `a` from `A`. */
const CASE = 0x20;

/** What symbols are not. */
export const NOT_OTHER: number = LETTER | NUMBER | SPACE;

export function isLineBreak(byte: number | undefined): boolean {
  return byte === LINE_FEED || byte === CARRIAGE_RETURN;
}

/** Where the line breaks (and slashes) from `start` on end. */
export function lineBreaksEnd(text: Uint8Array, start: number, end: number, slashes = false): number {
  let at = start;
  while (at < end && (isLineBreak(text[at]) || slashes && text[at] === SLASH)) at++;
  return at;
}

/** Which letters a contraction may have: lower case; any case of ASCII; any case of Unicode, which takes `ſ` for `s`. */
export type ContractionCase = "lower" | "ascii" | "unicode";

/** Where the English contraction that begins at `start` ends (`'s`, `'re` …); `start` where there is none. */
export function contractionEnd(text: Uint8Array, start: number, end: number, letters: ContractionCase): number {
  if (text[start] !== QUOTE) return start;
  const fold = letters === "lower" ? 0 : CASE;
  const first = start + 1 < end ? text[start + 1]! | fold : 0;
  if (first === 0x73 || first === 0x74 || first === 0x6d || first === 0x64) return start + 2; // s t m d
  const second = start + 2 < end ? text[start + 2]! | fold : 0;
  const pair = first << 8 | second;
  if (pair === 0x7265 || pair === 0x7665 || pair === 0x6c6c) return start + 3; // re ve ll
  const longS = letters === "unicode" && start + 2 < end && text[start + 1] === 0xc5 && text[start + 2] === 0xbf;
  return longS ? start + 3 : start;
}

/** Where the white space at `start` ends, leaving its last character to a word that follows. */
export function spaceEnd(text: Uint8Array, start: number, end: number): number {
  let at = start;
  let last = start;
  while (at < end) {
    const char = charAt(text, at);
    if (!(char & SPACE)) break;
    last = at;
    at += lengthOf(char);
  }
  return at === end || last === start ? at : last;
}

/** Where the white space at `start` ends with its last line break; `start` where it has none. */
export function brokenSpaceEnd(text: Uint8Array, start: number, end: number): number {
  const stop = runEnd(text, start, end, SPACE);
  for (let at = stop; at > start; at--) if (isLineBreak(text[at - 1])) return at;
  return start;
}
