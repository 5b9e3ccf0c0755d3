/** Something to be timed; `turn` counts its runs. */
export type Work = (turn: number) => void;

/** How long something takes: the median of the rounds, and between what the middle half of them lies. */
export interface Spread {
  median: number;
  low: number;
  high: number;
}

/** Times that each work is measured. */
export const ROUNDS = 15;
/** Milliseconds that a work runs at least each time. */
const TURN = 4;

/** Microseconds of one run of each work. The works take turns, so that what disturbs the machine disturbs all. */
export function measure(works: readonly Work[]): Spread[] {
  const timers = works.map((work) => new Timer(work));
  const times = timers.map(() => new Array<number>());
  for (let round = 0; round < ROUNDS; round++) timers.forEach((timer, index) => times[index]!.push(timer.measure()));
  return times.map(spread);
}

/** Runs a work as often as a turn lasts; each run of it has a number of its own. */
export class Timer {
  readonly #work: Work;
  readonly #runs: number;
  #turn = 0;

  /**
   * @param work Runs for a turn, to find out how long it takes.
   */
  constructor(work: Work) {
    this.#work = work;
    this.#time(1); // the first run is far slower than any other
    const end = performance.now() + TURN;
    let least = Infinity;
    do least = Math.min(least, this.#time(1)); while (performance.now() < end);
    this.#runs = Math.ceil(TURN * 1000 / Math.max(least, 0.01));
  }

  /** Microseconds of one run. */
  measure(): number {
    this.#time(this.#runs); // what ran before has taken the caches, and a core that waited is a slow one
    return this.#time(this.#runs);
  }

  #time(runs: number): number {
    const begin = performance.now();
    for (const end = this.#turn + runs; this.#turn < end; this.#turn++) this.#work(this.#turn);
    return (performance.now() - begin) * 1000 / runs;
  }
}

/** The median and the quartiles of some values. */
export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))]!;
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

/** The same in another unit. */
export function scaled({ median, low, high }: Spread, factor: number): Spread {
  return { median: median * factor, low: low * factor, high: high * factor };
}
