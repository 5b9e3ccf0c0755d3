import type { Merger } from "./merger.ts";
import { NONE, PairTable } from "./pairs.ts";
import type { Symbols } from "./symbols.ts";
import type { TokenTable } from "./tokens.ts";
import { announcedLength, codePointAt, utf8Of } from "./utf8.ts";

/** How many pairs are kept; beyond, all are forgotten and found again. */
const MOST_PAIRS = 2 ** 16;

/** Symbols of sentence-piece vocabularies: characters, joined where their bytes together are a token, by its score. */
export class SentencePieces implements Symbols {
  readonly byteTokens: Int32Array;
  readonly #tokens: TokenTable;
  readonly #scores: ArrayLike<number>;
  /** Every score, the lowest first. */
  readonly #sorted: Float32Array;
  /** Pairs that were looked at. */
  readonly #pairs = new PairTable(MOST_PAIRS);
  /** The symbols of ASCII characters. */
  readonly #ascii = new Uint32Array(0x80);
  /** The bytes of a pair. */
  #both = new Uint8Array(64);

  constructor(tokens: TokenTable, scores: ArrayLike<number>, byteTokens: Int32Array) {
    this.byteTokens = byteTokens;
    this.#tokens = tokens;
    this.#scores = scores;
    this.#sorted = Float32Array.from(scores).sort();
    for (let byte = 0; byte < 0x80; byte++) this.#ascii[byte] = this.#symbolOf(Uint8Array.of(byte), 0, 1);
  }

  fill(merger: Merger, text: Uint8Array, start: number, end: number, most: number): number {
    let at = start;
    for (let count = 0; count < most && at < end; count++) {
      const first = text[at]!;
      const length = announcedLength(first);
      merger.append(first < 0x80 ? this.#ascii[first]! : this.#symbolOf(text, at, at + length), length);
      at += length;
    }
    return at;
  }

  bytesOf(symbol: number): Uint8Array {
    return utf8Of(symbol - this.#tokens.size);
  }

  find(left: number, right: number): number {
    const known = this.#pairs.find(left, right);
    const at = known < 0 ? this.#look(left, right) : known;
    return this.#pairs.rankAt(at) === NONE ? -1 : at;
  }

  rankAt(at: number): number {
    return this.#pairs.rankAt(at);
  }

  mergedAt(at: number): number {
    return this.#pairs.mergedAt(at);
  }

  /** The token of a character, or a symbol of its own. */
  #symbolOf(text: Uint8Array, start: number, end: number): number {
    const token = this.#tokens.find(text, start, end);
    return token >= 0 ? token : this.#tokens.size + codePointAt(text, start);
  }

  #look(left: number, right: number): number {
    if (this.#pairs.count === MOST_PAIRS) this.#pairs.clear();
    const token = this.#join(left, right);
    const rank = token < 0 ? NONE : this.#rankOf(this.#scores[token]!);
    return this.#pairs.add(left, right, rank, token);
  }

  /** The token of two symbols' bytes; -1 where there is none. */
  #join(left: number, right: number): number {
    const { size, longest } = this.#tokens;
    const leftBytes = left < size ? this.#tokens.bytesOf(left) : this.bytesOf(left);
    const rightBytes = right < size ? this.#tokens.bytesOf(right) : this.bytesOf(right);
    const length = leftBytes.length + rightBytes.length;
    if (length > longest) return -1;
    if (this.#both.length < length) this.#both = new Uint8Array(longest);
    this.#both.set(leftBytes);
    this.#both.set(rightBytes, leftBytes.length);
    return this.#tokens.find(this.#both, 0, length);
  }

  /** How many scores are higher. */
  #rankOf(score: number): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#sorted[middle]! <= score) low = middle + 1;
      else high = middle;
    }
    return this.#sorted.length - low;
  }
}
