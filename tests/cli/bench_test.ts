import { assert, assertEquals, assertGreater, assertMatch } from "@std/assert";
import { winsFrom } from "../../src/cli/bench/comparison.ts";
import type { Comparison } from "../../src/cli/bench/comparison.ts";
import type { Costs } from "../../src/cli/bench/costs.ts";
import { measure, ROUNDS, type Spread, spread } from "../../src/cli/bench/measure.ts";
import { idBatches } from "../../src/cli/bench/samples.ts";
import { temporaryGGUF } from "../support/gguf_writer.ts";
import { randomBytes } from "../support/values.ts";
import { muser } from "./muser.ts";

const ROWS = 64;
/** A table of SmolLM2's width: Q8_0, 576 values and 612 bytes a row. */
const model = {
  tensors: [{ name: "token_embd.weight", type: 8, dimensions: [576, ROWS], bytes: randomBytes(612 * ROWS) }],
};

function assertSpread({ median, low, high }: Spread): void {
  assert(0 < low && low <= median && median <= high, `${low}, ${median}, ${high} are no spread`);
}

Deno.test("muser bench tells the bytes of a token, and the cost of one for each width", async () => {
  using file = temporaryGGUF(model);
  const { status, out, error } = await muser(["bench", file.path, "--device", "cpu"]);
  assertEquals([status, error], [0, ""]);
  assertMatch(out, /^ {2}token_embd\.weight, Q8_0, 64 rows of 576 values, on cpu$/m);
  assertMatch(out, /^ {2}a token reads 612 \+ 4 bytes \(its row and its id\), writes 2,304$/m);
  for (const width of ["1", "64", "512", "4,096"]) {
    assertMatch(out, new RegExp(`^ +${width} +[\\d.,]+ \\([\\d.,]+ to [\\d.,]+\\) .* %$`, "m"));
    // Dispatches, command buffers and waits of a run, bytes read and written of a token.
    assertMatch(out, new RegExp(`^ +${width} .* not told +1 +1 +1 +616 +2,304$`, "m"));
  }
});

Deno.test("muser bench --json has every figure as a number", async () => {
  using file = temporaryGGUF(model);
  const { status, out } = await muser(["bench", file.path, "--json", "--device", "cpu"]);
  assertEquals(status, 0);
  const { path, device, table, token, rounds, widths } = JSON.parse(out) as Costs;
  assertEquals([path, device, rounds], [file.path, "cpu", ROUNDS]);
  assertEquals(table, {
    name: "token_embd.weight",
    type: "Q8_0",
    columns: 576,
    rows: ROWS,
    rowBytes: 612,
    placement: "mapped",
  });
  assertEquals(token, { rowBytes: 612, idBytes: 4, bytesWritten: 2304 });
  assertEquals(widths.map(({ width }) => width), [1, 64, 512, 4096]);
  for (const { host, fill, copy, device } of widths) {
    [host, fill, copy, device!.time].forEach(assertSpread);
    const { dispatches, commandBuffers, waits, bytesRead, bytesWritten } = device!;
    assertEquals([dispatches, commandBuffers, waits, bytesRead, bytesWritten], [1, 1, 1, 616, 2304]);
  }
});

Deno.test("muser bench --no-map measures rows on the host alone, and says why", async () => {
  using file = temporaryGGUF(model);
  const { status, out } = await muser(["bench", file.path, "--no-map", "--device", "cpu"]);
  assertEquals(status, 0);
  assertMatch(out, /^ {2}not measured: a session needs a model that is mapped, leave --no-map out$/m);
});

Deno.test("muser bench --ab compares every available device with the CPU, and tells why the others are missing", async () => {
  using file = temporaryGGUF(model);
  const { status, out } = await muser(["bench", file.path, "--ab", "--json"]);
  assertEquals(status, 0);
  const { devices, missing } = JSON.parse(out) as Comparison;
  assertEquals([...devices, ...missing].map(({ device }) => device).toSorted(), ["cuda", "metal"]);
  for (const { reason } of missing) assertGreater(reason.length, 0);
  for (const { widths } of devices) {
    for (const { host, device } of widths) [host.cpu, host.device, device.cpu, device.device].forEach(assertSpread);
  }
  if (devices.length === 0) {
    assertMatch((await muser(["bench", file.path, "--ab"])).out, /^Nothing to compare: only the CPU can run here/);
  }
});

Deno.test("muser bench refuses a device beside --ab", async () => {
  const { status, error } = await muser(["bench", "x.gguf", "--ab", "--device", "cpu"]);
  assertEquals(status, 2);
  assertMatch(error, /^muser: Give either --ab, which compares all devices, or --device\n/);
});

Deno.test("a device wins from the width on at which no larger one is slower", () => {
  const at = (width: number, cpu: number, device: number) => ({
    width,
    cpu: { median: cpu, low: cpu, high: cpu },
    device: { median: device, low: device, high: device },
  });
  assertEquals(winsFrom([at(1, 1, 9), at(4, 3, 2), at(16, 3, 2)]), 4);
  assertEquals(winsFrom([at(1, 2, 1), at(4, 1, 2), at(16, 3, 2)]), 16);
  assertEquals(winsFrom([at(1, 2, 1), at(4, 3, 1)]), 1);
  assertEquals(winsFrom([at(1, 1, 1), at(4, 1, 1)]), null);
});

Deno.test("a spread is the median and the quartiles, in any order of the rounds", () => {
  assertEquals(spread([5, 1, 4, 2, 3]), { median: 3, low: 2, high: 4 });
  assertEquals(spread([7]), { median: 7, low: 7, high: 7 });
});

Deno.test("works take turns, and each run of one has a number of its own", () => {
  const turns: number[] = [];
  const [first, second] = measure([(turn) => turns.push(turn), () => {}]);
  assertEquals(turns, turns.map((_, index) => index));
  [first!, second!].forEach(assertSpread);
});

Deno.test("batches of ids are rows of the table, and more than one", () => {
  for (const width of [1, 512, 100_000]) {
    const batches = idBatches(49_152, width);
    assertGreater(batches.length, 1);
    for (const ids of batches) assertEquals([ids.length, ids.every((id) => id < 49_152)], [width, true]);
  }
});
