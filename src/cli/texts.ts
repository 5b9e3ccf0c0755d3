import type { Model } from "../model.ts";
import type { EncodeOptions, Tokenizer } from "../tokenizer/mod.ts";
import type { IdBatch } from "./ids.ts";
import { readPieces } from "./input.ts";
import type { Arguments, Option } from "./options.ts";
import { say } from "./say.ts";

/** Options for how text becomes ids. */
export const encodeOptions: readonly Option[] = [
  {
    name: "special",
    value: "WHICH",
    choices: ["none", "user", "all"],
    summary: "Tokens found as they are written: none, user (user-defined ones), all (control tokens too)",
  },
  {
    name: "bos",
    value: "yes|no",
    choices: ["yes", "no"],
    summary: "Whether the BOS token is put before; else as the file says",
  },
  {
    name: "eos",
    value: "yes|no",
    choices: ["yes", "no"],
    summary: "Whether the EOS token is put after; else as the file says",
  },
  {
    name: "invalid",
    value: "WHAT",
    choices: ["error", "replace", "keep"],
    summary: "For bytes that are not UTF-8: error, replace (by U+FFFD), keep (as byte tokens)",
  },
  {
    name: "missing",
    value: "WHAT",
    choices: ["error", "replace", "unknown"],
    summary: "For bytes without a token: error, replace (by U+FFFD), unknown (the unknown token)",
  },
];

/** What {@linkcode encodeOptions} ask for. */
export function encodeOptionsOf(input: Arguments): EncodeOptions {
  const options: Record<string, string | boolean> = {};
  for (const { name } of encodeOptions) {
    const value = input.value(name);
    if (value !== undefined) options[name] = value === "yes" || (value === "no" ? false : value);
  }
  return options;
}

/** The ids of texts one after another, then of a text file of any size, encoded as it is read. */
export async function* idsOfTexts(
  model: Model,
  options: EncodeOptions,
  texts: readonly string[],
  file: string | undefined,
): AsyncGenerator<IdBatch> {
  if (texts.length === 0 && file === undefined) return; // the tokenizer is not needed, and there may be none
  const tokenizer = tokenizerOf(model);
  for (const text of texts) yield { ids: tokenizer.encode(text, options) };
  if (file === undefined) return;
  const encoder = tokenizer.encoder(options);
  for await (const { bytes, share } of readPieces(file, "text")) yield { ids: encoder.push(bytes), share };
  yield { ids: encoder.end() };
}

/** The tokenizer; says what the file leaves open about it. */
export function tokenizerOf(model: Model): Tokenizer {
  const { tokenizer } = model;
  for (const warning of tokenizer.warnings) say(warning);
  return tokenizer;
}
