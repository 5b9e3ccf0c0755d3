import type { Merger, Pairs } from "./merger.ts";

/**
 * What the pieces of a text are merged from: tokens by their ids, and above them symbols that are no tokens.
 */
export interface Symbols extends Pairs {
  /** The token of each byte, -1 where there is none. */
  readonly byteTokens: Int32Array;
  /**
   * Appends at most `most` symbols of the text to a merger.
   *
   * @returns Where in the text it stopped.
   */
  fill(merger: Merger, text: Uint8Array, start: number, end: number, most: number): number;
  /** The bytes of a symbol that is no token. */
  bytesOf(symbol: number): Uint8Array;
}
