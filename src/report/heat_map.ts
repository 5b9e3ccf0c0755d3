import { count } from "../units.ts";
import { type Html, markup, oneLine } from "./html.ts";
import { drawing, item, pathOf, short, valueText } from "./marks.ts";
import { pngAddress } from "./png.ts";
import { quantile, type RowStatistics } from "./statistics.ts";

/** Rows that a heat map shows, at most. */
export const SHOWN_ROWS = 128;
/** Cells of a row, at most. */
const CELLS = 512;
const LEFT = 150;
const WIDTH = 850;
/** Letters of a row's label. */
const LETTERS = 22;
/** The part of the cells whose values the colours tell apart; those beyond have the end's colour. */
const COVERED = 0.99;
/** Numbers of colours: 0 to 254 from negative over zero to positive, then what is no finite number. */
const [ZERO, ODD] = [127, 255];

/** Blue for negative values, orange for positive ones; the nearer to zero, the more of the paper shows through. */
const palette = Array.from({ length: 256 }, (_, index): [number, number, number, number] => {
  if (index === ODD) return [128, 128, 128, 255];
  const [red, green, blue] = index < ZERO ? [40, 104, 184] : [206, 92, 8];
  return [red!, green!, blue!, Math.round(Math.abs(index - ZERO) / ZERO * 255)];
});

/** Rows as what a heat map draws. */
export interface HeatRows {
  /** The values, `[rows, columns]` row by row. */
  values: ArrayLike<number>;
  columns: number;
  /** A label for each row. */
  labels: readonly string[];
  statistics: readonly RowStatistics[];
}

/** A heat map: a line a row, and in it a cell for one or more columns. */
export function drawHeatMap({ values, columns, labels, statistics }: HeatRows): Html {
  const rows = values.length / columns;
  const merged = Math.ceil(columns / CELLS);
  const cells = mergeColumns(values, columns, merged);
  const limit = quantile(Float64Array.from(cells.filter(Number.isFinite), Math.abs), COVERED);
  const perRow = Math.ceil(columns / merged);
  const pitch = Math.min(18, Math.max(5, 640 / rows));
  const image = pngAddress(perRow, Uint8Array.from(cells, (value) => colourOf(value, limit)), palette);
  const width = short(WIDTH * perRow * merged / columns); // the last cell may stand for fewer columns
  const description = `Heat map of ${count(rows)} rows of ${count(columns)} values`;
  return markup`${
    drawing(description, LEFT + WIDTH, rows * pitch + 24, [
      markup`<image x="${LEFT}" y="0" width="${width}" height="${
        short(rows * pitch)
      }" preserveAspectRatio="none" href="${image}"
  aria-hidden="true"/>`,
      rowLabels(labels, pitch),
      columnAxis(columns, rows * pitch),
      ...statistics.map((row, index) => {
        const path = pathOf([{ x: LEFT, y: index * pitch, width: WIDTH, height: pitch }]);
        return item(path, rowTitle(labels[index]!, row), "hit");
      }),
    ])
  }${legend(limit, merged, statistics.some(({ odd }) => odd > 0))}`;
}

/** The value of the largest magnitude in each run of columns: a mean would hide what stands out. */
function mergeColumns(values: ArrayLike<number>, columns: number, merged: number): Float32Array {
  const perRow = Math.ceil(columns / merged);
  return Float32Array.from({ length: values.length / columns * perRow }, (_, cell) => {
    const first = Math.floor(cell / perRow) * columns;
    const start = first + cell % perRow * merged;
    let found = values[start]!;
    for (let at = start + 1; at < Math.min(start + merged, first + columns); at++) {
      if (!(Math.abs(values[at]!) <= Math.abs(found))) found = values[at]!;
    }
    return found;
  });
}

function colourOf(value: number, limit: number): number {
  if (!Number.isFinite(value)) return ODD;
  if (limit === 0) return value === 0 ? ZERO : value < 0 ? 0 : ODD - 1;
  return Math.round(Math.max(-1, Math.min(1, value / limit)) * ZERO) + ZERO;
}

/** A row's label, and in a second line its norm and range. */
export function rowTitle(label: string, { norm, least, greatest, odd }: RowStatistics): string {
  const range = least <= greatest ? `, values ${valueText(least)} to ${valueText(greatest)}` : "";
  return `${oneLine(label)}\nnorm ${valueText(norm)}${range}${odd > 0 ? `, ${count(odd)} not finite` : ""}`;
}

function rowLabels(labels: readonly string[], pitch: number): Html {
  const every = Math.ceil(12 / pitch);
  const shown = labels.map((label, index) => {
    const letters = [...oneLine(label)];
    const text = letters.length > LETTERS ? letters.slice(0, LETTERS - 1).join("") + "…" : label;
    const y = short((index + 0.5) * pitch + 4);
    return index % every === 0 && markup`<text x="${LEFT - 8}" y="${y}" class="end">${oneLine(text)}</text>`;
  });
  return markup`<g aria-hidden="true">${shown}</g>`;
}

function columnAxis(columns: number, y: number): Html {
  const step = 2 ** Math.max(0, Math.ceil(Math.log2(columns / 8)));
  const ticks = Array.from({ length: Math.ceil(columns / step) }, (_, index) => {
    const x = short(LEFT + index * step / columns * WIDTH);
    return markup`
      <path class="axis" d="M${x} ${short(y)}v5" />
      <text x="${x}" y="${short(y + 17)}" class="${index > 0 && "middle"}">${
      index === 0 ? "column 0" : count(index * step)
    }</text>
    `;
  });
  return markup`<g aria-hidden="true">${ticks}</g>`;
}

function legend(limit: number, merged: number, odd: boolean): Html {
  const scale = pngAddress(255, Uint8Array.from({ length: 255 }, (_, index) => index), palette);
  const bound = valueText(limit);
  const merging = merged > 1 && `A cell stands for ${merged} columns and shows the value of the largest magnitude. `;
  return markup`<p>−${bound} <img src="${scale}" width="200" height="10" alt="blue for negative, orange for positive values">
${bound}. ${merging}${limit > 0 && "Values beyond have the end's colour. "}${odd && "Grey: not finite."}</p>`;
}
