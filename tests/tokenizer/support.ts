/** Tokenizers of the real models, and what the tests of the tokenizer share. */
import { Model } from "../../mod.ts";
import { createTokenizer, type PreTokenizer, type Tokenizer } from "../../src/tokenizer/mod.ts";
import { stages } from "../../src/tokenizer/sets.ts";
import type { TestModel } from "../support/models.ts";

/** The tokenizer of a model file. */
export async function tokenizerOf(path: string): Promise<Tokenizer> {
  using model = await Model.open(path);
  return createTokenizer(model.metadata);
}

/** A test with the tokenizer of a real model; ignored, with the reason, where that is not installed. */
export function testWith(model: TestModel, name: string, run: (tokenizer: Tokenizer) => void | Promise<void>): void {
  Deno.test({
    name: model.available ? name : `${name} (${model.reason})`,
    ignore: !model.available,
    fn: async () => await run(await shared(model)),
  });
}

const opened = new Map<string, Promise<Tokenizer>>();

function shared(model: TestModel): Promise<Tokenizer> {
  const known = opened.get(model.path) ?? tokenizerOf(model.path);
  opened.set(model.path, known);
  return known;
}

/** Bytes written as hexadecimal digits. */
export function hex(digits: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(digits.match(/../g) ?? [], (byte) => parseInt(byte, 16));
}

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** The pieces that the scanners of a set make, in the way of the encoder. */
export function splitByScanners(text: Uint8Array, set: PreTokenizer): Uint8Array[] {
  let pieces = [text];
  for (const scan of stages[set]) {
    pieces = pieces.flatMap((piece) => {
      const parts: Uint8Array[] = [];
      for (let at = 0, stop = 0; at < piece.length; at = stop) {
        stop = scan(piece, at, piece.length);
        parts.push(piece.subarray(at, stop));
      }
      return parts;
    });
  }
  return pieces;
}

/** Random integers below a limit, the same in every run. */
export function randomIntegers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** Parts of random texts: characters of every class that a pre-tokenizer tells apart, and what it looks for. */
const samples: readonly string[] = [
  ..."aabcdefghilmorstuvxyzABCDEIKMNORSTVZ",
  ..."0123456789٣५²½Ⅳ〇",
  ..."   \t\n\n\r\v\f\u0085\u00a0\u1680\u2003\u2028\u202f\u3000",
  ..."''''.,!?;:-_/\\()[]{}<>=+*&^%$#@~`|\"¿«»…—、。！",
  ..."éàüñßſÉÀÜÇÑİıǅʰªº",
  ..."жЩабЯΣσλΩא",
  ..."\u0301\u0308\u0940\u094d\u20dd\ufe0f",
  ..."नमसतेहिকমقمرحبا한국日本語世界ひらカタナーㄅ龥龦",
  ..."€¥©™±×√≤∞➜😀🫨🦙🏳🇩",
  ..."\u0000\u0007\u001b\u007f\u00ad\u200b\u200d\u200e\u2060\ufeff\ufffd\ue000",
  ..."𝓗𐌰𒀀𝟗",
  "'s",
  "'re",
  "'VE",
  "'Ll",
  "'ſ",
  "'d",
  "\r\n",
  "\n\n",
  "    ",
  " a",
  " 1",
  " .",
  ".\n",
  "!/\n",
  "123",
  "4567",
  "helloWorld",
  "HTTPServer",
  "ÉCOLE",
  "don't",
  "<b>",
  "▁",
];

/** Random texts of up to `most` samples. */
export function* randomTexts(count: number, most: number, seed: number): Generator<string> {
  const random = randomIntegers(seed);
  for (let at = 0; at < count; at++) {
    let text = "";
    // Texts of few different parts have longer runs.
    const variety = random(4) === 0 ? 1 + random(5) : samples.length;
    const first = random(samples.length);
    for (let length = random(most + 1); length > 0; length--) {
      text += samples[(first + random(variety)) % samples.length];
    }
    yield text;
  }
}
