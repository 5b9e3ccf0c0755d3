import { devices, Model, types } from "../../mod.ts";
import { spread } from "../../src/cli/bench/measure.ts";
import { count } from "../../src/units.ts";
import type { Place } from "../place.ts";
import type { Chart } from "../plot.ts";
import { compare, exactly, type Result, type Wanted } from "../result.ts";
import { COLUMNS, idsByTurns, rowBytes, typeOf, writeTable } from "../table.ts";
import { here, Missing, takeTurns, type Times } from "../turns.ts";
import { GPU } from "./gpu.ts";
import type { Part } from "./part.ts";

const WIDTHS = [1, 16, 64, 512, 4096, 8192, 65_536, 262_144, 1_048_576];
const QUICK_WIDTHS = [1, 64, 512];
/** From here on a row must cost the same at every width. */
const FLAT_FROM = 8192;
/** Types that must come near the copy's rate; the others are reported. */
const FAST = ["Q6_K", "Q8_0", "F16", "BF16", "F32", "IQ4_XS", "MXFP4"];

/** The lookup on an NVIDIA GPU, rows staying there. */
export const cuda: Part = {
  name: "cuda",
  title: "NVIDIA GPU, rows stay in its memory; times are by its own clock where nothing else is said",
  async *run(place) {
    const facts = devices().find(({ name }) => name === "cuda")!;
    if (!facts.available) return yield* goals("no NVIDIA GPU can be used here, muser devices tells why");
    await using gpu = await GPU.open(place, await writeTable(typeOf("Q4_K"), place.quick ? 4096 : 202_048));
    yield* atItsWidest(place, gpu);
    yield* oneToken(place, gpu);
    yield* everyWidth(place, gpu);
    yield* everyType(place, gpu);
  },
};

/** What there would be to measure. */
function* goals(note: string): Generator<Result> {
  const goal = (what: string, against: string, wanted: Wanted): Result => ({ what, against, wanted, unit: "µs", note });
  yield goal("Q4_K, 65,536 rows", "a copy of as many bytes", { atLeast: 0.9 });
  yield goal("Q4_K, 65,536 rows", "one thread a value", { atLeast: 3.6 });
  yield goal("one token", "an empty launch", { atMost: 1.1 });
  yield goal("one token from C", "an empty launch and the wait for it", { atMost: 1.5 });
  yield goal("one token from TypeScript, beyond from C", "2 µs", { atMost: 1 });
  yield goal("dearest row of 8,192 to 1,048,576", "the cheapest", { atMost: 1.15 });
  for (const type of FAST) yield goal(`${type}, 65,536 rows`, "a copy of as many bytes", { atLeast: 0.85 });
}

async function* atItsWidest({ rounds, quick }: Place, gpu: GPU): AsyncGenerator<Result> {
  const width = quick ? 512 : 65_536;
  const { ours, copy, flat, torch, fill } = await takeTurns({
    ours: gpu.lookup(width),
    copy: gpu.copy(width * COLUMNS * 4),
    flat: gpu.flat(width),
    torch: gpu.torch(width),
    fill: gpu.fill(width * COLUMNS * 4),
  }, rounds);
  const what = `Q4_K, ${count(width)} rows`;
  const beside = copyOfAsMany(copy, rowBytes(typeOf("Q4_K")));
  yield compare({ what, against: "a copy of as many bytes", wanted: { atLeast: 0.9 } }, ours, beside);
  yield compare({ what, against: "one thread a value", wanted: { atLeast: 3.6 } }, ours, flat);
  yield compare({ what, against: "PyTorch's embedding of an f16 table, f16 written" }, ours, torch);
  yield compare({ what, against: "a fill of the output" }, ours, fill);
}

