import type { Spread } from "../src/cli/bench/measure.ts";
import { digits } from "../src/cli/bench/units.ts";
import { count } from "../src/units.ts";

/** The cost of a row against the number of rows, for several ways to them. */
export interface Chart {
  /** Name of the file. */
  name: string;
  title: string;
  widths: number[];
  lines: Line[];
  /** Which of the lines is the limit. */
  limit: string;
}

/** One way to the rows. */
export interface Line {
  name: string;
  points: Point[];
}

/** Microseconds a row at one width. */
export interface Point {
  width: number;
  time: Spread;
}

const SIZE = { width: 860, height: 480 };
const PLOT = { left: 64, top: 56, right: 600, bottom: 428 };
/** Space between two names. */
const LINE_HEIGHT = 18;
/** Space for a number below the plot. */
const LABEL_WIDTH = 60;
/** Told apart by people who see fewer colours, on white and on black. */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9"];

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #222; }
  .title { font-size: 16px; font-weight: 600; }
  .grid { stroke: #ddd; } .limit { stroke: #222; stroke-dasharray: 6 4; }
  .line { fill: none; stroke-width: 2; } .band { opacity: 0.15; stroke: none; }
  .paper { fill: #fff; }
  @media (prefers-color-scheme: dark) {
    text { fill: #ddd; } .grid { stroke: #444; } .limit { stroke: #ddd; } .paper { fill: #161616; }
  }`;

/** A place on a logarithmic axis. */
type Scale = (value: number) => number;

/** Draws the chart as SVG, both axes logarithmic; the bands are the middle half of the rounds. */
export function toSVG(chart: Chart): string {
  const all = chart.lines.flatMap(({ points }) => points);
  const [first, last] = [Math.min(...chart.widths), Math.max(...chart.widths)];
  const least = floorOf(Math.min(...all.map(({ time }) => time.low)));
  const most = ceilingOf(Math.max(...all.map(({ time }) => time.high)));
  const x = scale(first, last, PLOT.left, PLOT.right);
  const y = scale(least, most, PLOT.bottom, PLOT.top);
  const lines = chart.lines.filter(({ points }) => points.length > 0);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" role="img">
<title>${escaped(chart.title)}</title>
<style>${STYLE}</style>
<rect class="paper" width="100%" height="100%"/>
<text class="title" x="${PLOT.left}" y="24">${escaped(chart.title)}</text>
<text x="${PLOT.left}" y="44">microseconds a row; less is better</text>
${axes(chart.widths, y, x, least, most)}
${lines.map((line, index) => drawn(line, colour(chart, line, index), x, y)).join("\n")}
${names(chart, lines, y)}
</svg>
`;
}

function axes(widths: readonly number[], y: Scale, x: Scale, least: number, most: number): string {
  const across = steps(least, most).map((value) =>
    `<path class="grid" d="M${PLOT.left} ${at(y(value))}H${PLOT.right}"/>` +
    `<text x="${PLOT.left - 8}" y="${at(y(value) + 4)}" text-anchor="end">${plain(value)}</text>`
  );
  let free = 0;
  const up = widths.map((width) => {
    const place = x(width);
    const line = `<path class="grid" d="M${at(place)} ${PLOT.top}V${PLOT.bottom}"/>`;
    if (place < free) return line; // its number would stand on the one before
    free = place + LABEL_WIDTH;
    return `${line}<text x="${at(place)}" y="${PLOT.bottom + 20}" text-anchor="middle">${count(width)}</text>`;
  });
  const label = `<text x="${(PLOT.left + PLOT.right) / 2}" y="${
    PLOT.bottom + 42
  }" text-anchor="middle">rows at once</text>`;
  return [...across, ...up, label].join("\n");
}

function drawn({ points }: Line, colour: string | undefined, x: Scale, y: Scale): string {
  const path = (part: (point: Point) => number, from: readonly Point[]): string =>
    from.map((point) => `${at(x(point.width))} ${at(y(part(point)))}`).join("L");
  const band = `M${path(({ time }) => time.high, points)}L${path(({ time }) => time.low, points.toReversed())}Z`;
  const line = `<path class="line${colour ? "" : " limit"}"${colour ? ` stroke="${colour}"` : ""} d="M${
    path(({ time }) => time.median, points)
  }"/>`;
  return colour ? `<path class="band" fill="${colour}" d="${band}"/>\n${line}` : line;
}

/** The names beside the ends of their lines, moved apart where those are close. */
function names(chart: Chart, lines: readonly Line[], y: Scale): string {
  const ends = lines.map((line, index) => ({ line, index, at: y(line.points.at(-1)!.time.median) }))
    .toSorted((left, right) => left.at - right.at);
  const places = spreadOut(ends.map(({ at }) => at));
  return ends.map(({ line, index }, order) => {
    const place = places[order]!;
    const own = colour(chart, line, index);
    const mark = `<path class="line${own ? "" : " limit"}"${own ? ` stroke="${own}"` : ""} d="M${PLOT.right + 10} ${
      at(place)
    }h18"/>`;
    const text = `${line.name}, ${digits(line.points.at(-1)!.time.median)}`;
    return `${mark}<text x="${PLOT.right + 34}" y="${at(place + 4)}">${escaped(text)}</text>`;
  }).join("\n");
}

/** Places at least a line's height apart, none below the plot. */
function spreadOut(wanted: readonly number[]): number[] {
  const places = [...wanted];
  for (let index = 1; index < places.length; index++) {
    places[index] = Math.max(places[index]!, places[index - 1]! + LINE_HEIGHT);
  }
  let most = PLOT.bottom;
  for (let index = places.length - 1; index >= 0; index--) {
    places[index] = Math.min(places[index]!, most);
    most = places[index]! - LINE_HEIGHT;
  }
  return places;
}

function colour(chart: Chart, { name }: Line, index: number): string | undefined {
  return name === chart.limit ? undefined : COLOURS[index % COLOURS.length];
}

function scale(first: number, last: number, from: number, to: number): Scale {
  const span = Math.log(last / first) || 1;
  return (value) => from + Math.log(value / first) / span * (to - from);
}

/** The powers of ten, and twice and five times each, between two of them. */
function steps(least: number, most: number): number[] {
  const values: number[] = [];
  for (let power = 10 ** Math.floor(Math.log10(least)); power <= most; power *= 10) {
    values.push(...[1, 2, 5].map((factor) => factor * power));
  }
  return values.filter((value) => value >= least * 0.999 && value <= most * 1.001);
}

function floorOf(value: number): number {
  return steps(value / 10, value).at(-1) ?? value;
}

function ceilingOf(value: number): number {
  return steps(value, value * 10)[0] ?? value;
}

function at(place: number): string {
  return place.toFixed(1);
}

function plain(value: number): string {
  return `${Number(value.toPrecision(3))}`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
