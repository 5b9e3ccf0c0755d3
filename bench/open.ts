/**
 * What opening a file with a 13 MB header costs, beside one plain pass over the header's bytes and beside the `gguf`
 * package: `scripts/bench [--json FILE]`. Every time is the median of several runs in this one process, the file being
 * in the page cache.
 * @module
 */
import { Model } from "../mod.ts";
import { museGlimmer } from "../tests/support/artifact.ts";
import { runPython } from "../tests/support/oracle.ts";
import { fileURLToPath } from "node:url";

const RUNS = 21;
const path = await museGlimmer();

interface Result {
  what: string;
  milliseconds: number;
  /** In times of the plain pass. */
  ratio: number;
}

/** The median of the runs, in milliseconds. */
async function median(run: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    const begin = performance.now();
    await run();
    times.push(performance.now() - begin);
  }
  return times.sort((left, right) => left - right)[RUNS >> 1]!;
}

function readHeader(into: Uint8Array): void {
  using file = Deno.openSync(path);
  for (let at = 0; at < into.length;) at += file.readSync(into.subarray(at))!;
}

function sum(bytes: Uint8Array): number {
  let total = 0;
  for (let i = 0; i < bytes.length; i++) total += bytes[i]!;
  return total;
}

async function open(use: (model: Model) => unknown): Promise<void> {
  await using model = await Model.open(path, { device: "cpu" });
  use(model);
}

const header = new Uint8Array(13_113_696);
const pass = await median(() => {
  readHeader(header);
  sum(header);
});
const times: Record<string, number> = {
  "plain pass: read the header and add its bytes up": pass,
  "of it, reading into memory": await median(() => readHeader(header)),
  "Model.open": await median(() => open(() => {})),
  "Model.open and the first row": await median(() => open((model) => model.embed([42]))),
  "Model.open and one text of the vocabulary": await median(() => open((model) => model.token(200_000))),
  "Model.open and the whole vocabulary to search in": await median(() => open((model) => model.find("<|start|>"))),
};
const python = fileURLToPath(new URL("open_gguf.py", import.meta.url));
times["the gguf package's reader, once"] = Number(new TextDecoder().decode(await runPython(python, [path])));

const results: Result[] = Object.entries(times).map(([what, milliseconds]) => ({
  what,
  milliseconds,
  ratio: milliseconds / pass,
}));
for (const { what, milliseconds, ratio } of results) {
  console.log(`${milliseconds.toFixed(2).padStart(10)} ms ${ratio.toFixed(2).padStart(9)} ×  ${what}`);
}
const target = Deno.args[Deno.args.indexOf("--json") + 1];
if (Deno.args.includes("--json")) {
  if (target === undefined) throw new Error("Cannot write the results: --json names no file, add one");
  await Deno.writeTextFile(target, JSON.stringify({ runs: RUNS, results }, null, 2) + "\n");
}
