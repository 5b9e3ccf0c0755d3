import { assertEquals, assertThrows } from "@std/assert";
import { MuserError } from "../../mod.ts";
import { createTokenizer, type Tokenizer } from "../../src/tokenizer/mod.ts";
import { gemma3, smollm2 } from "../support/models.ts";
import { randomIntegers, testWith, utf8 } from "./support.ts";
import { bytePairValues, sentencePieceValues, sourceOf, type TinyValues } from "./tiny.ts";

const NORMAL = 1;
const CONTROL = 3;
const USER_DEFINED = 4;

function pieces(tokenizer: Tokenizer, text: string, special: "none" | "user" | "all"): string[] {
  return Array.from(tokenizer.encode(text, { special, bos: false }), (id) => tokenizer.piece(id));
}

/** Cuts texts out one after another, the longest first: slow, and plain to see. */
function cutSlowly(text: string, specials: readonly string[]): string[] {
  let parts: { text: string; done: boolean }[] = [{ text, done: false }];
  const bySize = [...specials].sort((left, right) => right.length - left.length);
  for (const special of bySize) {
    parts = parts.flatMap((part) => {
      if (part.done) return [part];
      return part.text.split(special).flatMap((rest, at) => [
        ...(at > 0 ? [{ text: special, done: true }] : []),
        ...(rest ? [{ text: rest, done: false }] : []),
      ]);
    });
  }
  return parts.flatMap((part) => part.done ? [part.text] : [...part.text]);
}

Deno.test("special tokens are found longest first wherever they lie, as cutting one after another finds them", () => {
  const random = randomIntegers(11);
  for (let round = 0; round < 150; round++) {
    const specials = new Set<string>();
    while (specials.size < 1 + round % 7) {
      specials.add(Array.from({ length: 2 + random(5) }, () => "ab "[random(3)]).join(""));
    }
    const values = bytePairValues([], [...specials].map((text) => [text, USER_DEFINED] as const));
    const tokenizer = createTokenizer(sourceOf(values));
    for (let texts = 0; texts < 10; texts++) {
      const text = Array.from({ length: random(40) }, () => "aab c"[random(5)]).join("");
      assertEquals(pieces(tokenizer, text, "user"), cutSlowly(text, [...specials]), `${[...specials]} in ${text}`);
    }
  }
});

Deno.test("text that overlapping special tokens leave over belongs to the text around it", () => {
  const tokenizer = createTokenizer(sourceOf(bytePairValues(["Ġ x"], [["    ", USER_DEFINED], ["  ", USER_DEFINED]])));
  assertEquals(pieces(tokenizer, "     x", "user"), ["    ", " x"]);
});

Deno.test("which special tokens are found is the caller's choice, control tokens never unless asked for", () => {
  const others = [["<user>", USER_DEFINED], ["<control>", CONTROL], ["<unknown>", 2], ["<normal>", NORMAL]] as const;
  const tokenizer = createTokenizer(sourceOf(bytePairValues([], others)));
  const found = (special: "none" | "user" | "all") =>
    pieces(tokenizer, "<user><control><unknown><normal>", special).filter((piece) => piece.length > 1);
  assertEquals(found("none"), []);
  assertEquals(found("user"), ["<user>"]);
  assertEquals(found("all"), ["<user>", "<control>", "<unknown>"]);
});

Deno.test("texts of chat formats are control tokens whatever kind the file states", () => {
  const texts = ["<|im_end|>", "<|start|>", "<|message|>", "<|channel|>", "<|end|>", "</s>", "<|fim_prefix|>"];
  for (const kind of [NORMAL, USER_DEFINED]) {
    const tokenizer = createTokenizer(sourceOf(bytePairValues([], texts.map((text) => [text, kind] as const))));
    for (const text of texts) {
      assertEquals(pieces(tokenizer, text, "user").join(), [...text].join(), text);
      assertEquals(pieces(tokenizer, text, "all"), [text]);
      assertEquals(tokenizer.decode(tokenizer.encode(text, { special: "all" })), "");
    }
  }
});

Deno.test("merges cannot build a control token", () => {
  const merges = ["< s", "<s >"];
  const values = bytePairValues(merges);
  const kinds = (values.token_type as Int32Array).slice();
  kinds[(values.tokens as string[]).indexOf("<s>")] = CONTROL;
  const tokenizer = createTokenizer(sourceOf({ ...values, token_type: kinds }));
  assertEquals(pieces(tokenizer, "<s>", "user"), ["<", "s", ">"]);
  const spelled = sentencePieceValues([["<", -3], ["s", -3], [">", -3], ["<s", -1]]);
  const other = createTokenizer(sourceOf({ ...spelled, add_space_prefix: false }));
  assertEquals(pieces(other, "<s>", "user"), ["<s", ">"]);
});

