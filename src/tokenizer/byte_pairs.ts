import { decodeAlphabet } from "./alphabet.ts";
import type { Merger } from "./merger.ts";
import { PairTable } from "./pairs.ts";
import { fault, type SourceTexts } from "./source.ts";
import type { Symbols } from "./symbols.ts";
import type { TokenTable } from "./tokens.ts";

const SPACE = 0x20;

/** Symbols of byte-pair vocabularies: bytes, joined by a list of merges. */
export class BytePairs extends PairTable implements Symbols {
  readonly byteTokens: Int32Array = new Int32Array(0x100);
  readonly #tokens: TokenTable;
  /** Bytes of the symbols that are no tokens; their numbers follow the last token's. */
  readonly #others: Uint8Array[] = [];
  readonly #otherIds = new Map<string, number>();
  readonly #byteSymbols = new Uint32Array(0x100);

  /**
   * @param merges Two texts each with a space between, the earliest merge first.
   * @throws {MuserError} `vocabulary` where one has no space.
   */
  constructor(tokens: TokenTable, merges: SourceTexts) {
    super(merges.length);
    this.#tokens = tokens;
    const byte = new Uint8Array(1);
    for (let value = 0; value < 0x100; value++) {
      byte[0] = value;
      this.byteTokens[value] = tokens.find(byte, 0, 1);
      this.#byteSymbols[value] = this.#symbolOf(byte, 0, 1);
    }
    this.#addMerges(merges);
  }

  #addMerges({ bytes, starts, lengths, length }: SourceTexts): void {
    const both = new Uint8Array(lengths.reduce((most, count) => Math.max(most, count), 0));
    for (let rank = 0; rank < length; rank++) {
      const start = starts[rank]!;
      const end = start + lengths[rank]!;
      // The left text may itself begin with a space.
      const space = bytes.indexOf(SPACE, start + 1);
      if (space < 0 || space >= end) {
        throw fault("merges", `has no space between two texts at ${rank}, use a file with sound merges`);
      }
      const middle = decodeAlphabet(bytes, start, space, both, 0);
      const stop = middle < 0 ? -1 : decodeAlphabet(bytes, space + 1, end, both, middle);
      // Characters that stand for no byte never come up in a text.
      if (stop < 0) continue;
      this.add(
        this.#symbolOf(both, 0, middle),
        this.#symbolOf(both, middle, stop),
        rank,
        this.#symbolOf(both, 0, stop),
      );
    }
  }

  /** The token of these bytes, or a symbol of their own. */
  #symbolOf(bytes: Uint8Array, start: number, end: number): number {
    const token = this.#tokens.find(bytes, start, end);
    if (token >= 0) return token;
    const key = bytes.subarray(start, end).join();
    const known = this.#otherIds.get(key);
    if (known !== undefined) return known;
    const symbol = this.#tokens.size + this.#others.length;
    this.#others.push(bytes.slice(start, end));
    this.#otherIds.set(key, symbol);
    return symbol;
  }

  fill(merger: Merger, text: Uint8Array, start: number, end: number, most: number): number {
    const stop = Math.min(end, start + most);
    for (let at = start; at < stop; at++) merger.append(this.#byteSymbols[text[at]!]!, 1);
    return stop;
  }

  bytesOf(symbol: number): Uint8Array {
    return this.#others[symbol - this.#tokens.size]!;
  }
}
