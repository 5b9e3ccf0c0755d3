/**
 * What keeping compiled kernels saves: a process for each of no cache, an empty one, a full one and a damaged one opens
 * a file with a table of every type, looks a row up in each and compares it with the CPU's.
 *
 * Usage: deno run -A tests/cuda/cache.ts      MUSER_LIBRARY: the native library
 * @module
 */
import { equal } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { Model } from "../../mod.ts";
import { temporaryGGUF } from "../support/gguf_writer.ts";
import { assertSameBits } from "../support/values.ts";
import { tables } from "./tables.ts";

const [path, cache] = Deno.args;
if (path === undefined) await compareProcesses();
else await lookUp(path, cache);

async function compareProcesses(): Promise<void> {
  const specs = tables();
  using file = temporaryGGUF({ tensors: specs });
  const folder = await Deno.makeTempDir({ prefix: "muser-test-" });
  try {
    await runProcess("without a cache", [file.path]);
    equal(names(folder).length, 0);
    await runProcess("an empty cache", [file.path, folder]);
    const kept = names(folder);
    console.log(`${kept.length} kernels are kept`);
    await runProcess("a full cache", [file.path, folder]);
    for (const name of kept) await Deno.truncate(`${folder}/${name}`, 1000);
    await runProcess("a damaged cache", [file.path, folder]);
    equal(names(folder).join(), kept.join());
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function names(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

async function runProcess(title: string, args: string[]): Promise<void> {
  const script = fileURLToPath(import.meta.url);
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", script, ...args],
    stderr: "inherit",
  }).output();
  equal(code, 0);
  console.log(`${title}: ${new TextDecoder().decode(stdout).trim()}`);
}

async function lookUp(path: string, cache: string | undefined): Promise<void> {
  using cpu = await Model.open(path, { device: "cpu" });
  const begin = performance.now();
  using gpu = await Model.open(path, { device: "cuda", ...(cache === undefined ? {} : { cache }) });
  const rows = gpu.tensors.map(({ name }) => gpu.embed([1], { tensor: name }));
  const milliseconds = performance.now() - begin;
  for (const [index, { name }] of gpu.tensors.entries()) {
    assertSameBits(rows[index]!, cpu.embed([1], { tensor: name }), name);
  }
  console.log(`${milliseconds.toFixed(0)} ms to the first rows of ${rows.length} tables`);
}
