import { MuserError } from "../errors.ts";
import { decodeAlphabet, decodeSpaceMarks } from "./alphabet.ts";
import { BytePairs } from "./byte_pairs.ts";
import type { Rules } from "./encoder.ts";
import { Joins } from "./scan/joins.ts";
import { SentencePieces } from "./sentence_pieces.ts";
import { type PreRules, preRules, type PreTokenizer, stages } from "./sets.ts";
import { fault, keyOf, readFlag, readNumbers, readText, readTexts, type TokenizerSource } from "./source.ts";
import { type SpecialIds, specialIdsOf } from "./special_ids.ts";
import { controlTexts } from "./special_texts.ts";
import { type Strips, stripsOf } from "./strips.ts";
import { BYTE, CONTROL, NORMAL, TokenTable, UNKNOWN, USER_DEFINED } from "./tokens.ts";

/** What a tokenizer is made of. */
export interface Parts {
  readonly kind: "byte-pair" | "sentence-piece";
  readonly preTokenizer: PreTokenizer | undefined;
  readonly rules: Rules;
  /** The kind of each token. */
  readonly kinds: Uint8Array;
  readonly ids: SpecialIds;
  readonly addBos: boolean;
  readonly addEos: boolean;
  readonly joins: Joins | undefined;
  readonly warnings: readonly string[];
}

/** Reads a tokenizer. */
export function buildParts(source: TokenizerSource, preTokenizer: PreTokenizer | undefined): Parts {
  const model = readText(source, "model");
  if (model === undefined) {
    throw new MuserError("tokenizer", `Cannot build a tokenizer: the file has no ${keyOf("model")}, use ids`);
  }
  if (model === "gpt2") return bytePairParts(source, preTokenizer);
  if (model === "llama") return sentencePieceParts(source);
  throw new MuserError(
    "tokenizer",
    `Cannot build a tokenizer: ${keyOf("model")} is "${model}", use a file with "gpt2" or "llama"`,
  );
}

function bytePairParts(source: TokenizerSource, wanted: PreTokenizer | undefined): Parts {
  const { pre, rules, warnings } = preOf(source, wanted);
  if (!source.has(keyOf("merges"))) throw fault("merges", "is missing, use a file with its merges");
  const tokens = new TokenTable(readTexts(source, "tokens"), decodeAlphabet);
  const kinds = kindsOf(source, tokens);
  const strips = stripsOf(source, pre, tokens, kinds);
  const ids = specialIdsOf(source, tokens, {});
  for (let id = 0; id < tokens.size; id++) if (isKept(kinds[id]!) || kinds[id] === USER_DEFINED) tokens.keepText(id);
  return {
    ...partsOf(source, ids, rules.addBos),
    kind: "byte-pair",
    preTokenizer: rules.set,
    rules: {
      ...rulesOf(tokens, strips, ids),
      symbols: new BytePairs(tokens, readTexts(source, "merges")),
      stages: stages[rules.set],
      ignoreMerges: rules.ignoreMerges,
      spaceMarks: false,
      spacePrefix: false,
    },
    kinds,
    joins: undefined,
    warnings,
  };
}

