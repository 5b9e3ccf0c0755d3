import { fileURLToPath } from "node:url";
import { Model } from "../mod.ts";
import { pythonPath } from "../tests/support/oracle.ts";
import { build } from "./programs.ts";
import { rowBytes, typeOf, writeTable } from "./table.ts";
import { Worker } from "./worker.ts";

/** What the command line asks for. */
export interface Options {
  /** One round and small widths: to try whether everything works. */
  quick: boolean;
  /** ggml's library, where there is one. */
  ggml: string | undefined;
}

/** What the parts share: the table, the processes beside this one, how often to measure. */
export interface Place {
  quick: boolean;
  rounds: number;
  /** Serves the table from the CPU. */
  model: Model;
  /** Calls the library and ggml from C, on one thread. */
  native: Worker;
  /** The same where the library chooses how many threads it takes. */
  threaded: Worker;
  /** NumPy and the `gguf` package. */
  python: Worker;
  /** A process of the part's own, which ends with the others. */
  worker(command: string | undefined, args: readonly string[], env?: Record<string, string>): Worker;
}

/** The checkout. */
export const root: string = fileURLToPath(new URL("../", import.meta.url));

/** The native library that everything is measured with. */
export function libraryPath(): string {
  return Deno.env.get("MUSER_LIBRARY") ?? `${root}.muser/lib/libMuser.so`;
}

/** Calls `use` with everything that the parts need, and ends what was started for them. */
export async function withPlace(options: Options, use: (place: Place) => Promise<void>): Promise<void> {
  const path = await writeTable(typeOf("Q4_K"), options.quick ? 1024 : rowsBeyondCaches());
  await using model = await Model.open(path, { device: "cpu" });
  await using stack = new AsyncDisposableStack();
  const worker: Place["worker"] = (command, args, env) => stack.use(new Worker(command, args, env));
  const native = await build("native");
  const table = tablePlace(model);
  const args = [libraryPath(), ...table, ...options.ggml === undefined ? [] : [options.ggml]];
  await use({
    quick: options.quick,
    rounds: options.quick ? 1 : 15,
    model,
    native: worker(native, args, { MUSER_CPU_THREADS: "1" }),
    threaded: worker(native, args),
    python: worker(pythonPath(), [`${root}bench/peers.py`, ...table]),
    worker,
  });
}

/** Rows of which a third fills the largest cache, where the system tells its size; 123 MB at least. */
function rowsBeyondCaches(): number {
  const rows = 32_768;
  try {
    const kibibytes = parseInt(Deno.readTextFileSync("/sys/devices/system/cpu/cpu0/cache/index3/size"));
    return rows * Math.max(1, Math.ceil(3 * kibibytes * 1024 / (rows * rowBytes(typeOf("Q4_K")))));
  } catch {
    return rows;
  }
}

/** Where the model's token table is, for a program that maps the file itself: path, offset, rows. */
export function tablePlace(model: Model): string[] {
  const { offset, rowCount } = model.table();
  return [model.path, `${model.facts.offset + offset}`, `${rowCount}`];
}
