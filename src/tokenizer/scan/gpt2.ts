import { charAt, LETTER, NUMBER, runEnd, runEndWithout, SPACE } from "../classes.ts";
import { contractionEnd, NOT_OTHER, SPACE_BYTE, spaceEnd } from "./common.ts";

/** GPT-2: a contraction; letters, digits or symbols with the space before them; white space. */
export function scanGpt2(text: Uint8Array, start: number, end: number): number {
  const contraction = contractionEnd(text, start, end, "lower");
  if (contraction > start) return contraction;
  const spaced = text[start] === SPACE_BYTE && start + 1 < end;
  const at = spaced ? start + 1 : start;
  const char = charAt(text, at);
  if (char & LETTER) return runEnd(text, at, end, LETTER);
  if (char & NUMBER) return runEnd(text, at, end, NUMBER);
  if (!(char & SPACE)) return runEndWithout(text, at, end, NOT_OTHER);
  return spaceEnd(text, start, end);
}
