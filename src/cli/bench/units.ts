import { count } from "../../units.ts";
import type { Spread } from "./measure.ts";

/** A time in three digits: `0.412`, `13.6`, `1,250`. */
export function digits(value: number): string {
  return value >= 100 ? count(Math.round(value)) : value.toPrecision(3);
}

/** A median and the middle half of the rounds: `1.31 (1.28 to 1.40)`. */
export function spreadText({ median, low, high }: Spread): string {
  return `${digits(median)} (${digits(low)} to ${digits(high)})`;
}
