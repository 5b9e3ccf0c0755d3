import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { MuserError } from "../../mod.ts";
import { createTokenizer, type PreTokenizer } from "../../src/tokenizer/mod.ts";
import { bytePairValues, sentencePieceValues, sourceOf, type TinyValues } from "./tiny.ts";

const bytePair = bytePairValues(["a b", "ab c"]);
const sentencePiece = sentencePieceValues([["a", -1], ["b", -2], ["ab", -3]]);

function without(values: TinyValues, key: string): TinyValues {
  const { [key]: _, ...others } = values;
  return others;
}

function assertFault(values: TinyValues, code: string, message: string): void {
  const error = assertThrows(() => createTokenizer(sourceOf(values)), MuserError, message);
  assertEquals(error.code, code, error.message);
}

Deno.test("the small vocabularies of these tests are sound", () => {
  assertEquals([...createTokenizer(sourceOf(bytePair)).encode("abc")], [257]);
  assertEquals([...createTokenizer(sourceOf(sentencePiece)).encode("ab", { bos: false })], [35, 261]);
});

Deno.test("a file without a tokenizer is refused by the missing key", () => {
  assertFault({}, "tokenizer", "no tokenizer.ggml.model");
});

for (const model of ["bert", "t5", "rwkv", "plamo2", "gemma4", "no_vocab"]) {
  Deno.test(`a tokenizer of the kind ${model} is refused by its name, with the kinds that are supported`, () => {
    assertFault({ ...bytePair, model }, "tokenizer", `tokenizer.ggml.model is "${model}"`);
    assertFault({ ...bytePair, model }, "tokenizer", 'use a file with "gpt2" or "llama"');
  });
}

Deno.test("an unknown pre-tokenizer is refused by its name, with those that are supported", () => {
  assertFault(
    { ...bytePair, pre: "kimi-k2" },
    "tokenizer",
    'tokenizer.ggml.pre is "kimi-k2", supported are default, gpt-2',
  );
  assertFault({ ...bytePair, pre: "kimi-k2" }, "tokenizer", "llama4");
});

Deno.test("an unknown pre-tokenizer can be replaced by a set that is named", () => {
  const tokenizer = createTokenizer(sourceOf({ ...bytePair, pre: "kimi-k2" }), { preTokenizer: "qwen2" });
  assertEquals(tokenizer.preTokenizer, "qwen2");
  const wrong = "nothing" as PreTokenizer;
  assertThrows(
    () => createTokenizer(sourceOf(bytePair), { preTokenizer: wrong }),
    RangeError,
    '"nothing", use "default"',
  );
});

Deno.test("a missing pre-tokenizer is a warning", () => {
  const { warnings, preTokenizer } = createTokenizer(sourceOf(without(bytePair, "pre")));
  assertEquals(preTokenizer, "default");
  assertStringIncludes(warnings.join(), "tokenizer.ggml.pre is missing");
  assertEquals(createTokenizer(sourceOf(bytePair)).warnings, []);
});

Deno.test("missing arrays are named by their keys", () => {
  assertFault(without(bytePair, "tokens"), "vocabulary", "tokenizer.ggml.tokens is missing");
  assertFault(without(bytePair, "merges"), "vocabulary", "tokenizer.ggml.merges is missing");
  assertFault(without(sentencePiece, "scores"), "vocabulary", "tokenizer.ggml.scores is missing");
});

Deno.test("arrays that are shorter than the tokens are named by their keys", () => {
  const scores = (sentencePiece.scores as Float32Array).subarray(1);
  assertFault(
    { ...sentencePiece, scores },
    "vocabulary",
    "tokenizer.ggml.scores has 261 elements, there are 262 tokens",
  );
  const token_type = (bytePair.token_type as Int32Array).subarray(2);
  assertFault({ ...bytePair, token_type }, "vocabulary", "tokenizer.ggml.token_type has 256 elements");
});

Deno.test("values of a wrong type are named by their keys", () => {
  const wrong: readonly (readonly [TinyValues, string, TinyValues[string], string])[] = [
    [bytePair, "model", 1, "tokenizer.ggml.model is a uint32, it should be a text"],
    [bytePair, "pre", true, "tokenizer.ggml.pre is a bool"],
    [
      bytePair,
      "tokens",
      Int32Array.of(1),
      "tokenizer.ggml.tokens is an array of int32, it should be an array of texts",
    ],
    [bytePair, "tokens", "a", "tokenizer.ggml.tokens is a string"],
    [bytePair, "merges", Int32Array.of(1), "tokenizer.ggml.merges is an array of int32"],
    [bytePair, "token_type", new Float32Array(300), "tokenizer.ggml.token_type is an array of float32"],
    [bytePair, "add_bos_token", 1, "tokenizer.ggml.add_bos_token is a uint32, it should be a truth value"],
    [bytePair, "bos_token_id", "1", "tokenizer.ggml.bos_token_id is string, it should be an integer"],
    [sentencePiece, "scores", new Uint8Array(300), "tokenizer.ggml.scores is an array of uint8"],
    [sentencePiece, "add_space_prefix", "yes", "tokenizer.ggml.add_space_prefix is a string"],
  ];
  for (const [values, key, value, message] of wrong) assertFault({ ...values, [key]: value }, "vocabulary", message);
});

