import { randomFactor, slotCount, slotOf } from "./hash.ts";

/** No merge. */
export const NONE = 0xffffffff;

const LEFT = 0;
const RIGHT = 1;
const RANK = 2;
const MERGED = 3;
const WORDS = 4;

const leftFactor = randomFactor();

/** What two neighbouring symbols merge into, and how early: a hash table with open addressing. */
export class PairTable {
  #entries: Uint32Array;
  #mask: number;
  #count = 0;

  /** @param count How many pairs are expected. */
  constructor(count: number) {
    const slots = slotCount(count);
    // A left symbol is kept + 1, so that 0 is a free slot.
    this.#entries = new Uint32Array(slots * WORDS);
    this.#mask = slots - 1;
  }

  /** How many pairs there are. */
  get count(): number {
    return this.#count;
  }

  /** Where a pair stands, for {@linkcode rankAt} and {@linkcode mergedAt}; -1 where it does not. */
  find(left: number, right: number): number {
    const at = this.#place(left, right);
    return this.#entries[at] === 0 ? -1 : at;
  }

  /** How early a pair merges: lower is earlier; `NONE` where it does not. */
  rankAt(at: number): number {
    return this.#entries[at + RANK]!;
  }

  /** The symbol that a pair merges into. */
  mergedAt(at: number): number {
    return this.#entries[at + MERGED]!;
  }

  /** Adds a pair that is not there; one that is stays as it is. */
  add(left: number, right: number, rank: number, merged: number): number {
    const at = this.#place(left, right);
    if (this.#entries[at] !== 0) return at;
    this.#entries[at + LEFT] = left + 1;
    this.#entries[at + RIGHT] = right;
    this.#entries[at + RANK] = rank;
    this.#entries[at + MERGED] = merged;
    this.#count++;
    return at;
  }

  /** Forgets every pair. */
  clear(): void {
    this.#entries.fill(0);
    this.#count = 0;
  }

  #place(left: number, right: number): number {
    let slot = slotOf(Math.imul(left, leftFactor) + right, this.#mask);
    for (;; slot = (slot + 1) & this.#mask) {
      const at = slot * WORDS;
      const entry = this.#entries[at]!;
      if (entry === 0 || entry === left + 1 && this.#entries[at + RIGHT] === right) return at;
    }
  }
}
