import { readId, type TokenizerSource } from "./source.ts";
import { endTexts, fillTexts } from "./special_texts.ts";
import type { TokenTable } from "./tokens.ts";

/** Ids of tokens with a purpose; `undefined` where the vocabulary has none. */
export interface SpecialIds {
  /** Begins a text. */
  readonly bos: number | undefined;
  /** Ends a text. */
  readonly eos: number | undefined;
  /** Ends a turn. */
  readonly eot: number | undefined;
  /** Ends a message. */
  readonly eom: number | undefined;
  /** Stands for what the vocabulary cannot write. */
  readonly unknown: number | undefined;
  /** Stands between two texts. */
  readonly separator: number | undefined;
  /** Fills up. */
  readonly padding: number | undefined;
  /** Stands for a hidden token. */
  readonly mask: number | undefined;
  /** Every token after which a model's answer has ended, the lowest first. */
  readonly endOfGeneration: readonly number[];
}

/** The special ids that a file states, or else has by its kind of vocabulary. */
export function specialIdsOf(
  source: TokenizerSource,
  tokens: TokenTable,
  defaults: { bos?: number; eos?: number; unknown?: number },
): SpecialIds {
  const read = (name: string, otherwise?: number) =>
    readId(source, `${name}_token_id`, tokens.size) ??
      (otherwise !== undefined && otherwise < tokens.size ? otherwise : undefined);
  const ids = {
    bos: read("bos", defaults.bos),
    eos: read("eos", defaults.eos),
    eot: read("eot"),
    eom: read("eom"),
    unknown: read("unknown", defaults.unknown),
    separator: read("seperator"), // the format's own spelling
    padding: read("padding"),
    mask: read("mask"),
  };
  const ends = [ids.eos, ids.eot, ids.eom, read("fim_pad"), read("fim_rep"), read("fim_sep")];
  for (const text of [...endTexts, ...fillTexts]) ends.push(tokens.findText(text));
  const known = new Set(ends.filter((id): id is number => id !== undefined && id >= 0));
  if (endsOnlyMessages(tokens)) known.delete(tokens.findText("<|end|>"));
  return { ...ids, endOfGeneration: [...known].sort((left, right) => left - right) };
}

/** Whether `<|end|>` ends one message of several, because other tokens end the turn. */
function endsOnlyMessages(tokens: TokenTable): boolean {
  const has = (text: string) => tokens.findText(text) >= 0;
  return (has("<|call|>") || has("<|calls|>")) && (has("<|return|>") || has("<|flush|>"));
}