Deno.test("special tokens swallow white space where the model is known for it", () => {
  const phi: TinyValues = {
    ...sentencePieceValues([["▁", -1], ["x", -1]], [["<|user|>", CONTROL]]),
    "general.name!": "Phi-3",
  };
  assertEquals(pieces(createTokenizer(sourceOf(phi)), "<|user|> \n x<s> x", "all"), [
    "<|user|>",
    " ",
    "x",
    "<s>",
    " ",
    " ",
    "x",
  ]);
  const masked: TinyValues = { ...bytePairValues([], [["<mask>", CONTROL]]), pre: "jina-v2-de" };
  assertEquals(pieces(createTokenizer(sourceOf(masked)), "a \n<mask> b", "all"), ["a", "<mask>", " ", "b"]);
});

Deno.test("sentence pieces put a space before text that begins or follows a special token, and take it back", () => {
  const values = sentencePieceValues([["▁", -1], ["x", -1], ["▁x", -2]], [["<user>", USER_DEFINED]]);
  const tokenizer = createTokenizer(sourceOf(values));
  assertEquals(pieces(tokenizer, "x<user>x", "user"), [" x", "<user>", " x"]);
  for (const text of ["x", " x", "  x", "x<user>x", "x<user> x", "<user>", "", " ", "<s>x</s> x"]) {
    for (const special of ["user", "all"] as const) {
      assertEquals(tokenizer.decode(tokenizer.encode(text, { special, bos: false }), { skipSpecial: false }), text);
    }
    assertEquals(tokenizer.decode(tokenizer.encode(text)), text);
  }
});

Deno.test("user-defined tokens with a space mark are merged, as they cannot be found as they are written", () => {
  const values = sentencePieceValues([["▁", -1]], [["▁▁", USER_DEFINED]]);
  const tokenizer = createTokenizer(sourceOf({ ...values, add_space_prefix: false }));
  assertEquals(pieces(tokenizer, "   ", "user"), ["  ", " "]);
});

Deno.test("byte tokens are known by their text where the file states no kinds", () => {
  const { token_type: _, ...values } = sentencePieceValues([]);
  const tokenizer = createTokenizer(sourceOf({ ...values, add_space_prefix: false }));
  const ids = tokenizer.encode("é\n", { bos: false });
  assertEquals([...ids], [3 + 0xc3, 3 + 0xa9, 3 + 0x0a]);
  assertEquals(tokenizer.decode(ids), "é\n");
});

Deno.test("BOS and EOS are added as the file says, unless an option says otherwise", () => {
  const values = sentencePieceValues([["a", -1]]);
  const tokenizer = createTokenizer(sourceOf({ ...values, add_space_prefix: false, add_eos_token: true }));
  assertEquals([...tokenizer.encode("a")], [1, 259, 2]);
  assertEquals([...tokenizer.encode("a", { bos: false, eos: false })], [259]);
  assertEquals([...tokenizer.encode("")], [1, 2]);
  assertEquals([...tokenizer.encode("", { bos: false, eos: false })], []);
  const { ids, offsets } = tokenizer.encodeWithOffsets("a");
  assertEquals([[...ids], [...offsets]], [[1, 259, 2], [0, 0, 1]]);
});

Deno.test("BOS is added as the pre-tokenizer has it where the file does not say", () => {
  const values: TinyValues = { ...bytePairValues([], [["<bos>", CONTROL]]), bos_token_id: 256 };
  const added = (more: TinyValues) => createTokenizer(sourceOf({ ...values, ...more })).encode("a")[0] === 256;
  for (const pre of ["llama-bpe", "llama3", "tekken", "pixtral"]) assertEquals(added({ pre }), true, pre);
  for (const pre of ["gpt-2", "qwen2", "llama4", "smollm", "glm4"]) assertEquals(added({ pre }), false, pre);
  assertEquals(added({ pre: "llama3", add_bos_token: false }), false);
  assertEquals(added({ pre: "llama4", add_bos_token: true }), true);
});

Deno.test("tokens that end a turn are collected, <|end|> only where nothing else ends one", () => {
  const ends = (texts: string[]) =>
    createTokenizer(sourceOf(bytePairValues([], texts.map((text) => [text, CONTROL] as const)))).special
      .endOfGeneration;
  assertEquals(ends(["<|end|>", "<|user|>"]), [256]);
  assertEquals(ends(["<|end|>", "<|return|>", "<|call|>"]), [257, 258]);
  assertEquals(ends(["<|user|>"]), []);
});

