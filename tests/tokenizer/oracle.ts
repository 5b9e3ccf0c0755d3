/** Pre-tokenizers as regular expressions: a second, independent way to cut text, for the scanners to be held against. */
import type { PreTokenizer } from "../../src/tokenizer/mod.ts";

// `\s` would not do: it has U+FEFF and lacks U+0085. Nor would the i flag, which takes ſ for s.
const W = String.raw`\p{White_Space}`;
const O = String.raw`[^\p{L}\p{N}${W}]`;
const C = `'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL])`;
const TAIL = String.raw`${W}+(?!\P{White_Space})|${W}+`;
const gpt2 = String.raw`'(?:[stmd]|re|ve|ll)| ?\p{L}+| ?\p{N}+| ?${O}+|${TAIL}`;

function llama(digits: string): string {
  return String.raw`${C}|[^\r\n\p{L}\p{N}]?\p{L}+|${digits}| ?${O}+[\r\n]*|${W}*[\r\n]+|${TAIL}`;
}

function cased(upper: string, lower: string, contraction: string, digits: string): string {
  const opening = String.raw`[^\r\n\p{L}\p{N}]?`;
  const words = `${opening}${upper}*${lower}+${contraction}|${opening}${upper}+${lower}*${contraction}`;
  return String.raw`${words}|${digits}| ?${O}+[\r\n\/]*|${W}*[\r\n]+|${TAIL}`;
}

const notLower = String.raw`[\p{L}--[a-z]]`;
const notUpper = String.raw`[\p{L}--[A-Z]]`;
const upperParts = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`;
const lowerParts = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`;

function u(...sources: string[]): RegExp[] {
  return sources.map((source) => new RegExp(source, "gu"));
}

function v(source: string): RegExp[] {
  return [new RegExp(source, "gv")];
}

/** The stages of every set. */
export const patterns: Readonly<Record<PreTokenizer, readonly RegExp[]>> = {
  "default": u(String.raw`[\p{P}$+<=>^~|]+`, gpt2, String.raw`\p{N}+`, "[0-9]{3}"),
  "gpt-2": u(gpt2),
  "smollm": u(String.raw`\p{N}`, gpt2),
  "llama-bpe": u(llama(String.raw`\p{N}{1,3}`)),
  "qwen2": u(llama(String.raw`\p{N}`)),
  "qwen35": u(
    String.raw`${C}|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\p{L}\p{M}\p{N}${W}]+[\r\n]*|${W}*[\r\n]+|${TAIL}`,
  ),
  "gpt-4o": v(cased(notLower, notUpper, `(?:${C})?`, String.raw`\p{N}{1,3}`)),
  // Its original has the i flag on contractions, so ſ is an s.
  "gpt-4o-original": u(cased(upperParts, lowerParts, `(?:${C}|'ſ)?`, String.raw`\p{N}{1,3}`)),
  "tekken": v(cased(notLower, notUpper, "", String.raw`\p{N}`)),
  "deepseek-v3": u(
    String.raw`\p{N}{1,3}`,
    "[一-龥぀-ゟ゠-ヿ]+",
    "[!-\\/:-@\\[-`\\{-~][A-Za-z]+" +
      String.raw`|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|${W}*[\r\n]+|${TAIL}`,
  ),
  "falcon": u("[\\p{P}$+<=>^~|`]+", gpt2, "[0-9]{3}"),
};

/** Cuts a text into its pieces: each stage cuts the pieces of the one before into matches and what is between. */
export function splitByPatterns(text: string, stages: readonly RegExp[]): string[] {
  let pieces = [text];
  for (const stage of stages) pieces = pieces.flatMap((piece) => matchesAndGaps(piece, stage));
  return pieces.filter((piece) => piece !== "");
}

function matchesAndGaps(text: string, pattern: RegExp): string[] {
  const parts: string[] = [];
  let rest = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push(text.slice(rest, match.index), match[0]);
    rest = match.index + match[0].length;
  }
  return [...parts, text.slice(rest)];
}
