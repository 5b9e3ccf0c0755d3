// Looks 1,000 random rows up, one at a time, and prints by how many bytes the process's private memory grew over the
// last 900 of them. Run by tests/artifact_test.ts in a process of its own: lookup_memory.ts FILE
import { Model } from "../../mod.ts";
import { randomIds } from "./values.ts";

const path = Deno.args[0]!;
using model = await Model.open(path, { device: "cpu" });
const table = model.table();
const row = new Float32Array(table.columns);
const id = new Uint32Array(1);

function lookUp(ids: Uint32Array): void {
  for (id[0] of ids) table.rows(id, { into: row });
}

/** Bytes of memory that is this process's own. */
function privateBytes(): number {
  const kilobytes = /^RssAnon:\s*(\d+) kB$/m.exec(Deno.readTextFileSync("/proc/self/status"))![1];
  return 1024 * Number(kilobytes);
}

const ids = randomIds(1000, table.rowCount);
privateBytes(); // its own code and texts are in memory before the first count
lookUp(ids.subarray(0, 100));
const before = privateBytes();
lookUp(ids.subarray(100));
console.log(privateBytes() - before);
