import type { Worker } from "./worker.ts";

const symbols = {
  sched_getcpu: { parameters: [], result: "i32" },
  sched_getaffinity: { parameters: ["i32", "usize", "buffer"], result: "i32" },
  sched_setaffinity: { parameters: ["i32", "usize", "buffer"], result: "i32" },
} as const;

/** As many cores as Linux's own mask has. */
const CORES = 1024;

/**
 * Keeps this thread and the native worker on one core while they take turns: two cores may differ in their clock and in
 * who shares their units, and would make of that a difference between the contenders. Linux only; elsewhere nothing is
 * kept.
 */
export async function shareCore(native: Worker): Promise<AsyncDisposable> {
  if (Deno.build.os !== "linux") return new AsyncDisposableStack();
  await using stack = new AsyncDisposableStack();
  const library = stack.adopt(Deno.dlopen("libc.so.6", symbols), (library) => library.close());
  const { sched_getcpu, sched_getaffinity, sched_setaffinity } = library.symbols;
  const all = new Uint8Array(CORES / 8);
  const length = BigInt(all.length);
  const core = sched_getcpu();
  if (core < 0 || core >= CORES || sched_getaffinity(0, length, all) < 0) return new AsyncDisposableStack();
  const one = new Uint8Array(all.length);
  one[core >> 3] = 1 << (core & 7);
  stack.defer(() => void sched_setaffinity(0, length, all));
  sched_setaffinity(0, length, one);
  stack.defer(async () => void await native.timed("core all")());
  await native.timed(`core ${core}`)();
  return stack.move();
}
