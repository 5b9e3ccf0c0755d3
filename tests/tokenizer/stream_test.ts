import { assertEquals, assertLess, assertThrows } from "@std/assert";
import { MuserError } from "../../mod.ts";
import { createTokenizer, type EncodeOptions, type PreTokenizer, type Tokenizer } from "../../src/tokenizer/mod.ts";
import { stages } from "../../src/tokenizer/sets.ts";
import { gemma3, smollm2 } from "../support/models.ts";
import { randomIntegers, randomTexts, testWith, tokenizerOf, utf8 } from "./support.ts";
import { byteCharacters, bytePairValues, sentencePieceValues, sourceOf } from "./tiny.ts";
import { testVocabulary } from "./vocabularies.ts";

type Random = (limit: number) => number;

/** The ids of a text that comes in random parts. */
function encodeInParts(
  tokenizer: Tokenizer,
  text: string | Uint8Array,
  random: Random,
  options: EncodeOptions,
): [number[], number[]] {
  const encoder = tokenizer.encoder(options);
  const ids: number[] = [];
  const offsets: number[] = [];
  for (let at = 0; at < text.length;) {
    const stop = at + 1 + random(40);
    ids.push(...encoder.push(text.slice(at, stop)));
    offsets.push(...encoder.offsets);
    at = stop;
  }
  ids.push(...encoder.end());
  offsets.push(...encoder.offsets);
  return [ids, offsets];
}

function assertSameInParts(
  tokenizer: Tokenizer,
  text: string | Uint8Array,
  random: Random,
  options: EncodeOptions,
): void {
  const { ids, offsets } = tokenizer.encodeWithOffsets(text, options);
  const inParts = encodeInParts(tokenizer, text, random, options);
  assertEquals(inParts, [[...ids], [...offsets]], JSON.stringify(text));
}

const sets = Object.keys(stages) as PreTokenizer[];

for (const preTokenizer of sets) {
  Deno.test(`text in parts has the ids of the whole text with the pre-tokenizer ${preTokenizer}`, () => {
    // Any two bytes that are joined often enough show where pieces were cut.
    const pairs = byteCharacters.filter((_, byte) => byte === 0x20 || byte === 0x0a || byte > 0x20 && byte < 0x7f);
    const merges = pairs.flatMap((left) => pairs.map((right) => `${left} ${right}`));
    const others = [["<b>", 4], ["    ", 4], ["\n\n", 4]] as const;
    const tokenizer = createTokenizer(sourceOf(bytePairValues(merges, others)), { preTokenizer });
    const random = randomIntegers(17);
    for (const text of randomTexts(400, 150, 18)) {
      assertSameInParts(tokenizer, text, random, {});
      assertSameInParts(tokenizer, utf8(text), random, {});
    }
  });
}

Deno.test("text in parts has the ids of the whole text with sentence pieces that reach over spaces", () => {
  const pieces = ["▁", "a", "b", "▁a", "a▁", "▁▁", "b▁b", "\n", "a\n", "世", "世▁", "▁世界", "'s"];
  const values = sentencePieceValues(pieces.map((piece, at) => [piece, -at] as const), [["<b>", 4], ["\t", 4]]);
  const random = randomIntegers(19);
  for (const add_space_prefix of [false, true]) {
    const tokenizer = createTokenizer(sourceOf({ ...values, add_space_prefix }));
    for (const text of randomTexts(1500, 60, 20)) {
      for (const special of ["none", "user", "all"] as const) assertSameInParts(tokenizer, text, random, { special });
    }
  }
});

for (const model of [smollm2, gemma3]) {
  testWith(model, `text in parts has the ids of the whole text: ${model.path.split("/").at(-1)}`, (tokenizer) => {
    const random = randomIntegers(21);
    for (const text of randomTexts(600, 120, 22)) {
      for (const special of ["user", "all"] as const) {
        assertSameInParts(tokenizer, `${text}<|im_end|> ${text}`, random, { special, missing: "replace" });
      }
    }
  });

  testWith(model, `bytes that are not UTF-8 are the same in parts: ${model.path.split("/").at(-1)}`, (tokenizer) => {
    const random = randomIntegers(23);
    for (let round = 0; round < 1500; round++) {
      const bytes = Uint8Array.from({ length: random(120) }, () => {
        const kind = random(4);
        return kind === 0 ? 0x20 : kind === 1 ? 0x61 + random(4) : kind === 2 ? 0x80 + random(0x80) : random(0x80);
      });
      for (const invalid of ["replace", "keep"] as const) {
        assertSameInParts(tokenizer, bytes, random, { invalid, missing: "replace" });
      }
    }
  });
}