testWith(smollm2, "SmolLM2 has the special ids that llama.cpp gives", ({ special, size, addBos, addEos, kind }) => {
  assertEquals([special.bos, special.eos, special.unknown, special.padding], [1, 2, 0, 2]);
  assertEquals([size, addBos, addEos, kind], [49152, false, false, "byte-pair"]);
  assertEquals(special.endOfGeneration, [0, 2, 4]);
});

testWith(gemma3, "Gemma 3 has the special ids that llama.cpp gives", ({ special, size, addBos, addEos, kind }) => {
  assertEquals([special.bos, special.eos, special.unknown, special.padding], [2, 1, 3, 0]);
  assertEquals([size, addBos, addEos, kind], [262144, true, false, "sentence-piece"]);
  assertEquals(special.endOfGeneration, [1, 106, 212]);
});

testWith(smollm2, "a byte that the vocabulary lacks is an error with its value and offset", (tokenizer) => {
  const missing = [0x04, 0x06, 0x13, 0x14, 0x16, 0x1d];
  for (const byte of missing) {
    const text = `é ${String.fromCharCode(byte)}`;
    const digits = byte.toString(16).toUpperCase().padStart(2, "0");
    const error = assertThrows(() => tokenizer.encode(text), MuserError, `no token for byte 0x${digits} at offset 3`);
    assertEquals(error.code, "tokenizer");
  }
  assertThrows(() => tokenizer.encode("\u{40000}"), MuserError, "byte 0xF1 at offset 0");
  assertThrows(() => tokenizer.count("a\u001d"), MuserError, "offset 1");
});

Deno.test("the offset of a byte that the vocabulary lacks is the text's own, whatever is rewritten before it", () => {
  const values = sentencePieceValues([["▁", -1], ["a", -1]]);
  const tokens = (values.tokens as string[]).map((text) => text === "<0xC3>" ? "c3" : text);
  const tokenizer = createTokenizer(sourceOf({ ...values, tokens }));
  const offsetOf = (encode: () => unknown) =>
    assertThrows(encode, MuserError, "byte 0xC3").message.match(/offset (\d+)/)![1];
  assertEquals(offsetOf(() => tokenizer.encode("é")), "0");
  assertEquals(offsetOf(() => tokenizer.encode("a\u2581aé")), "5");
  const bytes = Uint8Array.of(0xff, 0xff, ...utf8("a\u2581é"));
  assertEquals(offsetOf(() => tokenizer.encode(bytes, { invalid: "replace" })), "6");
  const encoder = tokenizer.encoder();
  const inParts = () => [...encoder.push("aaaa aaaa aaaa "), ...encoder.push("aé"), ...encoder.end()];
  assertEquals(offsetOf(inParts), "16");
  assertEquals(tokenizer.decode(tokenizer.encode("aa")), "aa");
});

testWith(smollm2, "a byte that the vocabulary lacks is replaced where that is asked for", (tokenizer) => {
  const replaced = tokenizer.encode("a\u001db", { missing: "replace" });
  assertEquals(tokenizer.decode(replaced), "a\ufffdb");
  assertEquals([...tokenizer.encode("a\u001db", { missing: "unknown" })], [81, 0, 82]);
  const { ids, offsets } = tokenizer.encodeWithOffsets("é\u001db", { missing: "replace" });
  assertEquals([...ids], [...tokenizer.encode("é\ufffdb")]);
  assertEquals([...offsets], [0, 2, 3]);
});

testWith(smollm2, "halves of surrogate pairs are reported with their offset, or replaced", (tokenizer) => {
  for (const invalid of ["error", "keep"] as const) {
    const error = assertThrows(
      () => tokenizer.encode("é😀\ud83d", { invalid }),
      MuserError,
      "U+D83D at offset 6 is half of",
    );
    assertEquals(error.code, "tokenizer");
  }
  assertThrows(() => tokenizer.encode("\ude00😀"), MuserError, "U+DE00 at offset 0");
  assertEquals(tokenizer.decode(tokenizer.encode("a\ud83d", { invalid: "replace" })), "a\ufffd");
});

testWith(gemma3, "offsets are bytes of the text, whatever is rewritten in it", (tokenizer) => {
  const offsetsOf = (
    text: string | Uint8Array,
  ) => [...tokenizer.encodeWithOffsets(text, { bos: false, invalid: "replace" }).offsets];
  assertEquals(offsetsOf("a\u2581b \u2581\u2581 c"), [0, 1, 5, 6, 9, 12]);
  assertEquals(offsetsOf("Hello  é\n"), [0, 5, 7, 9]);
  const invalid = Uint8Array.of(...utf8("é "), 0xff, ...utf8(" é"));
  const { ids, offsets } = tokenizer.encodeWithOffsets(invalid, { invalid: "replace" });
  assertEquals(ids.length, offsets.length);
  assertEquals(offsets.at(-1), 4);
});
