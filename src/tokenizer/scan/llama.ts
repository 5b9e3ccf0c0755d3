import { charAt, lengthOf, LETTER, NUMBER, runEnd, runEndWithout } from "../classes.ts";
import {
  brokenSpaceEnd,
  type ContractionCase,
  contractionEnd,
  isLineBreak,
  lineBreaksEnd,
  NOT_OTHER,
  type Scan,
  SPACE_BYTE,
  spaceEnd,
} from "./common.ts";

/** How a letter run is cut where case goes up. */
export interface Case {
  /** Classes that cannot stand in the lower-case part. */
  upper: number;
  /** Classes that cannot stand in the upper-case part. */
  lower: number;
}

/** What the sets of this family differ in. */
export interface LlamaOptions {
  /** The English contractions that are pieces of their own; left out: none. */
  contractions?: ContractionCase;
  /** Whether they are part of the word before instead. */
  glued?: boolean;
  /** Classes that words are made of. */
  letters: number;
  /** Classes that symbols are not made of. */
  notSymbols?: number;
  /** Left out: case does not matter. */
  case?: Case;
  /** The most digits of a piece. */
  digits: number;
  /** Whether slashes count with the line breaks after symbols. */
  slashes?: boolean;
}

/**
 * Llama 3 and its kin: letters with one character before them, a few digits, symbols with the space before and the
 * line breaks after them, white space up to a line break, other white space.
 */
export function llamaScan(options: LlamaOptions): Scan {
  const { contractions, glued = false, digits, notSymbols = NOT_OTHER, slashes = false } = options;
  return (text, start, end) => {
    if (contractions && !glued) {
      const contraction = contractionEnd(text, start, end, contractions);
      if (contraction > start) return contraction;
    }
    const word = wordEnd(text, start, end, options);
    if (word > start) return contractions && glued ? contractionEnd(text, word, end, contractions) : word;
    const char = charAt(text, start);
    if (char & NUMBER) return digitsEnd(text, start, end, digits);
    const symbol = text[start] === SPACE_BYTE && start + 1 < end ? start + 1 : start;
    if (!(charAt(text, symbol) & notSymbols)) {
      return lineBreaksEnd(text, runEndWithout(text, symbol, end, notSymbols), end, slashes);
    }
    const broken = brokenSpaceEnd(text, start, end);
    return broken > start ? broken : spaceEnd(text, start, end);
  };
}

/** Where up to `most` digits end. */
export function digitsEnd(text: Uint8Array, start: number, end: number, most: number): number {
  let at = start;
  for (let count = 0; count < most && at < end; count++) {
    const char = charAt(text, at);
    if (!(char & NUMBER)) break;
    at += lengthOf(char);
  }
  return at;
}

/** Where a word ends, which may have one other character before its letters; `start` where there is none. */
function wordEnd(text: Uint8Array, start: number, end: number, { letters, case: cased }: LlamaOptions): number {
  const char = charAt(text, start);
  const inner = start + lengthOf(char);
  const opens = !(char & (LETTER | NUMBER)) && !isLineBreak(text[start]) && inner < end;
  if (!cased) {
    if (char & letters) return runEnd(text, start, end, letters);
    return opens && charAt(text, inner) & letters ? runEnd(text, inner, end, letters) : start;
  }
  // Words that end in lower case are tried first, each with the opening character before without it.
  for (const endOf of [lowerEnd, upperEnd]) {
    const opened = opens ? endOf(text, inner, end, letters, cased) : inner;
    if (opened > inner) return opened;
    const plain = endOf(text, start, end, letters, cased);
    if (plain > start) return plain;
  }
  return start;
}

/** Where an upper-case part and a lower-case part of at least one letter end; `start` where there are none. */
function lowerEnd(text: Uint8Array, start: number, end: number, letters: number, { upper, lower }: Case): number {
  let at = start;
  let both = start; // the end of the last letter so far that can be in either part
  while (at < end) {
    const char = charAt(text, at);
    if (!(char & letters) || char & lower) break;
    at += lengthOf(char);
    if (!(char & upper)) both = at;
  }
  const lowerStart = at;
  while (at < end) {
    const char = charAt(text, at);
    if (!(char & letters) || char & upper) break;
    at += lengthOf(char);
  }
  return at > lowerStart ? at : both;
}

/** Where letters of the upper-case part end, which no lower-case part follows. */
function upperEnd(text: Uint8Array, start: number, end: number, letters: number, { lower }: Case): number {
  let at = start;
  while (at < end) {
    const char = charAt(text, at);
    if (!(char & letters) || char & lower) break;
    at += lengthOf(char);
  }
  return at;
}
