import { equalBytes } from "./hash.ts";
import type { DecodeRules } from "./decoder.ts";
import { CONTROL, type TokenTable, UNKNOWN, USER_DEFINED } from "./tokens.ts";

/** Takes a part of a text: a special token, or what lies between (-1). */
export type Visit = (token: number, start: number, end: number) => void;

/**
 * Finds tokens in a text as they are written: the longest first wherever they lie, of equally long ones the one with
 * the lowest id, from left to right.
 */
export class SpecialSplitter {
  readonly #tokens: TokenTable;
  /** Bytes of the longest of them. */
  readonly longest: number = 0;
  // A tree of the texts: node n has the byte #byte[n], its first child #child[n], and further nodes beside it.
  readonly #byte: number[] = [0];
  readonly #child: number[] = [0];
  readonly #beside: number[] = [0];
  /** The token whose text ends at a node, -1 for none. */
  readonly #token: number[] = [-1];
  /** The node of each first byte, 0 for none. */
  readonly #first = new Uint32Array(0x100);
  /** Tokens that were met in the last cluster, and by node the last cluster in which it was met. */
  #met: number[] = [];
  readonly #meetings: Uint32Array;
  #cluster = 0;

  constructor(tokens: TokenTable, ids: readonly number[]) {
    this.#tokens = tokens;
    for (const id of ids) {
      const bytes = tokens.bytesOf(id);
      if (bytes.length === 0) continue;
      this.longest = Math.max(this.longest, bytes.length);
      let node = this.#first[bytes[0]!] ||= this.#node(bytes[0]!);
      for (const byte of bytes.subarray(1)) node = this.#childOf(node, byte) || this.#grow(node, byte);
      this.#token[node] = id;
    }
    this.#meetings = new Uint32Array(this.#token.length);
  }

  #node(byte: number): number {
    this.#child.push(0);
    this.#beside.push(0);
    this.#token.push(-1);
    return this.#byte.push(byte) - 1;
  }

  #grow(parent: number, byte: number): number {
    const node = this.#node(byte);
    this.#beside[node] = this.#child[parent]!;
    return this.#child[parent] = node;
  }

  #childOf(parent: number, byte: number): number {
    let node = this.#child[parent]!;
    while (node !== 0 && this.#byte[node] !== byte) node = this.#beside[node]!;
    return node;
  }

  /** Visits every part of a text in order. */
  split(text: Uint8Array, start: number, end: number, visit: Visit): void {
    let rest = start;
    for (let at = start; at < end;) {
      const token = this.#first[text[at]!] === 0 ? -1 : this.#longestAt(text, at, end);
      if (token < 0) {
        at++;
        continue;
      }
      if (rest < at) visit(-1, rest, at);
      rest = this.#clusterEnd(text, at, end);
      // One that is all of the cluster is the longest.
      if (rest === at + this.#tokens.lengths[token]!) visit(token, at, rest);
      else this.#resolve(text, at, rest, visit);
      at = rest;
    }
    if (rest < end) visit(-1, rest, end);
  }

  /** Whether a token that begins from `start` on and before `at` ends after it. */
  spans(text: Uint8Array, at: number, start: number, end: number): boolean {
    for (let begin = Math.max(start, at - this.longest + 1); begin < at; begin++) {
      const token = this.#longestAt(text, begin, end);
      if (token >= 0 && begin + this.#tokens.lengths[token]! > at) return true;
    }
    return false;
  }

  /** The longest token at `at`, -1 for none; all of them are met. */
  #longestAt(text: Uint8Array, at: number, end: number): number {
    let longest = -1;
    let node = this.#first[text[at]!]!;
    for (let next = at + 1; node !== 0; next++) {
      const token = this.#token[node]!;
      if (token >= 0) {
        longest = token;
        if (this.#meetings[node] !== this.#cluster) {
          this.#meetings[node] = this.#cluster;
          this.#met.push(token);
        }
      }
      if (next === end) break;
      node = this.#childOf(node, text[next]!);
    }
    return longest;
  }

  /** Where the tokens end that overlap one another, the first of them at `start`; they are those that are met. */
  #clusterEnd(text: Uint8Array, start: number, limit: number): number {
    this.#cluster++;
    this.#met = [];
    let end = start + 1;
    for (let at = start; at < end; at++) {
      const token = this.#first[text[at]!] === 0 ? -1 : this.#longestAt(text, at, limit);
      if (token >= 0) end = Math.max(end, at + this.#tokens.lengths[token]!);
    }
    return end;
  }

  /** Visits the parts of a cluster. */
  #resolve(text: Uint8Array, start: number, end: number, visit: Visit): void {
    const { lengths } = this.#tokens;
    const tokens = this.#met.sort((left, right) => lengths[right]! - lengths[left]! || left - right);
    const found: Part[] = [];
    let rests: Part[] = [{ token: -1, start, end }];
    for (const token of tokens) rests = rests.flatMap((rest) => this.#cut(text, rest, token, found));
    const parts = [...found, ...rests].sort((left, right) => left.start - right.start);
    for (const part of parts) visit(part.token, part.start, part.end);
  }

  /** Cuts every occurrence of a token out of a part, and gives what is left. */
  #cut(text: Uint8Array, part: Part, token: number, found: Part[]): Part[] {
    const bytes = this.#tokens.bytesOf(token);
    const rests: Part[] = [];
    let { start } = part;
    for (let at = start; at + bytes.length <= part.end;) {
      if (!equalBytes(text, at, bytes, 0, bytes.length)) {
        at++;
        continue;
      }
      if (start < at) rests.push({ token: -1, start, end: at });
      start = at + bytes.length;
      found.push({ token, start: at, end: start });
      at = start;
    }
    if (start < part.end) rests.push({ token: -1, start, end: part.end });
    return rests;
  }
}

interface Part {
  token: number;
  start: number;
  end: number;
}

/** The tokens that are found in a text as they are written. */
export function specialTokens({ tokens, kinds }: DecodeRules, special: "none" | "user" | "all"): number[] {
  const ids: number[] = [];
  kinds.forEach((kind, id) => {
    const control = kind === CONTROL || kind === UNKNOWN;
    const user = kind === USER_DEFINED && tokens.mergeable[id] === 0;
    if (control && special === "all" || user && special !== "none") ids.push(id);
  });
  return ids;
}
