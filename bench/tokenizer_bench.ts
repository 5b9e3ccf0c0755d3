/**
 * The tokenizer beside llama.cpp's, in one run and on one thread:
 * `deno run -A bench/tokenizer_bench.ts [--python PYTHON] [--json FILE] [MODEL…]`.
 * PYTHON has `llama-cpp-python`; without it only our own times are given.
 *
 * 1. 500 KB of ordinary text: medians of runs that take turns.
 * 2. From opening the file to the first token, each time in a new process: medians of runs that take turns.
 * 3. Runs of one character: nanoseconds of the processor a character, from 10,000 to 10,000,000 of them.
 * @module
 */
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Model } from "../mod.ts";

const TEXT_LENGTH = 500_000;
const ENCODE_ROUNDS = 9;
const OPEN_ROUNDS = 5;
const LENGTHS = [10_000, 100_000, 1_000_000, 10_000_000];
const RUN_CHARACTERS = { a: "a", space: " ", mark: "\u0301" };

const decoder = new TextDecoder();
const self = fileURLToPath(import.meta.url);
const peer = fileURLToPath(new URL("tokenizer_peer.py", import.meta.url));
const models = ["smollm2", "gemma3"].map((name) =>
  fileURLToPath(new URL(`../.muser/models/${name}.gguf`, import.meta.url))
);

interface Answer {
  milliseconds: number;
  tokens?: number;
}

interface Result {
  model: string;
  what: string;
  ours: number;
  /** What llama.cpp needs; left out where it was not measured. */
  theirs?: number;
  unit: string;
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[values.length >> 1]!;
}

async function output(command: string, args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args: [...args] }).output();
  if (!success) throw new Error(`Cannot measure: ${command} ${args.join(" ")} failed: ${decoder.decode(stderr)}`);
  return decoder.decode(stdout);
}

/** From opening a file to its first token, in a process that has done nothing before. */
async function measureOpen(path: string): Promise<Answer> {
  const begin = performance.now();
  using model = await Model.open(path);
  model.tokenizer.encode("Hello");
  return { milliseconds: performance.now() - begin };
}

/** llama.cpp, encoding the same text once for each question. */
class Peer implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #output: AsyncIterator<string>;

  constructor(python: string, model: string, text: string) {
    const args = [peer, "encode", model, text];
    this.#process = new Deno.Command(python, { args, stdin: "piped", stdout: "piped", stderr: "null" }).spawn();
    this.#input = this.#process.stdin.getWriter();
    this.#output = this.#process.stdout.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  }

  async encode(): Promise<Answer> {
    await this.#input.write(new TextEncoder().encode("\n"));
    let line = "";
    while (!line.endsWith("\n")) {
      const { value, done } = await this.#output.next();
      if (done) throw new Error("Cannot measure llama.cpp: its process ended");
      line += value;
    }
    return JSON.parse(line);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#input.close();
    await this.#process.status;
  }
}

async function benchEncode(path: string, textPath: string, python: string | undefined): Promise<Result> {
  using model = await Model.open(path);
  const { tokenizer } = model;
  const text = await Deno.readTextFile(textPath);
  await using other = python ? new Peer(python, path, textPath) : undefined;
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round <= ENCODE_ROUNDS; round++) {
    const begin = performance.now();
    const { length } = tokenizer.encode(text, { bos: false });
    const milliseconds = performance.now() - begin;
    const answer = await other?.encode();
    if (answer && answer.tokens !== length) {
      throw new Error(`Cannot compare: ${length} tokens, llama.cpp ${answer.tokens}`);
    }
    if (round === 0) continue; // the first run warms up
    ours.push(milliseconds);
    if (answer) theirs.push(answer.milliseconds);
  }
  const what = `${new TextEncoder().encode(text).length} bytes of text`;
  return { model: path, what, ours: median(ours), ...other && { theirs: median(theirs) }, unit: "ms" };
}

async function benchOpen(path: string, python: string | undefined): Promise<Result> {
  const ours: number[] = [];
  const theirs: number[] = [];
  const config = new URL("../deno.offline.json", import.meta.url);
  const configs = await Deno.stat(config).then(() => ["--config", fileURLToPath(config)], () => []);
  for (let round = 0; round < OPEN_ROUNDS; round++) {
    const answer = await output(Deno.execPath(), ["run", "--quiet", "--allow-all", ...configs, self, "--open", path]);
    ours.push(JSON.parse(answer).milliseconds);
    if (python) theirs.push(JSON.parse(await output(python, [peer, "open", path])).milliseconds);
  }
  const what = "from open to first token";
  return { model: path, what, ours: median(ours), ...python && { theirs: median(theirs) }, unit: "ms" };
}

async function* benchRuns(path: string): AsyncGenerator<Result> {
  using model = await Model.open(path);
  const { tokenizer } = model;
  for (const [name, unit] of Object.entries(RUN_CHARACTERS)) {
    for (let warm = 0; warm < 20; warm++) tokenizer.count(unit.repeat(50_000));
    for (const length of LENGTHS) {
      const text = unit.repeat(length);
      const rounds = Math.max(1, 1_000_000 / length);
      const times = Array.from({ length: 5 }, () => {
        const begin = process.cpuUsage();
        for (let round = 0; round < rounds; round++) tokenizer.count(text);
        const { user, system } = process.cpuUsage(begin);
        return (user + system) * 1000 / rounds / length;
      });
      // The least disturbed: other processes only add to it.
      yield { model: path, what: `${length} × ${name}`, ours: Math.min(...times), unit: "ns a character" };
    }
  }
}

function report({ model, what, ours, theirs, unit }: Result): void {
  const name = model.split("/").at(-1)!.padEnd(14);
  const beside = theirs === undefined ? "" : `  llama.cpp ${theirs.toFixed(1)}  ${(theirs / ours).toFixed(1)} ×`;
  console.log(`${name} ${what.padEnd(26)} ${ours.toFixed(1).padStart(8)} ${unit}${beside}`);
}

function option(name: string, args: string[]): string | undefined {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args.splice(at, 2)[1];
}

async function main(args: string[]): Promise<void> {
  const python = option("--python", args) ?? "python3";
  const json = option("--json", args);
  const found = await output(python, ["-c", "import llama_cpp"]).then(() => python, () => undefined);
  if (!found) console.error(`${python} has no llama_cpp: measuring without llama.cpp`);
  const textPath = await Deno.makeTempFile({ suffix: ".txt" });
  const text = await output(python, [peer, "text"]);
  await Deno.writeTextFile(textPath, text.repeat(Math.ceil(TEXT_LENGTH / text.length)).slice(0, TEXT_LENGTH));
  const results: Result[] = [];
  const note = (result: Result) => {
    results.push(result);
    report(result);
  };
  for (const path of args.length > 0 ? args : models) {
    note(await benchEncode(path, textPath, found));
    note(await benchOpen(path, found));
    for await (const result of benchRuns(path)) note(result);
  }
  await Deno.remove(textPath);
  if (json) await Deno.writeTextFile(json, JSON.stringify({ results }, null, 2) + "\n");
}

if (Deno.args[0] === "--open") console.log(JSON.stringify(await measureOpen(Deno.args[1]!)));
else await main([...Deno.args]);
