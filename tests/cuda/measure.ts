/**
 * Measures lookups of a Q4_K table of Muse Glimmer's shape on the GPU: by its own events, and as a program sees them.
 *
 * Usage: deno run -A tests/cuda/measure.ts      MUSER_LIBRARY: the native library; 760 MB of disk for the file
 * @module
 */
import { Model } from "../../mod.ts";
import { temporaryGGUF } from "../support/gguf_writer.ts";
import { randomBytes, randomIds } from "../support/values.ts";

const [COLUMNS, ROWS] = [6656, Number(Deno.args[0] ?? 202048)];
const WIDTHS = [1, 64, 512, 4096, 65536];
const RUNS = 21;

const bytes = randomBytes(COLUMNS / 256 * 144 * ROWS);
using file = temporaryGGUF({
  tensors: [{ name: "token_embd.weight", type: 12, dimensions: [COLUMNS, ROWS], bytes }],
});

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;

/** Microseconds of each run: as the program sees them, and on the device where `device` gives its seconds so far. */
function measure(run: (count: number) => void, device: () => number = () => 0): { program: number; device: number } {
  const program: number[] = [];
  const own: number[] = [];
  // An idle GPU runs slowly at first.
  const warm = performance.now() + 100;
  while (performance.now() < warm) run(0);
  for (let count = 1; count <= RUNS; count++) {
    const [begin, before] = [performance.now(), device()];
    run(count);
    program.push((performance.now() - begin) * 1e3);
    own.push((device() - before) * 1e6);
  }
  return { program: median(program), device: median(own) };
}

const begin = performance.now();
using model = await Model.open(file.path, { device: "cuda" });
const opened = performance.now();
const table = model.table();
console.log(`open, compiling the kernel  ${(opened - begin).toFixed(0)} ms`);
console.log(`copy of the table           ${(performance.now() - opened).toFixed(0)} ms for ${table.bytes} bytes`);

console.log("rows in device memory   device us   GB/s   program us");
for (const width of WIDTHS) {
  using session = model.session({ capacity: width, timed: true });
  using untimed = model.session({ capacity: width });
  const ids = Array.from({ length: RUNS + 1 }, (_, run) => randomIds(width, ROWS, run + 1));
  const { device } = measure((run) => session.embed(ids[run]!), () => session.statistics.deviceSeconds);
  const { program } = measure((run) => untimed.embed(ids[run]!));
  const moved = width * (table.rowBytes + 4 + 4 * COLUMNS);
  console.log(
    `${String(width).padStart(21)} ${device.toFixed(1).padStart(11)} ${(moved / device / 1e3).toFixed(0).padStart(6)}` +
      ` ${program.toFixed(1).padStart(12)}`,
  );
}
const pinning = performance.now();
using inPlace = await Model.open(file.path, { device: "cuda", placement: "mapped" });
const { placement } = inPlace.table();
console.log(`table in the mapped file    ${(performance.now() - pinning).toFixed(0)} ms to open and pin, ${placement}`);
for (const width of [1, 512]) {
  using session = inPlace.session({ capacity: width, timed: true });
  const { device, program } = measure(
    (run) => session.embed(randomIds(width, ROWS, run + 1)),
    () => session.statistics.deviceSeconds,
  );
  console.log(`${String(width).padStart(21)} ${device.toFixed(1).padStart(11)} ${program.toFixed(1).padStart(19)}`);
}
console.log("rows in host memory                            program us");
for (const width of WIDTHS) {
  const into = new Float32Array(width * COLUMNS);
  const ids = Array.from({ length: RUNS + 1 }, (_, run) => randomIds(width, ROWS, run + 1));
  const { program } = measure((run) => table.rows(ids[run]!, { into }));
  console.log(`${String(width).padStart(21)} ${program.toFixed(1).padStart(35)}`);
}
