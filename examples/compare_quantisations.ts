// Compares the same table of two model files row by row, such as two quantisations of one model: how far is each row
// of the second from that of the first, as a part of its length? Prints a summary and a histogram of these errors,
// and writes the histogram as SVG where a file is named.
//
//   deno run --allow-read=FIRST,SECOND --allow-write=SVG --allow-ffi=LIBRARY examples/compare_quantisations.ts FIRST SECOND [SVG]
//
// LIBRARY is the native library: .muser/lib/libMuser.so in a checkout, libMuser.dylib on a Mac.
import { Model, type Table } from "@muser/engine";

const CHUNK = 1024;
const BARS = 20;

const [firstPath, secondPath, svgPath] = Deno.args;
if (firstPath === undefined || secondPath === undefined) {
  console.error("compare_quantisations.ts FIRST SECOND [SVG]");
  Deno.exit(2);
}

using first = await Model.open(firstPath);
using second = await Model.open(secondPath);
const [left, right] = [first.table(), second.table()];
if (left.columns !== right.columns) {
  console.error(
    `Cannot compare rows of ${left.columns} values with rows of ${right.columns}: use two files of one model`,
  );
  Deno.exit(1);
}
const errors = rowErrors(left, right);
const worst = errors.indexOf(errors.reduce((most, error) => Math.max(most, error), 0));
const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
console.log(`${errors.length} rows of ${left.columns} values, ${left.type} and ${right.type}`);
console.log(`mean error ${percent(mean)}, largest ${percent(errors[worst] ?? 0)} (row ${worst})\n`);
const bars = histogram(errors);
const most = Math.max(...bars.map(({ rows }) => rows));
for (const { from, rows } of bars) {
  console.log(`${percent(from).padStart(9)} ${"█".repeat(Math.ceil(rows / most * 40))} ${rows}`);
}
if (svgPath !== undefined) await Deno.writeTextFile(svgPath, drawing(bars, most));

/** The length of each row's difference, divided by the length of the first table's row; 0 where both rows are zero. */
function rowErrors(left: Table, right: Table): Float64Array {
  const errors = new Float64Array(Math.min(left.rowCount, right.rowCount));
  for (let at = 0; at < errors.length; at += CHUNK) {
    const ids = Array.from({ length: Math.min(CHUNK, errors.length - at) }, (_, i) => at + i);
    const [a, b] = [left.rows(ids), right.rows(ids)];
    for (const [row, id] of ids.entries()) errors[id] = relativeError(a, b, row * left.columns, left.columns);
  }
  return errors;
}

function relativeError(a: Float32Array, b: Float32Array, begin: number, columns: number): number {
  let difference = 0;
  let squares = 0;
  for (let i = begin; i < begin + columns; i++) {
    difference += (a[i]! - b[i]!) ** 2;
    squares += a[i]! ** 2;
  }
  return difference === 0 ? 0 : Math.sqrt(difference / squares);
}

/** How many finite errors there are in each of equal parts, from the smallest to the largest. */
function histogram(errors: Float64Array): { from: number; rows: number }[] {
  const finite = errors.filter(Number.isFinite);
  const [low, high] = finite.reduce(([low, high], x) => [Math.min(low, x), Math.max(high, x)], [Infinity, -Infinity]);
  const width = (high - low) / BARS || 1;
  const bars = Array.from({ length: BARS }, (_, i) => ({ from: low + i * width, rows: 0 }));
  for (const error of finite) bars[Math.min(BARS - 1, Math.floor((error - low) / width))]!.rows++;
  return bars;
}

function drawing(bars: { from: number; rows: number }[], most: number): string {
  const shapes = bars.map(({ from, rows }, i) => {
    const height = rows / most * 200;
    const title = `<title>${percent(from)} and more: ${rows} rows</title>`;
    return `<rect x="${20 + i * 28}" y="${220 - height}" width="24" height="${height}" fill="#4269d0">${title}</rect>`;
  });
  const label = `Errors from ${percent(bars[0]!.from)} to ${percent(bars.at(-1)!.from)} and more`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 250" role="img" aria-label="${label}">
<rect width="600" height="250" fill="white"/>
${shapes.join("\n")}
<text x="20" y="242" font-family="sans-serif" font-size="12">${label}</text>
</svg>
`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(3)} %`;
}
