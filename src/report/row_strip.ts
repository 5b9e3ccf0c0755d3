import { count } from "../units.ts";
import { type Html, markup } from "./html.ts";
import { drawing, item, pathOf, short } from "./marks.ts";

const WIDTH = 1000;
const TOP = 18;
const HEIGHT = 14;
/** Room that the label of a row needs. */
const LABEL = 56;
/** Rows that get a mark of their own; further ones share one. */
const SINGLE = 256;

/** A table from its first row to its last, with the chosen rows marked. */
export function drawRowStrip(rowCount: number, rows: readonly number[], title: (row: number) => string): Html {
  const distinct = [...new Set(rows)].sort((left, right) => left - right);
  const x = (row: number): number => row / Math.max(1, rowCount) * WIDTH;
  const tick = (row: number): string => `M${Math.round(x(row) * 2) / 2} ${TOP - 3}v${HEIGHT + 6}`;
  // At half a unit, where more marks could not be told apart, a million rows stay a short path.
  const rest = new Set(distinct.slice(SINGLE).map(tick));
  const description = `Places of ${count(distinct.length)} chosen rows among the table's ${count(rowCount)}`;
  return drawing(description, WIDTH, TOP + HEIGHT + 20, [
    markup`
      <path class="track" d="${pathOf([{ x: 0, y: TOP, width: WIDTH, height: HEIGHT }])}" />
    `,
    labels(distinct, x),
    markup`
      <g aria-hidden="true">
        <text x="0" y="${TOP + HEIGHT + 16}">row 0</text>
        <text x="${WIDTH}" y="${TOP + HEIGHT + 16}" class="end">row ${count(rowCount - 1)}</text>
      </g>
    `,
    ...distinct.slice(0, SINGLE).map((row) => item(tick(row), title(row), "mark")),
    ...(rest.size > 0 ? [item([...rest].join(""), `${count(distinct.length - SINGLE)} further rows`, "mark")] : []),
  ]);
}

/** The ids above the marks, as many as have room. */
function labels(rows: readonly number[], x: (row: number) => number): Html {
  const shown: Html[] = [];
  let last = -Infinity;
  for (const row of rows) {
    const at = x(row);
    if (at - last < LABEL) continue;
    last = at;
    const side = at < LABEL / 2 ? "" : at > WIDTH - LABEL / 2 ? "end" : "middle";
    shown.push(markup`<text x="${short(at)}" y="${TOP - 7}" class="strong ${side}">${count(row)}</text>`);
  }
  return markup`<g aria-hidden="true">${shown}</g>`;
}
