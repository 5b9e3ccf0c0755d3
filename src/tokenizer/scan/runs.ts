import { charAt, lengthOf, NUMBER, PUNCTUATION, runEnd, runEndWithout } from "../classes.ts";
import { codePointAt } from "../utf8.ts";
import type { Scan } from "./common.ts";
import { digitsEnd } from "./llama.ts";

/** Up to `most` digits, and what lies between digits. */
export function digitRuns(most: number): Scan {
  return (text, start, end) => {
    const stop = most === Infinity ? runEnd(text, start, end, NUMBER) : digitsEnd(text, start, end, most);
    return stop > start ? stop : runEndWithout(text, start, end, NUMBER);
  };
}

/** Exactly three ASCII digits, and what lies between. */
export function digitTriples(text: Uint8Array, start: number, end: number): number {
  let digits = 0;
  for (let at = start; at < end; at++) {
    digits = text[at]! >= 0x30 && text[at]! <= 0x39 ? digits + 1 : 0;
    if (digits === 3) return at - 2 > start ? at - 2 : at + 1;
  }
  return end;
}

/** Runs of punctuation and of the given ASCII characters, and what lies between. */
export function punctuationRuns(others: string): Scan {
  return runs((char, codePoint) =>
    (char & PUNCTUATION) !== 0 || codePoint < 0x80 && others.includes(String.fromCharCode(codePoint))
  );
}

/** Runs of Han characters and kana, and what lies between. */
export const hanRuns: Scan = runs((_, codePoint) =>
  codePoint >= 0x4e00 && codePoint <= 0x9fa5 || codePoint >= 0x3040 && codePoint <= 0x30ff
);

/** Runs of characters that `inside` accepts, and what lies between. */
function runs(inside: (char: number, codePoint: number) => boolean): Scan {
  return (text, start, end) => {
    let first: boolean | undefined;
    for (let at = start; at < end;) {
      const char = charAt(text, at);
      const now = inside(char, codePointAt(text, at));
      first ??= now;
      if (now !== first) return at;
      at += lengthOf(char);
    }
    return end;
  };
}
