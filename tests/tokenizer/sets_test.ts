import { assertEquals } from "@std/assert";
import type { PreTokenizer } from "../../src/tokenizer/mod.ts";
import { preRules, stages } from "../../src/tokenizer/sets.ts";
import { patterns, splitByPatterns } from "./oracle.ts";
import { randomTexts, splitByScanners, utf8 } from "./support.ts";
import vectors from "./vectors.json" with { type: "json" };

const sets = Object.keys(stages) as PreTokenizer[];

for (const set of sets) {
  Deno.test(`the pre-tokenizer ${set} cuts 20,000 random texts as its regular expressions do`, () => {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    for (const text of randomTexts(20_000, 24, 7)) {
      const pieces = splitByScanners(utf8(text), set).map((piece) => decoder.decode(piece));
      assertEquals(pieces, splitByPatterns(text, patterns[set]), JSON.stringify(text));
    }
  });
}

for (
  const set of sets.filter((name) =>
    name !== "qwen35" && name !== "tekken" && name !== "deepseek-v3" && name !== "falcon"
  )
) {
  Deno.test(`the pre-tokenizer ${set} cuts the given texts into the given pieces`, () => {
    for (const { name, text, split: given } of vectors.cases) {
      if (text === undefined || !given) continue;
      const lengths = splitByScanners(utf8(text), set).map((piece) => piece.length);
      assertEquals(lengths, (given as Record<string, number[]>)[set] ?? given["gpt-2"], name);
    }
  });
}

Deno.test("every supported name of a pre-tokenizer means a set", () => {
  for (const [name, { set }] of preRules) assertEquals(sets.includes(set), true, name);
});
