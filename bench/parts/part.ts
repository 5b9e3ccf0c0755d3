import type { Chart } from "../plot.ts";
import type { Place } from "../place.ts";
import type { Result } from "../result.ts";

/** A part of the benchmark. */
export interface Part {
  /** For `--only`. */
  name: string;
  /** What is measured, above its results. */
  title: string;
  /** Measures; gives each result as soon as it is there. */
  run(place: Place): AsyncIterable<Result | Chart>;
}
