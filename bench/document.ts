/**
 * Puts measured figures into docs/performance.md, where `<!-- begin NAME -->` and `<!-- end NAME -->` stand:
 * `deno run -A bench/document.ts NAME REPORT.json PART…` with what `scripts/bench --json REPORT.json` wrote.
 * @module
 */
import { digits } from "../src/cli/bench/units.ts";
import { ratioText, wantedText } from "./report.ts";
import { isMet, type Result } from "./result.ts";

interface Report {
  begin: string;
  machine: { cpu: string; cores: number; library: string; load: number[]; devices: { name: string; detail: string }[] };
  results: (Result & { part: string })[];
}

const page = new URL("../docs/performance.md", import.meta.url);
const [name, path, ...parts] = Deno.args;
if (name === undefined || path === undefined || parts.length === 0) {
  throw new Error("Cannot document: say what, deno run -A bench/document.ts NAME REPORT.json PART…");
}
const text = await Deno.readTextFile(page);
const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`];
const [before, rest] = split(text, begin);
const [, after] = split(rest, end);
const report: Report = JSON.parse(await Deno.readTextFile(path));
await Deno.writeTextFile(page, `${before}${begin}\n\n${body(report)}\n${end}${after}`);

function split(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`Cannot document ${name}: docs/performance.md has no "${mark}", add it`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

function body({ begin, machine, results }: Report): string {
  const { cpu, cores, library, devices, load } = machine;
  const gpu = parts.includes("cuda") ? devices.find(({ name }) => name === "cuda")?.detail : undefined;
  const place = `${begin.slice(0, 10)}, ${gpu ?? `${cpu}, ${cores} cores, ${library}`}, load ${
    load[0]!.toFixed(1)
  } before.`;
  const rows = results.filter(({ part }) => parts.includes(part)).map(row);
  return [
    place,
    "",
    "| ratio | middle half | goal | what | ours / theirs |",
    "| --: | --: | --: | --- | --: |",
    ...rows,
    "",
  ]
    .join("\n");
}

function row(result: Result): string {
  const { ratio, wanted, what, against, ratioOf, ours, theirs, unit, note } = result;
  const met = isMet(result);
  const goal = wanted ? `${wantedText(wanted)}${met === undefined ? "" : met ? " met" : " **missed**"}` : "";
  const relation = ratioOf === "ours / theirs" ? "cost beside" : "against";
  const figures = [ours, theirs].filter((spread) => spread !== undefined).map(({ median }) => digits(median)).join(
    " / ",
  );
  const cells = [
    ratio ? ratioText(ratio.median) : "",
    ratio ? `${ratioText(ratio.low)} to ${ratioText(ratio.high)}` : "",
    goal,
    `${against === "" ? what : `${what}, ${relation} ${against}`}${note ? ` (${note})` : ""}`,
    figures === "" ? "not measured" : `${figures} ${unit}`,
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
