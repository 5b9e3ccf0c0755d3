import { ASCII_LOWER, ASCII_UPPER, LETTER, LOWER, MARK, UPPER } from "./classes.ts";
import { NOT_OTHER, type Scan } from "./scan/common.ts";
import { scanDeepSeek } from "./scan/deepseek.ts";
import { scanGpt2 } from "./scan/gpt2.ts";
import { llamaScan } from "./scan/llama.ts";
import { digitRuns, digitTriples, hanRuns, punctuationRuns } from "./scan/runs.ts";

/**
 * How text is cut into pieces before merging. `gpt-4o` cuts as llama.cpp does, `gpt-4o-original` as GPT-4o's own
 * pattern: it keeps combining marks with their letters and knows the case of letters beyond ASCII.
 */
export type PreTokenizer =
  | "default"
  | "gpt-2"
  | "smollm"
  | "llama-bpe"
  | "qwen2"
  | "qwen35"
  | "gpt-4o"
  | "gpt-4o-original"
  | "tekken"
  | "deepseek-v3"
  | "falcon";

const asciiCase = { upper: ASCII_UPPER, lower: ASCII_LOWER };

/** The stages of every set: each cuts the pieces of the one before. */
export const stages: Readonly<Record<PreTokenizer, readonly Scan[]>> = {
  "default": [punctuationRuns("$+<=>^~|"), scanGpt2, digitRuns(Infinity), digitTriples],
  "gpt-2": [scanGpt2],
  "smollm": [digitRuns(1), scanGpt2],
  "llama-bpe": [llamaScan({ contractions: "ascii", letters: LETTER, digits: 3 })],
  "qwen2": [llamaScan({ contractions: "ascii", letters: LETTER, digits: 1 })],
  "qwen35": [llamaScan({ contractions: "ascii", letters: LETTER | MARK, notSymbols: NOT_OTHER | MARK, digits: 1 })],
  "gpt-4o": [
    llamaScan({ contractions: "ascii", glued: true, letters: LETTER, case: asciiCase, digits: 3, slashes: true }),
  ],
  "gpt-4o-original": [
    llamaScan({
      contractions: "unicode",
      glued: true,
      letters: LETTER | MARK,
      case: { upper: UPPER, lower: LOWER },
      digits: 3,
      slashes: true,
    }),
  ],
  "tekken": [llamaScan({ letters: LETTER, case: asciiCase, digits: 1, slashes: true })],
  "deepseek-v3": [digitRuns(3), hanRuns, scanDeepSeek],
  "falcon": [punctuationRuns("$+<=>^~|`"), scanGpt2, digitTriples],
};

/** What `tokenizer.ggml.pre` decides. */
export interface PreRules {
  readonly set: PreTokenizer;
  /** A piece that is a token as it stands is not built by merges. */
  readonly ignoreMerges: boolean;
  /** Whether a text begins with the BOS token where the file does not say. */
  readonly addBos: boolean;
}

/** Names of `tokenizer.ggml.pre` by the set that they mean. */
const names: Readonly<Partial<Record<PreTokenizer, string>>> = {
  "default": "default",
  "gpt-2": "gpt-2 phi-2 mpt olmo jais trillion granite-docling jina-es jina-de jina-v1-en jina-v2-es jina-v2-de " +
    "jina-v2-code roberta-bpe gigachat a.x-4.0 mellum modern-bert exaone4",
  "smollm": "smollm starcoder refact command-r codeshell exaone minerva-7b mellum2",
  "llama-bpe": "llama-bpe llama3 llama-v3 falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano dbrx smaug-bpe " +
    "chatglm-bpe glm4 glm5",
  "qwen2": "qwen2 deepseek-r1-qwen kormo f2llmv2 stablelm2 megrez hunyuan solar-open grok-2",
  "qwen35": "qwen35",
  "gpt-4o": "gpt-4o llama4 kanana2 talkie minimax-m2",
  "tekken": "tekken",
  "deepseek-v3": "deepseek-v3 hunyuan-dense joyai-llm hy_v4",
  "falcon": "falcon",
};
const addingBos = "llama-bpe llama3 llama-v3 falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano tekken".split(" ");
const ignoringMerges = [...addingBos, "glm4", "glm5"];

/** The rules of every supported `tokenizer.ggml.pre`. */
export const preRules: ReadonlyMap<string, PreRules> = new Map(
  Object.entries(names).flatMap(([set, list]) =>
    list.split(" ").map((name): [string, PreRules] => [
      name,
      { set: set as PreTokenizer, ignoreMerges: ignoringMerges.includes(name), addBos: addingBos.includes(name) },
    ])
  ),
);
