/**
 * Everything that we say about speed, measured on this machine in one run: `scripts/bench`.
 *
 * Usage: main.ts [--json FILE] [--plot FOLDER] [--only PART]… [--quick] [--ggml LIBRARY]
 * @module
 */
import { parseArgs } from "node:util";
import { count } from "../src/units.ts";
import { devices } from "../mod.ts";
import { cached } from "./parts/cached.ts";
import { cuda } from "./parts/cuda.ts";
import { memory } from "./parts/memory.ts";
import { open } from "./parts/open.ts";
import type { Part } from "./parts/part.ts";
import { start } from "./parts/start.ts";
import { sweep } from "./parts/sweep.ts";
import { typescript } from "./parts/typescript.ts";
import { wide } from "./parts/wide.ts";
import { withPlace } from "./place.ts";
import { type Chart, toSVG } from "./plot.ts";
import { lineOf, tableOf } from "./report.ts";
import { isMet, type Result } from "./result.ts";

const parts: readonly Part[] = [cached, wide, typescript, sweep, open, start, memory, cuda];

const { values: options } = parseArgs({
  args: Deno.args,
  options: {
    json: { type: "string" },
    plot: { type: "string" },
    only: { type: "string", multiple: true },
    quick: { type: "boolean", default: false },
    ggml: { type: "string" },
  },
});
const chosen = parts.filter(({ name }) => options.only?.includes(name) ?? true);
if (chosen.length === 0) throw new Error(`Cannot measure: there is no such part, use ${parts.map(({ name }) => name)}`);

const begin = new Date();
const machine = describeMachine();
console.log(machine.text);
const results: (Result & { part: string })[] = [];
const charts: Chart[] = [];
await withPlace({ quick: options.quick, ggml: options.ggml }, async (place) => {
  for (const part of chosen) {
    console.log(`\n${part.title}`);
    for await (const item of part.run(place)) {
      if ("lines" in item) charts.push(item);
      else results.push({ part: part.name, ...item });
      console.log("lines" in item ? tableOf(item) : lineOf(item));
    }
  }
});
sum();
if (options.plot !== undefined) await plot(options.plot);
if (options.json !== undefined) {
  const { facts } = machine;
  const report = { begin, seconds: (Date.now() - begin.getTime()) / 1000, machine: facts, results, charts };
  await Deno.writeTextFile(options.json, JSON.stringify(report, undefined, 2) + "\n");
}

function sum(): void {
  const wanted = results.filter(({ wanted }) => wanted !== undefined);
  const missed = wanted.filter((result) => isMet(result) === false);
  const unknown = wanted.filter((result) => isMet(result) === undefined);
  console.log(`\n${wanted.length - missed.length - unknown.length} of ${wanted.length} goals met`);
  for (const { part, what, against } of missed) console.log(`  missed: ${part}, ${what}, beside ${against}`);
  for (const { part, what, against } of unknown) console.log(`  not measured: ${part}, ${what}, beside ${against}`);
  const load = Deno.loadavg()[0]!;
  if (load > 1.5) {
    console.log(`The machine has had other work meanwhile (load ${load.toFixed(1)}): figures are disturbed.`);
  }
}

async function plot(folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  for (const chart of charts) await Deno.writeTextFile(`${folder}/${chart.name}.svg`, toSVG(chart));
}

function describeMachine(): { text: string; facts: unknown } {
  const memory = Deno.systemMemoryInfo();
  const cpu = devices().find(({ name }) => name === "cpu")!;
  const facts = {
    cpu: processor(),
    cores: navigator.hardwareConcurrency,
    memory: memory.total,
    library: cpu.detail,
    deno: Deno.version.deno,
    system: `${Deno.build.os} ${Deno.osRelease()}`,
    load: Deno.loadavg(),
    devices: devices().map(({ name, available, detail, reason }) => ({ name, available, detail, reason })),
  };
  const text = `${facts.cpu}, ${facts.cores} cores, ${count(Math.round(facts.memory / 2 ** 30))} GiB; ${cpu.detail}\n` +
    "Medians of interleaved rounds, in brackets the middle half of the ratios; times are ours / theirs.";
  return { text, facts };
}

function processor(): string {
  try {
    return /^model name\s*: (.*)$/m.exec(Deno.readTextFileSync("/proc/cpuinfo"))?.[1] ?? Deno.build.arch;
  } catch {
    return Deno.build.arch;
  }
}
