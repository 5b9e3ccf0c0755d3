import { type Spread, spread } from "../src/cli/bench/measure.ts";
import { Missing, type Times } from "./turns.ts";

/** What a ratio has to be, at least or at most. */
export type Wanted = { atLeast: number } | { atMost: number };

/** One comparison, or one figure. */
export interface Result {
  /** Such as "Q4_K, one row in cache". */
  what: string;
  /** What it is compared with. */
  against: string;
  /** Times as fast as the peer, or whatever `ratioOf` says. */
  ratio?: Spread;
  /** What the ratio is of: "theirs / ours", "ours / theirs". */
  ratioOf?: "theirs / ours" | "ours / theirs";
  wanted?: Wanted;
  ours?: Spread;
  theirs?: Spread;
  /** Of both figures. */
  unit: string;
  /** What there is to know, or why there is no figure. */
  note?: string;
}

/** How two times compare; a ratio is the median of those of each round, because rounds differ more than ratios. */
export function compare(
  facts: Pick<Result, "what" | "against" | "wanted" | "note">,
  ours: Times,
  theirs: Times,
  ratioOf: NonNullable<Result["ratioOf"]> = "theirs / ours",
): Result {
  const own = timesOf(ours);
  const other = timesOf(theirs);
  const note = [facts.note, reasonOf(ours), reasonOf(theirs)].filter((text) => text !== undefined).join("; ");
  const result: Result = {
    ...facts,
    unit: "µs",
    ...own && { ours: spread(own) },
    ...other && { theirs: spread(other) },
    ...note !== "" && { note },
  };
  if (!own || !other) return result;
  const ratios = own.map((time, round) => ratioOf === "theirs / ours" ? other[round]! / time : time / other[round]!);
  return { ...result, ratio: spread(ratios), ratioOf };
}

/** The same with a peer that was measured once. */
export function compareOnce(facts: Parameters<typeof compare>[0], ours: Times, theirs: Times): Result {
  return compare(
    facts,
    ours,
    ours instanceof Missing || theirs instanceof Missing ? theirs : ours.map(() => theirs[0]!),
  );
}

/** Whether a result is what is wanted; `undefined` where nothing is, or where it was not measured. */
export function isMet({ ratio, wanted }: Result): boolean | undefined {
  if (!ratio || !wanted) return undefined;
  return "atLeast" in wanted ? ratio.median >= wanted.atLeast : ratio.median <= wanted.atMost;
}

/** A single figure that is known exactly. */
export function exactly(value: number): Spread {
  return { median: value, low: value, high: value };
}

function timesOf(times: Times): number[] | undefined {
  return times instanceof Missing ? undefined : times;
}

function reasonOf(times: Times): string | undefined {
  return times instanceof Missing ? times.message : undefined;
}