function sentencePieceParts(source: TokenizerSource): Parts {
  const tokens = new TokenTable(readTexts(source, "tokens"), decodeSpaceMarks);
  const scores = readNumbers(source, "scores", ["float32", "int32"], tokens.size);
  if (!scores) throw fault("scores", "is missing, use a file with its scores");
  if (scores.some(Number.isNaN)) throw fault("scores", "has a value that is no number, use a file with sound scores");
  const kinds = kindsOf(source, tokens);
  const strips = stripsOf(source, "", tokens, kinds);
  const ids = specialIdsOf(source, tokens, { bos: 1, eos: 2, unknown: 0 });
  const byteTokens = takeByteTokens(tokens, kinds);
  for (let id = 0; id < tokens.size; id++) {
    // A user-defined token with a space mark cannot stand in a text as it is written, so it is merged.
    if (isKept(kinds[id]!) || kinds[id] === USER_DEFINED && !tokens.isEncoded(id)) tokens.keepText(id);
  }
  // Their texts were needed until here.
  byteTokens.forEach((id, byte) => id >= 0 && tokens.keepBytes(id, Uint8Array.of(byte)));
  const joins = new Joins(tokens);
  return {
    ...partsOf(source, ids, true),
    kind: "sentence-piece",
    preTokenizer: undefined,
    rules: {
      ...rulesOf(tokens, strips, ids),
      symbols: new SentencePieces(tokens, scores, byteTokens),
      stages: [joins.scan],
      ignoreMerges: false,
      spaceMarks: true,
      spacePrefix: readFlag(source, "add_space_prefix") ?? true,
    },
    kinds,
    joins,
    warnings: [],
  };
}

function partsOf(source: TokenizerSource, ids: SpecialIds, bos: boolean): Pick<Parts, "ids" | "addBos" | "addEos"> {
  return {
    ids,
    addBos: readFlag(source, "add_bos_token") ?? bos,
    addEos: readFlag(source, "add_eos_token") ?? false,
  };
}

function rulesOf(
  tokens: TokenTable,
  strips: Strips,
  ids: SpecialIds,
): Pick<Rules, "tokens" | "unknown" | "stripLeft" | "stripRight"> {
  return { tokens, unknown: ids.unknown, stripLeft: strips.left, stripRight: strips.right };
}

/** The rules that `tokenizer.ggml.pre` names; a wanted set takes the place of the one that it names. */
function preOf(
  source: TokenizerSource,
  wanted: PreTokenizer | undefined,
): { pre: string; rules: PreRules; warnings: string[] } {
  const pre = readText(source, "pre");
  if (wanted !== undefined && !Object.hasOwn(stages, wanted)) {
    throw new RangeError(`Cannot build a tokenizer: there is no pre-tokenizer "${wanted}", use ${listOf(stages)}`);
  }
  const rules = preRules.get(pre ?? "default") ?? (wanted && { set: wanted, ignoreMerges: false, addBos: false });
  if (!rules) {
    throw new MuserError(
      "tokenizer",
      `Cannot build a tokenizer: ${keyOf("pre")} is "${pre}", supported are ${[...preRules.keys()].join(", ")}`,
    );
  }
  const warnings = pre === undefined && !wanted
    ? [`${keyOf("pre")} is missing: text is cut by "default", and ids may differ from those in training`]
    : [];
  return { pre: pre ?? "", rules: { ...rules, set: wanted ?? rules.set }, warnings };
}

/** The kinds that the file states, with texts of chat formats as control tokens. */
function kindsOf(source: TokenizerSource, tokens: TokenTable): Uint8Array {
  const stated = readNumbers(source, "token_type", ["int32", "uint32"], tokens.size);
  const kinds = stated ? Uint8Array.from(stated.subarray(0, tokens.size)) : new Uint8Array(tokens.size).fill(NORMAL);
  for (const text of controlTexts) {
    const id = tokens.findText(text);
    if (id >= 0) kinds[id] = CONTROL;
  }
  return kinds;
}

/** The tokens of each byte, written `<0x0A>`; they become byte tokens whatever kind the file states. */
function takeByteTokens(tokens: TokenTable, kinds: Uint8Array): Int32Array {
  return Int32Array.from({ length: 0x100 }, (_, byte) => {
    const id = tokens.findText(`<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`);
    if (id >= 0) kinds[id] = BYTE;
    return id;
  });
}

function isKept(kind: number): boolean {
  return kind === CONTROL || kind === UNKNOWN || kind === BYTE;
}

function listOf(values: Readonly<Record<string, unknown>>): string {
  return Object.keys(values).map((value) => `"${value}"`).join(", ");
}
