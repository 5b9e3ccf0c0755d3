import type { Model } from "../../mod.ts";
import { type Spread, spread } from "../../src/cli/bench/measure.ts";
import { digits } from "../../src/cli/bench/units.ts";
import { count } from "../../src/units.ts";
import type { Place } from "../place.ts";
import type { Chart } from "../plot.ts";
import { exactly, type Result } from "../result.ts";
import { COLUMNS, idsByTurns } from "../table.ts";
import { here, Missing, single, takeTurns, type Timed, type Times } from "../turns.ts";
import type { Part } from "./part.ts";

const WIDTHS = [1, 4, 16, 64, 256, 1024, 4096, 16_384];
const QUICK_WIDTHS = [1, 16, 64];
/** Rows up to which the slowest peer is measured. */
const SLOWEST = 256;
/** Widths at which a row must cost the same. */
const FLAT = [1024, 4096, 16_384, 65_536, 131_072];
/** Rows of one call where there are more: an array of 436 MB. */
const CHUNK = 16_384;

/** The cost of a row at every width. */
export const sweep: Part = {
  name: "sweep",
  title: "CPU, random rows of the whole Q4_K table, cost of a row at every width",
  async *run(place) {
    yield await measureWidths(place);
    yield await measureFlatness(place);
  },
};

async function measureWidths(place: Place): Promise<Chart> {
  const widths = place.quick ? QUICK_WIDTHS : WIDTHS;
  const chart: Chart = {
    name: "cpu",
    title: "CPU: rows of 6,656 values from a Q4_K table",
    widths,
    lines: [],
    limit: "memset of the output",
  };
  for (const width of widths) {
    const times = await takeTurns(contenders(place, width), Math.min(place.rounds, 7));
    for (const [name, own] of Object.entries<Times>(times)) {
      if (own instanceof Missing) continue;
      let line = chart.lines.find((line) => line.name === name);
      if (!line) chart.lines.push(line = { name, points: [] });
      line.points.push({ width, time: spread(own.map((time) => time / width)) });
    }
  }
  return chart;
}

function contenders({ model, native, python }: Place, width: number): Record<string, Timed> {
  const table = model.table();
  const ids = idsByTurns(table.rowCount, width);
  const into = new Float32Array(width * COLUMNS).fill(1);
  return {
    "model.embed, into": here((turn) => model.embed(ids(turn), { into })),
    "from C, one thread": native.timed(`rows ${width} muser`),
    "ggml": native.timed(`rows ${width} ggml`),
    "NumPy take, f32 table": python.timed(`rows ${width} numpy`),
    "gguf package": width > SLOWEST ? missing("it would take minutes") : python.timed(`rows ${width} gguf`),
    "memset of the output": native.timed(`rows ${width} memset`),
  };
}

function missing(reason: string): Timed {
  return () => {
    throw new Missing(reason);
  };
}

/** Whether a row costs the same whatever the number of rows. Every measurement looks as many rows up in all. */
async function measureFlatness({ model, quick }: Place): Promise<Result> {
  const widths = quick ? QUICK_WIDTHS : FLAT;
  const all = widths.at(-1)!;
  const array = new Float32Array(Math.min(all, CHUNK) * COLUMNS).fill(1);
  const works = Object.fromEntries(widths.map((width) => [`${width}`, single(lookUpAll(model, width, all, array))]));
  const times = await takeTurns(works, quick ? 1 : 5);
  const costs = widths.map((width): Spread => spread((times[`${width}`] as number[]).map((time) => time / all)));
  const medians = costs.map(({ median }) => median);
  const cheapest = costs[medians.indexOf(Math.min(...medians))]!;
  const dearest = costs[medians.indexOf(Math.max(...medians))]!;
  return {
    what: `dearest row of ${count(widths[0]!)} to ${count(all)} rows, at most ${count(CHUNK)} a call, into one array`,
    against: "the cheapest row of them",
    ratio: exactly(dearest.median / cheapest.median),
    ratioOf: "ours / theirs",
    wanted: { atMost: 1.15 },
    ours: dearest,
    theirs: cheapest,
    unit: "µs a row",
    note: widths.map((width, index) => `${count(width)}: ${digits(medians[index]!)}`).join(", "),
  };
}

/** Looks `all` random rows up, `width` at a time; those of more than a chunk in chunks into the same array. */
function lookUpAll(model: Model, width: number, all: number, array: Float32Array<ArrayBuffer>): () => void {
  const step = Math.min(width, CHUNK);
  const ids = idsByTurns(model.table().rowCount, step);
  const into = array.subarray(0, step * COLUMNS);
  return () => {
    for (let done = 0; done < all; done += step) model.embed(ids(done / step), { into });
  };
}
