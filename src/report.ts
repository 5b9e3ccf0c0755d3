/**
 * Pictures of a model file: where its tensors lie, and what the rows of a table look like. HTML and SVG without scripts
 * of others, fonts or anything else from elsewhere.
 *
 * @example Write a report
 * ```ts
 * import { Model } from "@muser/engine";
 * import { report } from "@muser/engine/report";
 *
 * using model = await Model.open(".muser/models/smollm2.gguf", { device: "cpu" });
 * const page = report(model, { rows: [0, 42, 7] });
 * console.log(page.length); // Deno.writeTextFile("report.html", page)
 * ```
 *
 * @module
 */
import type { Ids } from "./ids.ts";
import type { Model } from "./model.ts";
import { chooseRows, type ChosenRows, labelsOf, tableOf } from "./report/chosen_rows.ts";
import { drawHeatMap, SHOWN_ROWS } from "./report/heat_map.ts";
import { drawHistogram } from "./report/histogram.ts";
import { markup, oneLine } from "./report/html.ts";
import { page } from "./report/page.ts";
import { Picture } from "./report/picture.ts";
import { factsSection, mapSection, rowsSection } from "./report/sections.ts";
import { rowStatistics } from "./report/statistics.ts";

export { Picture } from "./report/picture.ts";
export type { Html } from "./report/html.ts";

/** Options of {@linkcode report} and {@linkcode fileMap}. */
export interface ReportOptions {
  /** The rows to show; where they are left out, 32 that are spread evenly over the table. */
  rows?: Ids;
  /** The table that they are rows of, `token_embd.weight` where left out. */
  tensor?: string;
}

/** Options of {@linkcode heatMap}. */
export interface HeatMapOptions {
  /** What each row is called; its number where left out. */
  labels?: readonly string[];
}

/**
 * A page about a model: facts, a map of the file with every tensor to scale, and of the chosen rows their places, a
 * heat map and a histogram of norms. It works without a network, with keyboard and screen reader, in light, dark and
 * print. About 330 kB for a model of 731 tensors.
 *
 * @param model The model.
 * @param options Which rows to show.
 * @returns The page, a whole HTML document.
 * @throws {TypeError} As {@linkcode Table.rows}.
 * @throws {RangeError} As {@linkcode Table.rows}.
 * @throws {MuserError} As {@linkcode Model.table} and {@linkcode Table.rows}; `tensor` where there are `rows` and no
 * table.
 */
export function report(model: Model, options: ReportOptions = {}): string {
  const chosen = choose(model, options);
  const name = model.metadata.get("general.name");
  const title = typeof name === "string" && name !== "" ? name : model.path.slice(model.path.lastIndexOf("/") + 1);
  return page(oneLine(title), oneLine(model.path), [
    factsSection(model, chosen),
    mapSection(model, chosen),
    ...(chosen ? [rowsSection(chosen)] : []),
  ]);
}

/**
 * The map of a model's file: every tensor to scale and coloured by type, the table and the chosen rows marked.
 *
 * @param model The model.
 * @param options Which rows to mark.
 * @returns The map, which shows itself in a notebook.
 * @throws {TypeError} As {@linkcode report}.
 * @throws {RangeError} As {@linkcode report}.
 * @throws {MuserError} As {@linkcode report}.
 */
export function fileMap(model: Model, options: ReportOptions = {}): Picture {
  return new Picture(`Map of ${model.path}`, mapSection(model, choose(model, options)));
}

/**
 * A heat map of rows: blue for negative, orange for positive values. Of more than 512 columns several share a cell,
 * which shows the value of the largest magnitude among them; of more than 128 rows the first are drawn.
 *
 * @param values The values, `[rows, columns]` row by row, as from {@linkcode Table.rows}.
 * @param columns Values a row.
 * @param options What the rows are called.
 * @returns The heat map, which shows itself in a notebook.
 * @throws {RangeError} The values are no whole rows, or there are not as many labels as rows.
 *
 * @example The vectors of two tokens
 * ```ts
 * import { Model } from "@muser/engine";
 * import { heatMap } from "@muser/engine/report";
 *
 * using model = await Model.open(".muser/models/smollm2.gguf", { device: "cpu" });
 * const picture = heatMap(model.embed([42, 7]), 576, { labels: ["42", "7"] });
 * console.log(picture.html.length);
 * ```
 */
export function heatMap(values: ArrayLike<number>, columns: number, options: HeatMapOptions = {}): Picture {
  const rows = rowsOf(values, columns);
  const { labels = Array.from({ length: rows }, (_, row) => String(row)) } = options;
  if (labels.length !== rows) {
    throw new RangeError(`Cannot label ${rows} rows: there are ${labels.length} labels, give one for each`);
  }
  const shown = Math.min(rows, SHOWN_ROWS);
  const first: number[] = Array.prototype.slice.call(values, 0, shown * columns);
  const statistics = rowStatistics(first, columns);
  const body = markup`<figure>${
    drawHeatMap({ values: first, columns, labels: labels.slice(0, shown), statistics })
  }</figure>`;
  return new Picture(`Heat map of ${rows} rows of ${columns} values`, body);
}

/**
 * A histogram of the norms (Euclidean lengths) of rows.
 *
 * @param values The values, `[rows, columns]` row by row, as from {@linkcode Table.rows}.
 * @param columns Values a row.
 * @returns The histogram, which shows itself in a notebook.
 * @throws {RangeError} The values are no whole rows.
 */
export function normHistogram(values: ArrayLike<number>, columns: number): Picture {
  const rows = rowsOf(values, columns);
  const norms = rowStatistics(values, columns).map(({ norm }) => norm);
  return new Picture(`Histogram of the norms of ${rows} rows`, markup`<figure>${drawHistogram(norms)}</figure>`);
}

function choose(model: Model, { rows, tensor }: ReportOptions): ChosenRows | undefined {
  // Rows without a table are an error that says so.
  const table = rows === undefined ? tableOf(model, tensor) : model.table(tensor);
  return table && chooseRows(table, rows, labelsOf(model, table));
}

function rowsOf(values: ArrayLike<number>, columns: number): number {
  if (Number.isInteger(columns) && columns > 0 && values.length > 0 && values.length % columns === 0) {
    return values.length / columns;
  }
  throw new RangeError(
    `Cannot draw ${values.length} values in rows of ${columns}: they are no whole rows, pass the table's columns`,
  );
}
