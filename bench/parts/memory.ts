import { fileURLToPath } from "node:url";
import { Model } from "../../mod.ts";
import { evict, museGlimmer, residentPages } from "../../tests/support/artifact.ts";
import { randomIds } from "../../tests/support/values.ts";
import { exactly, type Result } from "../result.ts";
import type { Part } from "./part.ts";

const LOOKUPS = 1000;
const PAGE = 4096;
/** What opening may take beyond the header. */
const SPARE = 8 * 2 ** 20;

/** What the largest file costs in memory, of which the system tells us on Linux. */
export const memory: Part = {
  name: "memory",
  title: `Memory: the file of Muse Glimmer's shape, ${LOOKUPS} random lookups of one row`,
  async *run() {
    const path = await museGlimmer();
    if (Deno.build.os !== "linux") {
      yield { what: "memory and pages", against: "", unit: "bytes", note: "only Linux tells it" };
      return;
    }
    yield* processMemory(path);
    yield await pageCache(path);
  },
};

async function* processMemory(path: string): AsyncGenerator<Result> {
  const script = fileURLToPath(new URL("../../tests/support/memory.ts", import.meta.url));
  const args = ["run", "--quiet", "--allow-all", "--no-config", script, path];
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  if (!success) throw new Error(`Cannot measure memory: ${new TextDecoder().decode(stderr)}`);
  const { open, lookups } = JSON.parse(new TextDecoder().decode(stdout));
  await using model = await Model.open(path, { device: "cpu" });
  const header = model.facts.dataOffset;
  yield figure("opening, resident memory", open, "the header and 8 MiB", header + SPARE);
  yield figure("900 of the lookups, private memory", lookups, "1 MiB", 2 ** 20);
}

/** A figure that must not be larger than another. */
function figure(what: string, ours: number, against: string, most: number): Result {
  return {
    what,
    against,
    ratio: exactly(ours / most),
    ratioOf: "ours / theirs",
    wanted: { atMost: 1 },
    ours: exactly(ours),
    theirs: exactly(most),
    unit: "bytes",
  };
}

/** How many pages come in from a cold file, beside those that the rows lie on. */
async function pageCache(path: string): Promise<Result> {
  await evict(path);
  await using model = await Model.open(path, { device: "cpu" });
  const { offset, rowBytes, rowCount, columns, bytes } = model.table();
  const before = await residentPages(path, offset, bytes);
  const row = new Float32Array(columns);
  const touched = new Set<number>();
  for (const id of randomIds(LOOKUPS, rowCount, 7)) {
    model.embed([id], { into: row });
    const begin = offset + id * rowBytes;
    for (let page = Math.floor(begin / PAGE); page <= Math.floor((begin + rowBytes - 1) / PAGE); page++) {
      touched.add(page);
    }
  }
  const grown = await residentPages(path, offset, bytes) - before;
  const result = figure("cold file, pages that came in", grown, "pages that the rows overlap", touched.size);
  return { ...result, wanted: { atMost: 2 }, unit: "pages" };
}
