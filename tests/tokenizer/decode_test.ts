import { assertEquals, assertThrows } from "@std/assert";
import { createTokenizer } from "../../src/tokenizer/mod.ts";
import { gemma3, smollm2 } from "../support/models.ts";
import { randomTexts, testWith, utf8 } from "./support.ts";
import { bytePairValues, sourceOf } from "./tiny.ts";

for (const model of [smollm2, gemma3]) {
  testWith(model, `random texts come back as they were: ${model.path.split("/").at(-1)}`, (tokenizer) => {
    for (const text of randomTexts(4000, 40, 31)) {
      const expected = tokenizer.kind === "sentence-piece" ? text.replaceAll("\u2581", " ") : text;
      const ids = tokenizer.encode(text);
      assertEquals(tokenizer.decode(ids), expected);
      assertEquals(tokenizer.decodeBytes(ids), utf8(expected));
    }
  });

  testWith(model, `token by token, no character is ever broken: ${model.path.split("/").at(-1)}`, (tokenizer) => {
    const texts = ["é", "🏳️", "👨‍👩‍👧 und 𝓗", "नमस्ते", ...randomTexts(500, 20, 32)];
    for (const text of texts) {
      const decoder = tokenizer.decoder();
      const ids = tokenizer.encode(text, { missing: "replace", bos: false });
      const parts = Array.from(ids, (id) => decoder.push(id));
      const whole = parts.join("") + decoder.end();
      assertEquals(whole, tokenizer.decode(ids));
      for (const part of parts) {
        assertEquals(part.replaceAll("\ufffd", "") === part || text.includes("\ufffd"), true, text);
      }
    }
  });
}

for (const model of [smollm2, gemma3]) {
  testWith(model, `offsets say which bytes each token stands for: ${model.path.split("/").at(-1)}`, (tokenizer) => {
    for (const text of randomTexts(2000, 40, 33)) {
      if (text.includes("\u2581")) continue; // it comes back as a space
      const bytes = utf8(text);
      const { ids, offsets } = tokenizer.encodeWithOffsets(text, { bos: false });
      ids.forEach((id, at) => {
        assertEquals(tokenizer.bytes(id), bytes.slice(offsets[at], offsets[at + 1] ?? bytes.length), text);
      });
    }
  });
}

testWith(smollm2, "text that has been given is never changed by a later token", (tokenizer) => {
  const decoder = tokenizer.decoder();
  assertEquals([10813, 242, 218].map((id) => decoder.push(id)), ["", "", "😀"]);
  assertEquals(decoder.push(10813), "");
  assertEquals(decoder.end(), "\ufffd");
});

testWith(smollm2, "ids may be numbers, bigints or any list of them", (tokenizer) => {
  for (const ids of [[19556, 28], [19556n, 28n], Uint32Array.of(19556, 28), BigInt64Array.of(19556n, 28n)]) {
    assertEquals(tokenizer.decode(ids), "Hello,");
    assertEquals(tokenizer.decoder().push(ids), "Hello,");
  }
  assertEquals(tokenizer.decode([]), "");
});

testWith(smollm2, "control tokens are text only where that is asked for", (tokenizer) => {
  assertEquals(tokenizer.decode([1, 19556, 2]), "Hello");
  assertEquals(tokenizer.decode([1, 19556, 2], { skipSpecial: false }), "<|im_start|>Hello<|im_end|>");
  const decoder = tokenizer.decoder({ skipSpecial: false });
  assertEquals(decoder.push([1, 19556]) + decoder.end(), "<|im_start|>Hello");
});

testWith(gemma3, "a byte order mark is text like any other", (tokenizer) => {
  const text = "\ufeffa\ufeff";
  assertEquals(tokenizer.decode(tokenizer.encode(text)), text);
  const decoder = tokenizer.decoder();
  assertEquals(Array.from(tokenizer.encode(text), (id) => decoder.push(id)).join(""), text);
});

Deno.test("a piece is the text of one token, its bytes are a copy", () => {
  const tokenizer = createTokenizer(sourceOf(bytePairValues(["Ġ a"])));
  assertEquals(tokenizer.piece(256), " a");
  assertEquals(tokenizer.piece(0xc3), "\ufffd");
  tokenizer.bytes(256).fill(0);
  assertEquals([...tokenizer.bytes(256)], [0x20, 0x61]);
});

Deno.test("ids that are not in the vocabulary are named with their position and the limit", () => {
  const tokenizer = createTokenizer(sourceOf(bytePairValues([])));
  for (const id of [256, -1, 2 ** 32]) {
    assertThrows(
      () => tokenizer.decode([1, id]),
      RangeError,
      `id ${id} at position 1: the vocabulary has 256 tokens, use ids from 0 to 255`,
    );
    assertThrows(() => tokenizer.piece(id), RangeError, `Cannot decode id ${id}: the vocabulary has 256 tokens`);
  }
  assertThrows(() => tokenizer.decode([1.5]), RangeError, "id 1.5 at position 0: it is no integer");
  assertThrows(() => tokenizer.decode(["1"] as unknown as number[]), TypeError, "the id at position 0: it is a string");
  const decoder = tokenizer.decoder();
  decoder.push([1, 2]);
  assertThrows(() => decoder.push(300), RangeError, "id 300 at position 2");
});
