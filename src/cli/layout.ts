import { dim } from "./style.ts";

/** Which side of its column a cell stands on. */
export type Side = "left" | "right";

/**
 * Rows of cells in aligned columns, under a faint heading.
 *
 * @param heading The columns' names.
 * @param rows The cells; each row as long as the heading.
 * @param sides The side for each column.
 * @returns Lines, each with its line end.
 */
export function columns(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  sides: readonly Side[],
): string {
  const widths = heading.map((name, column) => longest([name, ...rows.map((row) => row[column]!)]));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, column) => align(cell, widths[column]!, sides[column]!)).join("  ").trimEnd();
  return [dim(line(heading)), ...rows.map(line)].map((text) => `  ${text}\n`).join("");
}

/**
 * Facts as aligned pairs; those without a value are left out.
 *
 * @returns Lines, each with its line end.
 */
export function facts(pairs: readonly (readonly [label: string, value: string | undefined])[]): string {
  const known = pairs.filter(([, value]) => value !== undefined);
  const width = longest(known.map(([label]) => label));
  return known.map(([label, value]) => `  ${dim(label.padEnd(width))}  ${value}\n`).join("");
}

function longest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, text.length), 0);
}

function align(text: string, width: number, side: Side): string {
  return side === "left" ? text.padEnd(width) : text.padStart(width);
}
