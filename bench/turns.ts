import { Timer, type Work } from "../src/cli/bench/measure.ts";

/** Takes the time of something: each call gives the microseconds of one run, measured over several. */
export type Timed = () => number | Promise<number>;

/** Why something cannot be measured here. */
export class Missing extends Error {}

/** What was measured: the microseconds of each round, or why there are none. */
export type Times = number[] | Missing;

/** What runs in this process, timed. */
export function here(work: Work): Timed {
  let timer: Timer | undefined;
  return () => (timer ??= new Timer(work)).measure();
}

/** What runs in this process and takes long enough for one run to be timed. */
export function single(run: () => unknown): Timed {
  return async () => {
    const begin = performance.now();
    await run();
    return (performance.now() - begin) * 1000;
  };
}

/**
 * Measures all in rounds, one after the other in each, so that whatever disturbs the machine disturbs them alike, and
 * another one first in each, because the first finds a core that has waited. A first round warms up and is not counted;
 * what is missing in it is left out of the others.
 */
export async function takeTurns<Name extends string>(
  contenders: Record<Name, Timed>,
  rounds: number,
): Promise<Record<Name, Times>> {
  const entries = Object.entries<Timed>(contenders);
  const times = new Map<string, Times>();
  for (const [name, timed] of entries) times.set(name, await orMissing(async () => (await timed(), [])));
  for (let round = 0; round < rounds; round++) {
    for (const turn of entries.keys()) {
      const [name, timed] = entries[(round + turn) % entries.length]!;
      const own = times.get(name)!;
      if (!(own instanceof Missing)) own.push(await timed());
    }
  }
  return Object.fromEntries(times) as Record<Name, Times>;
}

/** A single measurement, of what takes too long for several. */
export async function once(timed: Timed): Promise<Times> {
  return await orMissing(async () => [await timed()]);
}

async function orMissing(timed: () => Promise<Times>): Promise<Times> {
  try {
    return await timed();
  } catch (error) {
    if (error instanceof Missing) return error;
    throw error;
  }
}