async function* oneToken({ rounds }: Place, gpu: GPU): AsyncGenerator<Result> {
  using session = gpu.model.session({ capacity: 1 });
  const ids = idsByTurns(gpu.model.table().rowCount, 1);
  const { kernel, launch, sync, called, program } = await takeTurns({
    kernel: gpu.lookup(1),
    launch: gpu.limit("launch"),
    sync: gpu.limit("sync"),
    called: gpu.limit("session 1"),
    program: here((turn) => session.embed(ids(turn))),
  }, rounds);
  yield compare(
    { what: "one token", against: "an empty launch", wanted: { atMost: 1.1 } },
    kernel,
    launch,
    "ours / theirs",
  );
  const facts = { against: "an empty launch and the wait for it", note: "by the host's clock" };
  yield compare({ ...facts, what: "one token from C", wanted: { atMost: 1.5 } }, called, sync, "ours / theirs");
  yield compare({ ...facts, what: "one token from TypeScript" }, program, sync, "ours / theirs");
  if (called instanceof Missing || program instanceof Missing) return;
  const more = program.map((time, round) => time - called[round]!);
  const what = "one token from TypeScript, beyond from C";
  yield {
    ...{ what, against: "2 µs", unit: "µs", wanted: { atMost: 1 }, ratioOf: "ours / theirs" },
    ratio: spread(more.map((time) => time / 2)),
    ours: spread(more),
    theirs: exactly(2),
  };
}

async function* everyWidth({ rounds, quick }: Place, gpu: GPU): AsyncGenerator<Result | Chart> {
  const widths = quick ? QUICK_WIDTHS : WIDTHS;
  const limit = "fill of the output";
  const chart: Chart = { name: "cuda", title: "GPU: rows of 6,656 values from a Q4_K table", widths, lines: [], limit };
  for (const width of widths) {
    const times = await takeTurns({
      "session.embed": gpu.lookup(width),
      "one thread a value": gpu.flat(width),
      "PyTorch, f16 to f16": gpu.torch(width),
      [limit]: gpu.fill(width * COLUMNS * 4),
    }, Math.min(rounds, 5));
    for (const [name, own] of Object.entries<Times>(times)) {
      if (own instanceof Missing) continue;
      let line = chart.lines.find((line) => line.name === name);
      if (!line) chart.lines.push(line = { name, points: [] });
      line.points.push({ width, time: spread(own.map((time) => time / width)) });
    }
  }
  yield chart;
  const wide = chart.lines[0]!.points.filter(({ width }) => width >= (quick ? 1 : FLAT_FROM));
  const byCost = wide.toSorted((left, right) => left.time.median - right.time.median).map(({ time }) => time);
  const [cheapest, dearest] = [byCost[0]!, byCost.at(-1)!];
  yield {
    what: `dearest row of ${count(wide[0]!.width)} to ${count(wide.at(-1)!.width)}`,
    against: "the cheapest",
    ratio: exactly(dearest.median / cheapest.median),
    ratioOf: "ours / theirs",
    wanted: { atMost: 1.15 },
    ours: dearest,
    theirs: cheapest,
    unit: "µs a row",
  };
}

async function* everyType(place: Place, gpu: GPU): AsyncGenerator<Result> {
  const width = place.quick ? 512 : 65_536;
  for (const type of types().filter(({ kernel }) => kernel !== "")) {
    const path = await writeTable(type, width);
    try {
      await using model = await Model.open(path, { device: "cuda" });
      const { ours, copy } = await takeTurns({
        ours: GPU.lookupIn(model, width),
        copy: gpu.copy(width * COLUMNS * 4),
      }, Math.min(place.rounds, 5));
      const facts = { what: `${type.name}, ${count(width)} rows`, against: "a copy of as many bytes" };
      const wanted = FAST.includes(type.name) ? { wanted: { atLeast: 0.85 } } : {};
      yield compare({ ...facts, ...wanted }, ours, copyOfAsMany(copy, rowBytes(type)));
    } finally {
      await Deno.remove(path); // all of them together would fill a disk
    }
  }
}

/** A copy of the output moves it twice; how long it would take for the bytes that a lookup reads and writes. */
function copyOfAsMany(copy: Times, rowBytes: number): Times {
  const output = COLUMNS * 4;
  return copy instanceof Missing ? copy : copy.map((time) => time * (rowBytes + 4 + output) / (2 * output));
}