Deno.test("ids out of range are named by their keys", () => {
  for (
    const name of [
      "bos",
      "eos",
      "eot",
      "eom",
      "unknown",
      "seperator",
      "padding",
      "mask",
      "fim_pad",
      "fim_rep",
      "fim_sep",
    ]
  ) {
    const values = { ...bytePair, [`${name}_token_id`]: 258 };
    assertFault(values, "vocabulary", `tokenizer.ggml.${name}_token_id is 258, the vocabulary has ids from 0 to 257`);
  }
});

Deno.test("a text that two tokens have is named with both ids", () => {
  const tokens = [...bytePair.tokens as string[], "ab"];
  const token_type = new Int32Array(tokens.length).fill(1);
  assertFault(
    { ...bytePair, tokens, token_type },
    "vocabulary",
    "tokenizer.ggml.tokens has the same text at 256 and at 258",
  );
  // A control token counts too, and so does a text that is not written in the vocabulary's way.
  token_type[258] = 3;
  assertFault({ ...bytePair, tokens, token_type }, "vocabulary", "at 256 and at 258");
  const spaces = [...bytePair.tokens as string[], "a b", "a b"];
  assertFault({ ...without(bytePair, "token_type"), tokens: spaces }, "vocabulary", "at 258 and at 259");
});

Deno.test("empty texts are no fault, and never found", () => {
  const tokens = [...bytePair.tokens as string[], "", ""];
  const tokenizer = createTokenizer(sourceOf({ ...without(bytePair, "token_type"), tokens }));
  assertEquals([...tokenizer.encode("abc")], [257]);
  assertEquals(tokenizer.piece(258), "");
});

Deno.test("merges without a space, and scores that are no numbers, are faults", () => {
  assertFault(
    { ...bytePair, merges: ["a b", "abc"] },
    "vocabulary",
    "tokenizer.ggml.merges has no space between two texts at 1",
  );
  const scores = (sentencePiece.scores as Float32Array).slice();
  scores[260] = NaN;
  assertFault({ ...sentencePiece, scores }, "vocabulary", "tokenizer.ggml.scores has a value that is no number");
});

Deno.test("scores may be integers", () => {
  const scores = Int32Array.from(sentencePiece.scores as Float32Array);
  const tokenizer = createTokenizer(sourceOf({ ...sentencePiece, scores, add_space_prefix: false }));
  assertEquals([...tokenizer.encode("ab", { bos: false })], [261]);
});

Deno.test("a BOS token that the file lacks is asked for in vain", () => {
  const tokenizer = createTokenizer(sourceOf(bytePair));
  const error = assertThrows(() => tokenizer.encode("a", { bos: true }), MuserError, "no tokenizer.ggml.bos_token_id");
  assertEquals(error.code, "tokenizer");
  assertThrows(() => tokenizer.encode("a", { eos: true }), MuserError, "no tokenizer.ggml.eos_token_id");
});

Deno.test("options that do not exist are refused with those that do", () => {
  const tokenizer = createTokenizer(sourceOf(bytePair));
  const special = "some" as "all";
  assertThrows(() => tokenizer.encode("a", { special }), RangeError, 'no special "some", use "none", "user", "all"');
  const invalid = "drop" as "keep";
  assertThrows(() => tokenizer.encode("a", { invalid }), RangeError, 'no invalid "drop"');
  const missing = "drop" as "replace";
  assertThrows(() => tokenizer.encode("a", { missing }), RangeError, 'no missing "drop"');
});

Deno.test("what is no text is refused", () => {
  const tokenizer = createTokenizer(sourceOf(bytePair));
  for (const text of [5, null, undefined, ["a"], new Float32Array(2)] as unknown as string[]) {
    assertThrows(() => tokenizer.encode(text), TypeError, "use a string or a Uint8Array");
    assertThrows(() => tokenizer.encoder().push(text), TypeError, "use a string or a Uint8Array");
  }
});

Deno.test("a vocabulary without tokens is sound, and can write nothing", () => {
  const tokenizer = createTokenizer(sourceOf({ model: "gpt2", pre: "gpt-2", tokens: [], merges: [] }));
  assertEquals(tokenizer.size, 0);
  assertEquals([...tokenizer.encode("")], []);
  assertThrows(() => tokenizer.encode("a"), MuserError, "no token for byte 0x61 at offset 0");
  assertThrows(() => tokenizer.encode("a", { missing: "replace" }), MuserError, "and none for U+FFFD");
  assertThrows(() => tokenizer.encode("a", { missing: "unknown" }), MuserError, "and no unknown token");
});
