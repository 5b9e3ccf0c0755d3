import { count, plural } from "../units.ts";
import { type Html, markup } from "./html.ts";
import { drawing, item, pathOf, short, valueText } from "./marks.ts";
import { quantile } from "./statistics.ts";

const [LEFT, TOP, WIDTH, HEIGHT] = [44, 14, 940, 140];
/** Bars, at least and at most. */
const [FEW, MANY] = [8, 48];

interface Bin {
  from: number;
  to: number;
  rows: number;
}

/** A histogram of the norms of rows; those that are not finite are left out and counted. */
export function drawHistogram(norms: readonly number[]): Html {
  const finite = Float64Array.from(norms.filter(Number.isFinite));
  if (finite.length === 0) return markup`<p>No row has a finite norm.</p>`;
  const median = quantile(finite, 0.5); // sorts them
  const bins = binsOf(finite);
  const description = `Histogram of the norms of ${plural(finite.length, "row")}`;
  const left = norms.length - finite.length;
  return markup`${
    drawing(description, LEFT + WIDTH + 16, TOP + HEIGHT + 24, [
      axes(bins),
      ...bins.map((bin, index) => bar(bin, index, bins)),
    ])
  }<p>Norms from ${valueText(finite[0]!)} to ${valueText(finite.at(-1)!)}, median ${valueText(median)}.${
    left > 0 && ` Not finite and left out: ${plural(left, "row")}.`
  }</p>`;
}

function binsOf(sorted: Float64Array): Bin[] {
  const [least, greatest] = [sorted[0]!, sorted.at(-1)!];
  const wanted = Math.min(MANY, Math.max(FEW, Math.ceil(2 * Math.sqrt(sorted.length))));
  const width = (greatest - least) / wanted;
  if (!(width > 0)) return [{ from: least, to: greatest, rows: sorted.length }];
  const bins = Array.from({ length: wanted }, (_, index): Bin => ({
    from: least + index * width,
    to: least + (index + 1) * width,
    rows: 0,
  }));
  for (const norm of sorted) bins[Math.min(wanted - 1, Math.floor((norm - least) / width))]!.rows += 1;
  return bins;
}

function bar({ from, to, rows }: Bin, index: number, bins: readonly Bin[]): Html {
  const most = Math.max(...bins.map((bin) => bin.rows));
  const width = WIDTH / bins.length;
  const height = rows / most * HEIGHT;
  const box = { x: LEFT + index * width + 0.5, y: TOP + HEIGHT - height, width: width - 1, height };
  return item(pathOf([box]), `${plural(rows, "row")}\nnorm ${valueText(from)} to ${valueText(to)}`, "bar");
}

function axes(bins: readonly Bin[]): Html {
  const most = Math.max(...bins.map((bin) => bin.rows));
  const y = TOP + HEIGHT;
  const places = bins.length === 1 ? [0.5] : [0, 0.25, 0.5, 0.75, 1];
  const [from, to] = [bins[0]!.from, bins.at(-1)!.to];
  const labels = places.map((part) =>
    markup`<text x="${short(LEFT + part * WIDTH)}" y="${y + 18}" class="middle">${
      valueText(from + part * (to - from))
    }</text>`
  );
  return markup`<g aria-hidden="true"><path class="axis" d="M${LEFT} ${TOP}h${WIDTH}M${LEFT} ${y + 0.5}h${WIDTH}"/>
<text x="${LEFT - 8}" y="${TOP + 4}" class="end">${count(most)}</text>
<text x="${LEFT - 8}" y="${y}" class="end">0</text>${labels}</g>`;
}
