// Prints as JSON what memory a model takes: run by tests/artifact_test.ts in a process of its own, memory.ts FILE (Linux).
//   open     by how many bytes the process was larger while it opened the file than before
//   lookups  by how many bytes its private memory grew over the last 900 of 1,000 random lookups of one row
import { Model } from "../../mod.ts";
import { f32, temporaryGGUF, text } from "./gguf_writer.ts";
import { randomIds } from "./values.ts";

const path = Deno.args[0]!;

/** A line of /proc/self/status, in bytes. */
function status(name: string): number {
  return 1024 * Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, "m").exec(Deno.readTextFileSync("/proc/self/status"))![1]);
}

async function openSmallModel(): Promise<void> {
  using file = temporaryGGUF({ metadata: { "general.name": text("small"), "general.number": f32(1) } });
  await using _model = await Model.open(file.path, { device: "cpu" });
}

await openSmallModel(); // the library and this program's own code are in memory before the first count
const small = status("VmRSS");
Deno.writeTextFileSync("/proc/self/clear_refs", "5"); // the peak begins anew
using model = await Model.open(path, { device: "cpu" });
const peak = status("VmHWM");

const table = model.table();
const row = new Float32Array(table.columns);
const id = new Uint32Array(1);

function lookUp(ids: Uint32Array): void {
  for (id[0] of ids) table.rows(id, { into: row });
}

const ids = randomIds(1000, table.rowCount);
lookUp(ids.subarray(0, 100));
const before = status("RssAnon");
lookUp(ids.subarray(100));
console.log(JSON.stringify({ open: peak - small, lookups: status("RssAnon") - before }));
