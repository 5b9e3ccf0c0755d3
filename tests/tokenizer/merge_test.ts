/** Merges against a slow way of merging that is easy to see through. */
import { assertEquals } from "@std/assert";
import { createTokenizer } from "../../src/tokenizer/mod.ts";
import { randomIntegers } from "./support.ts";
import { bytePairValues, sentencePieceValues, sourceOf, type TinyValues } from "./tiny.ts";

/** Joins the first of the neighbours that merge earliest, until none do. */
function mergeSlowly(
  symbols: readonly string[],
  rankOf: (left: string, right: string) => number | undefined,
): string[] {
  let left = [...symbols];
  for (;;) {
    let best = -1;
    let lowest = Infinity;
    for (let at = 0; at + 1 < left.length; at++) {
      const rank = rankOf(left[at]!, left[at + 1]!);
      if (rank !== undefined && rank < lowest) [best, lowest] = [at, rank];
    }
    if (best < 0) return left;
    left = [...left.slice(0, best), left[best]! + left[best + 1]!, ...left.slice(best + 2)];
  }
}

/** Random merges over a few letters, each of texts that earlier ones built. */
function randomMerges(random: (limit: number) => number, count: number): string[] {
  const texts = ["a", "b", "c", "d"];
  const merges = new Set<string>();
  while (merges.size < count) {
    const [left, right] = [texts[random(texts.length)]!, texts[random(texts.length)]!];
    if (left.length + right.length > 12) continue;
    merges.add(`${left} ${right}`);
    texts.push(left + right);
  }
  return [...merges];
}

function randomLetters(random: (limit: number) => number, length: number): string {
  return Array.from({ length }, () => "abcd"[random(4)]).join("");
}

Deno.test("byte pairs merge as the slow way does, for short texts and for long ones", () => {
  const random = randomIntegers(3);
  for (let round = 0; round < 60; round++) {
    const merges = randomMerges(random, 1 + random(60));
    const values = bytePairValues(merges);
    const tokens = values.tokens as string[];
    const ranks = new Map(merges.map((merge, rank) => [merge, rank]));
    const tokenizer = createTokenizer(sourceOf(values));
    for (const length of [1, 2, 5, 23, 24, 60, 300]) {
      const text = randomLetters(random, length);
      const expected = mergeSlowly([...text], (left, right) => ranks.get(`${left} ${right}`));
      assertEquals([...tokenizer.encode(text)].map((id) => tokens[id]), expected, `${merges} of ${text}`);
    }
  }
});

Deno.test("sentence pieces merge as the slow way does, with equal scores and with characters that are no tokens", () => {
  const random = randomIntegers(4);
  for (let round = 0; round < 60; round++) {
    const pieces = new Map<string, number>();
    const letters = ["a", "b", "é", "世"];
    // One letter is no token by itself, and can only be reached through longer ones.
    for (const letter of letters.slice(1)) pieces.set(letter, -random(50));
    for (let count = random(50); count > 0; count--) {
      const piece = Array.from({ length: 2 + random(4) }, () => letters[random(4)]).join("");
      pieces.set(piece, -random(8));
    }
    const values: TinyValues = { ...sentencePieceValues([...pieces]), add_space_prefix: false };
    const tokenizer = createTokenizer(sourceOf(values));
    const tokens = values.tokens as string[];
    for (const length of [1, 2, 5, 30, 200]) {
      const text = Array.from({ length }, () => letters[random(4)]).join("");
      const merged = mergeSlowly([...text], (left, right) => {
        const score = pieces.get(left + right);
        return score === undefined ? undefined : -score;
      });
      const expected = merged.flatMap((piece) => piece === "a" ? ["<0x61>"] : [piece]);
      assertEquals([...tokenizer.encode(text, { bos: false })].map((id) => tokens[id]), expected, text);
    }
  }
});

Deno.test("a piece of many windows merges as a whole", () => {
  const random = randomIntegers(5);
  const merges = randomMerges(random, 40);
  const values = bytePairValues(merges);
  const tokens = values.tokens as string[];
  const ranks = new Map(merges.map((merge, rank) => [merge, rank]));
  const tokenizer = createTokenizer(sourceOf(values));
  for (const text of [randomLetters(random, 6000), "a".repeat(4501), "ab".repeat(2600)]) {
    const expected = mergeSlowly([...text], (left, right) => ranks.get(`${left} ${right}`));
    assertEquals([...tokenizer.encode(text)].map((id) => tokens[id]), expected);
  }
});

Deno.test("a piece whose first merge depends on its last character merges as a whole", () => {
  // Pairs of neighbours merge from the right, so whether the first character is alone depends on the length.
  const characters = Array.from({ length: 9001 }, (_, at) => String.fromCodePoint(0x4e00 + at));
  const pieces = characters.slice(1).map((right, at): [string, number] => [characters[at]! + right, at]);
  const tokenizer = createTokenizer(sourceOf({ ...sentencePieceValues(pieces), add_space_prefix: false }));
  for (const length of [9000, 9001]) {
    const text = characters.slice(0, length).join("");
    const ids = tokenizer.encode(text, { bos: false });
    assertEquals(ids.length, length % 2 === 0 ? length / 2 : (length - 1) / 2 + 3);
    assertEquals(tokenizer.decode(ids), text);
  }
});

Deno.test("a merge whose result is no token is written as the bytes of its text", () => {
  const values = bytePairValues(["a b", "ab c"]);
  const tokens = (values.tokens as string[]).filter((token) => token !== "ab" && token !== "abc");
  const tokenizer = createTokenizer(sourceOf({ model: "gpt2", pre: "gpt-2", tokens, merges: values.merges! }));
  assertEquals([...tokenizer.encode("abc")].map((id) => tokens[id]), ["a", "b", "c"]);
});

Deno.test("with a pre-tokenizer that ignores merges, a piece that is a token is not merged", () => {
  const values = bytePairValues(["b c"], [["Ġabc", 1]]);
  const ids = (pre: string) => [...createTokenizer(sourceOf({ ...values, pre })).encode(" abc", { bos: false })];
  assertEquals(ids("llama-bpe"), [257]);
  assertEquals(ids("dbrx").length, 3);
});

Deno.test("a merge may begin with a space, and one of unknown characters does nothing", () => {
  const values = bytePairValues(["a b"]);
  const merges = ["  b", "世 界", ...values.merges as string[]];
  assertEquals([...createTokenizer(sourceOf({ ...values, merges })).encode("ab")], [256]);
});
