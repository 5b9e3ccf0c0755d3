/**
 * What the parts of the benchmark share: the table, the processes beside this one, how often to measure.
 * @module
 */
import { fileURLToPath } from "node:url";
import { Model } from "../mod.ts";
import { pythonPath } from "../tests/support/oracle.ts";
import { writeTable } from "./table.ts";
import { missingWorker, Worker } from "./worker.ts";

/** What the command line asks for. */
export interface Options {
  /** One round and small widths: to try whether everything works. */
  quick: boolean;
  /** ggml's library, where there is one. */
  ggml: string | undefined;
}

type Peer = Pick<Worker, "timed">;

/** Where and how everything is measured. */
export interface Place {
  quick: boolean;
  rounds: number;
  /** The file with the table. */
  path: string;
  model: Model;
  /** Calls the library and ggml from C, on one thread. */
  native: Peer;
  /** The same where the library chooses how many threads it takes. */
  threaded: Peer;
  /** NumPy and the `gguf` package. */
  python: Peer;
}

const root = fileURLToPath(new URL("../", import.meta.url));

/** Calls `use` with everything that the parts need, and ends what was started for them. */
export async function withPlace(options: Options, use: (place: Place) => Promise<void>): Promise<void> {
  const path = await writeTable(options.quick ? 1024 : 32_768);
  await using model = await Model.open(path, { device: "cpu" });
  await using stack = new AsyncDisposableStack();
  const worker = (name: string, command: string | undefined, args: string[], env?: Record<string, string>): Peer =>
    command === undefined
      ? missingWorker("there is no C++ compiler to build bench/native.cpp")
      : stack.use(new Worker(name, command, args, env));
  const { offset, rowCount } = model.table();
  const native = await buildNative();
  const place = [path, `${model.facts.offset + offset}`, `${rowCount}`];
  const library = Deno.env.get("MUSER_LIBRARY") ?? `${root}.muser/lib/libMuser.so`;
  const args = [library, ...place, ...options.ggml === undefined ? [] : [options.ggml]];
  await use({
    quick: options.quick,
    rounds: options.quick ? 1 : 15,
    path,
    model,
    native: worker("native", native, args, { MUSER_CPU_THREADS: "1" }),
    threaded: worker("native", native, args),
    python: worker("peers.py", pythonPath(), [`${root}bench/peers.py`, ...place]),
  });
}

/** Builds `native.cpp` where it is newer than its program; `undefined` where there is no compiler. */
async function buildNative(): Promise<string | undefined> {
  const source = `${root}bench/native.cpp`;
  const program = `${root}.muser/bench/native`;
  const [made, written] = await Promise.all([modified(program), modified(source)]);
  if (made > written) return program;
  const compiler = await compilerPath();
  if (compiler === undefined) return undefined;
  const args = ["-std=c++20", "-O2", "-Wall", "-Wextra", "-o", program, source, "-ldl", "-pthread"];
  const { success, stderr } = await new Deno.Command(compiler, { args }).output();
  if (!success) throw new Error(`Cannot build bench/native.cpp: ${new TextDecoder().decode(stderr)}`);
  return program;
}

/** `CXX`, else the clang++ beside Swift. */
async function compilerPath(): Promise<string | undefined> {
  const given = Deno.env.get("CXX");
  if (given) return given;
  const folders = Deno.env.get("PATH")?.split(":") ?? [];
  for (const folder of folders) {
    const swift = await Deno.realPath(`${folder}/swift`).catch(() => undefined);
    const compiler = swift?.replace(/[^/]*$/, "clang++");
    if (compiler && await modified(compiler) > 0) return compiler;
  }
  return undefined;
}

async function modified(path: string): Promise<number> {
  return (await Deno.stat(path).catch(() => undefined))?.mtime?.getTime() ?? 0;
}