testVocabulary("phi-3", "white space that special tokens swallow is swallowed in parts too", async (path) => {
  const tokenizer = await tokenizerOf(path);
  const random = randomIntegers(24);
  for (const text of randomTexts(300, 20, 25)) {
    assertSameInParts(tokenizer, `<|user|>${text}<|end|> \n ${text}<s> x`, random, { special: "all" });
  }
});

Deno.test("ids come while text comes, and the text that is held back stays short", () => {
  const tokenizer = createTokenizer(sourceOf(bytePairValues(["a b"])));
  const encoder = tokenizer.encoder();
  let given = 0;
  let count = 0;
  for (let part = 0; part < 200; part++) {
    given += 1000;
    count += encoder.push("abcd ".repeat(200)).length;
    assertLess(given - count * 5 / 4, 16);
  }
  assertEquals(count + encoder.end().length, 200 * 200 * 4);
});

Deno.test("a text without borders is held back, and encoded in a time that its length gives", () => {
  const tokenizer = createTokenizer(sourceOf(bytePairValues(["a a", "aa aa"])));
  const encoder = tokenizer.encoder();
  for (let part = 0; part < 4000; part++) assertEquals(encoder.push("a".repeat(250)).length, 0);
  assertEquals(encoder.end().length, 250_000);
});

Deno.test("BOS and EOS are put around a text in parts", () => {
  const tokenizer = createTokenizer(sourceOf({ ...sentencePieceValues([["a", -1]]), add_space_prefix: false }));
  const encoder = tokenizer.encoder({ eos: true });
  assertEquals([...encoder.push("")], [1]);
  assertEquals([...encoder.push("a"), ...encoder.end()], [259, 2]);
});

Deno.test("a character may come in two parts, as bytes or as halves of a surrogate pair", () => {
  const tokenizer = createTokenizer(sourceOf(bytePairValues([])));
  const expected = [...tokenizer.encode("😀")];
  const encoder = tokenizer.encoder();
  assertEquals([...encoder.push("\ud83d"), ...encoder.push("\ude00"), ...encoder.end()], expected);
  const bytes = utf8("😀");
  const other = tokenizer.encoder();
  assertEquals([...other.push(bytes.slice(0, 3)), ...other.push(bytes.slice(3)), ...other.end()], expected);
});

Deno.test("what is not valid Unicode is reported with its offset in the whole text", () => {
  const tokenizer = createTokenizer(sourceOf(bytePairValues([])));
  const inText = tokenizer.encoder();
  inText.push("some words and é ".repeat(10));
  assertThrows(() => inText.push("a\ud83da"), MuserError, "U+D83D at offset 181");
  const atEnd = tokenizer.encoder();
  atEnd.push("éa\ud83d");
  assertThrows(() => atEnd.end(), MuserError, "U+D83D at offset 3");
  const inBytes = tokenizer.encoder();
  inBytes.push(utf8("some words and more ".repeat(10)));
  assertThrows(() => [...inBytes.push(Uint8Array.of(0x61, 0xff)), ...inBytes.end()], MuserError, "0xFF at offset 201");
});

Deno.test("an encoder that has ended takes no more text", () => {
  const encoder = createTokenizer(sourceOf(bytePairValues([]))).encoder();
  encoder.end();
  assertEquals(assertThrows(() => encoder.push("a"), MuserError, "has ended").code, "closed");
  assertThrows(() => encoder.end(), MuserError, "has ended");
});

Deno.test("text and ids go through streams", async () => {
  const tokenizer = createTokenizer(sourceOf(bytePairValues(["a b"])));
  const text = "ab 😀 ".repeat(100);
  const parts = ReadableStream.from(text.match(/.{1,7}/gsu)!);
  const back = parts.pipeThrough(tokenizer.encodeStream()).pipeThrough(tokenizer.decodeStream());
  assertEquals((await Array.fromAsync(back)).join(""), text);
});
