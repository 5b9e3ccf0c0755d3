import { digits } from "../src/cli/bench/units.ts";
import type { Spread } from "../src/cli/bench/measure.ts";
import { count } from "../src/units.ts";
import { isMet, type Result, type Wanted } from "./result.ts";
import type { Chart } from "./plot.ts";

/** One result in a line, the ratio first. */
export function lineOf(result: Result): string {
  const { what, against, ratio, ratioOf, wanted, ours, theirs, unit, note } = result;
  const met = isMet(result);
  const share = ratio
    ? `${ratioText(ratio.median)} (${ratioText(ratio.low)} to ${ratioText(ratio.high)})`
    : "no figure";
  const goal = wanted ? `${wantedText(wanted)} ${met === undefined ? "" : met ? "met" : "MISSED"}` : "";
  const figures = [ours && `${figure(ours)} ${unit}`, theirs && `${figure(theirs)} ${unit}`].filter(Boolean).join(
    " / ",
  );
  const relation = ratioOf === "ours / theirs" ? "cost beside" : "against";
  const subject = against === "" ? what : `${what}, ${relation} ${against}`;
  const text = [figures, note].filter(Boolean).join("; ");
  return `  ${share.padEnd(24)} ${goal.padEnd(15)} ${subject}${text === "" ? "" : `: ${text}`}`;
}

/** The figures of a chart as a table: a line a width, microseconds a row. */
export function tableOf({ widths, lines }: Chart): string {
  const cells = widths.map((width) => [
    count(width),
    ...lines.map(({ points }) => {
      const point = points.find((point) => point.width === width);
      return point ? digits(point.time.median) : "";
    }),
  ]);
  const heading = ["rows", ...lines.map(({ name }) => name)];
  const sizes = heading.map((name, column) => Math.max(name.length, ...cells.map((row) => row[column]!.length)));
  return [heading, ...cells]
    .map((row) => `  ${row.map((cell, column) => cell.padStart(sizes[column]!)).join("  ")}`)
    .join("\n");
}

/** A ratio in two decimals. */
export function ratioText(value: number): string {
  return `${value >= 100 ? count(Math.round(value)) : value.toFixed(2)}`;
}

/** A goal: `≥ 1.6`. */
export function wantedText(wanted: Wanted): string {
  return "atLeast" in wanted ? `≥ ${wanted.atLeast}` : `≤ ${wanted.atMost}`;
}

function figure({ median }: Spread): string {
  return digits(median);
}
