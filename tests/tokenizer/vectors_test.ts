/** The given texts with the ids that llama.cpp gives for the two real models. */
import { assertEquals, assertThrows } from "@std/assert";
import { MuserError } from "../../mod.ts";
import type { EncodeOptions, Tokenizer } from "../../src/tokenizer/mod.ts";
import { gemma3, smollm2 } from "../support/models.ts";
import { hex, testWith } from "./support.ts";
import vectors from "./vectors.json" with { type: "json" };

type Given = number[] | string | { hex: string } | null | undefined;

interface Case {
  readonly name: string;
  readonly input: string | Uint8Array;
  /** Ids with all special tokens found as they are written, and with user-defined ones only. */
  readonly all: number[] | null;
  readonly user: number[] | null;
  /** What llama.cpp gives back where that is not the text. */
  readonly back: Given;
}

function casesOf(model: "smollm2" | "gemma3"): Case[] {
  return vectors.cases.map((given) => {
    const values = given as unknown as Record<string, Given>;
    const all = values[model] as number[] | null;
    return {
      name: given.name,
      input: given.text ?? hex(given.utf8!),
      all,
      user: values[`${model}Plain`] as number[] | undefined ?? all,
      back: values[`${model}Back`],
    };
  });
}

function assertIds(tokenizer: Tokenizer, { name, input, all, user }: Case, options: EncodeOptions): void {
  assertEquals([...tokenizer.encode(input, { ...options, bos: false, special: "all" })], all, name);
  assertEquals([...tokenizer.encode(input, { ...options, bos: false })], user, name);
}

for (const [name, model] of Object.entries({ smollm2, gemma3 }) as ["smollm2" | "gemma3", typeof smollm2][]) {
  const cases = casesOf(name);
  const texts = cases.filter(({ input }) => typeof input === "string");
  const bytes = cases.filter(({ input, all }) => typeof input !== "string" && all);

  testWith(model, `${name}: every given text has the given ids`, (tokenizer) => {
    for (const given of texts) assertIds(tokenizer, given, {});
  });

  testWith(model, `${name}: every given text comes back, but for U+2581 in sentence-piece text`, (tokenizer) => {
    for (const { name, input, all, user, back } of texts) {
      assertEquals(tokenizer.decode(all!, { skipSpecial: false }), back ?? input, name);
      assertEquals(tokenizer.decode(user!), back ?? input, name);
    }
  });

  testWith(model, `${name}: bytes that are not UTF-8 are reported with their value and offset`, (tokenizer) => {
    for (const { name, input } of cases.filter(({ input }) => typeof input !== "string")) {
      const error = assertThrows(() => tokenizer.encode(input), MuserError, "is not valid UTF-8");
      assertEquals(error.code, "tokenizer", name);
      const [, value, offset] = error.message.match(/byte 0x(..) at offset (\d+)/)!;
      assertEquals((input as Uint8Array)[Number(offset)], parseInt(value!, 16), name);
    }
  });

  testWith(model, `${name}: kept, they have the given ids and come back where llama.cpp loses nothing`, (tokenizer) => {
    for (const given of bytes.filter(({ back }) => !back)) {
      assertIds(tokenizer, given, { invalid: "keep" });
      assertEquals(tokenizer.decodeBytes(given.all!), given.input as Uint8Array, given.name);
    }
  });
}

testWith(smollm2, "smollm2: replaced, they have the ids that llama.cpp gives for U+FFFD", (tokenizer) => {
  const replaced = casesOf("smollm2").filter(({ back }) => typeof back === "string" && back.includes("\ufffd"));
  assertEquals(replaced.length, 6);
  for (const given of replaced) {
    assertIds(tokenizer, given, { invalid: "replace" });
    assertEquals(tokenizer.decode(given.all!), given.back, given.name);
  }
});

for (const [name, model] of Object.entries({ smollm2, gemma3 })) {
  testWith(model, `${name}: where llama.cpp merges or drops bytes, replaced ones come back as U+FFFD`, (tokenizer) => {
    const lost = casesOf(name as "smollm2").filter(({ input, back, all }) =>
      typeof input !== "string" && (back || !all)
    );
    for (const { name, input } of lost) {
      const text = [
        ...new TextDecoder().decode(tokenizer.decodeBytes(tokenizer.encode(input, { invalid: "replace" }))),
      ];
      assertEquals(text.includes("\ufffd"), true, name);
      const kept = tokenizer.encode(input, { invalid: "keep", missing: "replace" });
      assertEquals(kept.length > 0, true, name);
    }
  });
}
