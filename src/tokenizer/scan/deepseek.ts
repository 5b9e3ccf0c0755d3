import {
  ASCII_LOWER,
  ASCII_UPPER,
  charAt,
  lengthOf,
  LETTER,
  MARK,
  PUNCTUATION,
  runEnd,
  SPACE,
  SYMBOL,
} from "../classes.ts";
import { brokenSpaceEnd, isLineBreak, lineBreaksEnd, SPACE_BYTE, spaceEnd } from "./common.ts";

const WORD = LETTER | MARK;
const SIGN = PUNCTUATION | SYMBOL;
const ASCII_LETTER = ASCII_UPPER | ASCII_LOWER;

/**
 * DeepSeek-V3's last stage: ASCII letters with a sign before them, words with another character before them, signs
 * with the space before and line breaks after them, white space. What none of these takes stays together.
 */
export function scanDeepSeek(text: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const stop = matchEnd(text, at, end);
    if (stop > at) return at > start ? at : stop;
    at += lengthOf(charAt(text, at));
  }
  return end;
}

function matchEnd(text: Uint8Array, start: number, end: number): number {
  const char = charAt(text, start);
  const inner = start + lengthOf(char);
  const next = inner < end ? charAt(text, inner) : 0;
  if (text[start]! < 0x80 && char & SIGN && next & ASCII_LETTER) return runEnd(text, inner, end, ASCII_LETTER);
  if (char & WORD) return runEnd(text, start, end, WORD);
  if (!(char & SIGN) && !isLineBreak(text[start]) && next & WORD) return runEnd(text, inner, end, WORD);
  const sign = text[start] === SPACE_BYTE && next & SIGN ? inner : start;
  if (charAt(text, sign) & SIGN) return lineBreaksEnd(text, runEnd(text, sign, end, SIGN), end);
  if (!(char & SPACE)) return start;
  const broken = brokenSpaceEnd(text, start, end);
  return broken > start ? broken : spaceEnd(text, start, end);
}
