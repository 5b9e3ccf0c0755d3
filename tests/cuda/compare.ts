/**
 * Compares what the GPU computes with what the CPU computes, bit by bit, for every type of table: random and repeated
 * ids, each width given, scales and halves, and the entry norm. Prints a line a table; ends with status 1 where a bit
 * differs.
 *
 * Usage: deno run -A tests/cuda/compare.ts WIDTH…      MUSER_LIBRARY: the native library
 * @module
 */
import { deepEqual, equal, throws } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { Model } from "../../mod.ts";
import { temporaryGGUF } from "../support/gguf_writer.ts";
import { assertSameBits, randomIds } from "../support/values.ts";
import { ROWS, tables } from "./tables.ts";

const widths = Deno.args.map(Number);
const specs = tables();
using file = temporaryGGUF({ tensors: specs });
using cpu = await Model.open(file.path, { device: "cpu" });
using gpu = await Model.open(file.path, { device: "cuda" });
using read = await Model.open(file.path, { device: "cuda", map: false });
using mapped = await Model.open(file.path, { device: "cuda", placement: "mapped" });

/** Demands the same bits of two models; the number of values. */
function same(what: string, actual: Float32Array | Float16Array, expected: Float32Array | Float16Array): number {
  // Memory first: it is a hundred times faster. What differs there may still be two NaNs.
  const [left, right] = [actual, expected].map(({ buffer }) => Buffer.from(buffer as ArrayBuffer));
  if (!left!.equals(right!)) assertSameBits(new Float32Array(actual), new Float32Array(expected), what);
  return actual.length;
}

/** Ids without an order, then many times the same few, the last row among them. */
function idSets(width: number): Uint32Array<ArrayBuffer>[] {
  return [randomIds(width, ROWS, width), randomIds(width, 3, width).map((id) => ROWS - 1 - 500 * id)];
}

function compareTable(tensor: string): number {
  let values = 0;
  for (const width of widths) {
    for (const ids of idSets(width)) {
      values += same(`${width} ids`, gpu.embed(ids, { tensor }), cpu.embed(ids, { tensor }));
    }
  }
  const ids = randomIds(513, ROWS);
  values += same("without mapping", read.embed(ids, { tensor }), cpu.embed(ids, { tensor }));
  values += same("in the mapped file", mapped.embed(ids, { tensor }), cpu.embed(ids, { tensor }));
  for (const options of [{ output: "f16" }, { output: "f16", scale: 1.7 }, { scale: -0.37 }] as const) {
    const [actual, expected] = [gpu, cpu].map((model) => model.table(tensor, options).rows(ids));
    values += same(JSON.stringify(options), actual!, expected!);
  }
  return values;
}

/** A lookup and nine entry norms at each width: ten operations in one command buffer and one wait. */
function compareLists(): number {
  let values = 0;
  for (const width of widths) {
    const ids = randomIds(width, ROWS, width);
    const [actual, expected] = [gpu, cpu].map((model) => {
      using session = model.session({ capacity: width });
      const step = session.record((commands) => {
        commands.embed(model.table(), session.ids, session.hidden);
        for (let norm = 0; norm < 9; norm++) commands.rmsNorm(session.hidden, session.hidden, { epsilon: 1e-6 });
      });
      session.run(step, { ids });
      const { commandBuffers, waits, dispatches } = session.statistics;
      deepEqual([commandBuffers, waits, dispatches], [1, 1, 10]);
      return session.read();
    });
    values += same(`${width} rows`, actual!, expected!);
  }
  return values;
}

/** Ids on the device that are no rows. */
function compareClamped(): number {
  const rows = Math.max(4, ...widths);
  const ids = randomIds(rows, ROWS);
  const [actual, expected] = [gpu, cpu].map((model) => {
    using session = model.session({ capacity: rows, timed: true });
    session.embed(ids);
    // From the device itself: position 1 and the last two are past the last row, and read it.
    const wrong = ids.with(1, ROWS).with(rows - 2, 2 ** 32 - 1).with(rows - 1, ROWS + 5);
    session.write(session.ids, wrong);
    const clamped = session.record((commands) => commands.embed(model.table(), session.ids, session.hidden));
    throws(() => session.run(clamped, { rows }), /look up 3 of the ids: .* at position 1;/);
    return session.read(session.hidden, { rows });
  });
  return same("clamped", actual!, expected!);
}

equal(gpu.table("F32.512").placement, "copied");
equal(mapped.table("F32.512").placement, "mapped");
let failures = 0;
function report(name: string, run: () => number): void {
  try {
    console.log(`${name.padEnd(18)} ${run()} values, all with the same bits`);
  } catch (error) {
    failures++;
    console.log(`${name.padEnd(18)} ${(error as Error).message}`);
  }
}
for (const { name } of specs) report(name as string, () => compareTable(name as string));
report("ten operations", compareLists);
report("clamped", compareClamped);
console.log(failures > 0 ? `${failures} of ${specs.length + 2} differ` : `all ${specs.length + 2} agree`);
Deno.exit(failures > 0 ? 1 : 0);
