import type { Model } from "../../mod.ts";
import { type Spread, spread } from "../../src/cli/bench/measure.ts";
import { count } from "../../src/cli/units.ts";
import type { Place } from "../place.ts";
import type { Chart } from "../plot.ts";
import type { Result } from "../result.ts";
import { COLUMNS, idsByTurns } from "../table.ts";
import { here, Missing, takeTurns, type Timed, type Times } from "../turns.ts";
import type { Part } from "./part.ts";

const WIDTHS = [1, 4, 16, 64, 256, 1024, 4096, 16_384];
const QUICK_WIDTHS = [1, 16, 64];
/** Rows up to which the slowest peer is measured. */
const SLOWEST = 256;
/** Rows that are looked up at once where there are more. */
const CHUNK = 1024;
const CHUNKED = [1024, 4096, 16_384, 65_536, 131_072];

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

/** Whether a row costs the same whatever the number of rows, looked up in chunks into one array. */
async function measureFlatness({ model, quick }: Place): Promise<Result> {
  const widths = quick ? QUICK_WIDTHS : CHUNKED;
  const works = Object.fromEntries(widths.map((width) => [`${width}`, here(chunks(model, width))]));
  const times = await takeTurns(works, quick ? 1 : 5);
  const costs = widths.map((width): Spread => spread((times[`${width}`] as number[]).map((time) => time / width)));
  const medians = costs.map(({ median }) => median);
  const cheapest = costs[medians.indexOf(Math.min(...medians))]!;
  const dearest = costs[medians.indexOf(Math.max(...medians))]!;
  const ratio = dearest.median / cheapest.median;
  return {
    what: `dearest row of ${count(widths[0]!)} to ${count(widths.at(-1)!)} rows, in chunks of ${count(CHUNK)}`,
    against: "the cheapest row of them",
    ratio: { median: ratio, low: dearest.low / cheapest.high, high: dearest.high / cheapest.low },
    ratioOf: "ours / theirs",
    wanted: { atMost: 1.15 },
    ours: dearest,
    theirs: cheapest,
    unit: "µs a row",
  };
}

function chunks(model: Model, width: number): (turn: number) => void {
  const count = Math.min(CHUNK, width);
  const ids = idsByTurns(model.table().rowCount, count);
  const into = new Float32Array(count * COLUMNS).fill(1);
  return (turn) => {
    for (let done = 0; done < width; done += count) model.embed(ids(turn + done / count), { into });
  };
}
