import { NONE } from "./pairs.ts";

/** Tells which neighbours merge. */
export interface Pairs {
  /** Where a pair stands; -1 where it does not merge. */
  find(left: number, right: number): number;
  rankAt(at: number): number;
  mergedAt(at: number): number;
}

/** From how many symbols on a heap is quicker than looking through all of them for the earliest merge. */
const HEAP_FROM = 24;
/** What a rank is multiplied by to stand before a place in one exact number. */
const PLACES = 2 ** 32;

/**
 * Joins neighbouring symbols while any two merge: always the pair with the lowest rank, the leftmost of several.
 */
export class Merger {
  /** How many symbols there are. */
  count = 0;
  /** The symbols: appended before `merge`, what is left of them after. */
  symbols: Uint32Array = new Uint32Array(64);
  /** Bytes of text of each symbol. */
  lengths: Uint32Array = new Uint32Array(64);
  readonly #pairs: Pairs;
  #next = new Int32Array(64);
  #previous = new Int32Array(64);
  /** Of each symbol and the one after it. */
  #ranks = new Uint32Array(64);
  #merged = new Uint32Array(64);
  /** Ranks and places of pairs, the earliest first; pairs that have changed since are passed over. */
  #heap = new Float64Array(64);
  #heapSize = 0;

  constructor(pairs: Pairs) {
    this.#pairs = pairs;
  }

  /** Adds a symbol that stands for `length` bytes of text. */
  append(symbol: number, length: number): void {
    if (this.count === this.symbols.length) this.#grow();
    this.symbols[this.count] = symbol;
    this.lengths[this.count++] = length;
  }

  #grow(): void {
    const size = this.symbols.length * 2;
    this.symbols = enlarged(this.symbols, new Uint32Array(size));
    this.lengths = enlarged(this.lengths, new Uint32Array(size));
    this.#next = new Int32Array(size);
    this.#previous = new Int32Array(size);
    this.#ranks = new Uint32Array(size);
    this.#merged = new Uint32Array(size);
  }

  /** Merges the symbols. */
  merge(): void {
    const { count } = this;
    if (count < 2) return;
    for (let at = 0; at < count; at++) {
      this.#next[at] = at + 1 < count ? at + 1 : -1;
      this.#previous[at] = at - 1;
    }
    for (let at = 0; at < count; at++) this.#look(at);
    if (count < HEAP_FROM) this.#mergeBySearch();
    else this.#mergeByHeap();
    this.count = 0;
    for (let at = 0; at !== -1; at = this.#next[at]!) {
      this.symbols[this.count] = this.symbols[at]!;
      this.lengths[this.count++] = this.lengths[at]!;
    }
  }

  #mergeBySearch(): void {
    for (;;) {
      let best = -1;
      let rank = NONE;
      for (let at = 0; at !== -1; at = this.#next[at]!) {
        if (this.#ranks[at]! < rank) rank = this.#ranks[best = at]!;
      }
      if (best < 0) return;
      const previous = this.#join(best);
      this.#look(best);
      if (previous !== -1) this.#look(previous);
    }
  }

  #mergeByHeap(): void {
    this.#heapSize = 0;
    for (let at = 0; at < this.count; at++) this.#push(at);
    while (this.#heapSize > 0) {
      const key = this.#pop();
      const rank = Math.floor(key / PLACES);
      const at = key - rank * PLACES;
      if (this.#ranks[at] !== rank) continue;
      const previous = this.#join(at);
      this.#look(at);
      this.#push(at);
      if (previous === -1) continue;
      this.#look(previous);
      this.#push(previous);
    }
  }

  /** Joins the symbol at `at` with the next; gives the one before. */
  #join(at: number): number {
    const right = this.#next[at]!;
    const after = this.#next[right]!;
    this.symbols[at] = this.#merged[at]!;
    this.lengths[at] = this.lengths[at]! + this.lengths[right]!;
    this.#ranks[right] = NONE;
    this.#next[at] = after;
    if (after !== -1) this.#previous[after] = at;
    return this.#previous[at]!;
  }

  /** Notes what the symbol at `at` and the next one merge into. */
  #look(at: number): void {
    const right = this.#next[at]!;
    const pair = right === -1 ? -1 : this.#pairs.find(this.symbols[at]!, this.symbols[right]!);
    this.#ranks[at] = pair < 0 ? NONE : this.#pairs.rankAt(pair);
    if (pair >= 0) this.#merged[at] = this.#pairs.mergedAt(pair);
  }

  #push(place: number): void {
    const rank = this.#ranks[place]!;
    if (rank === NONE) return;
    if (this.#heapSize === this.#heap.length) {
      this.#heap = enlarged(this.#heap, new Float64Array(this.#heapSize * 2));
    }
    const key = rank * PLACES + place;
    const heap = this.#heap;
    let at = this.#heapSize++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]! <= key) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = key;
  }

  #pop(): number {
    const heap = this.#heap;
    const top = heap[0]!;
    const key = heap[--this.#heapSize]!;
    const size = this.#heapSize;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= key) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = key;
    return top;
  }
}

function enlarged<Numbers extends Uint32Array | Float64Array>(numbers: Numbers, larger: Numbers): Numbers {
  larger.set(numbers);
  return larger;
}
