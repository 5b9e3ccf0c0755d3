import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import { fileURLToPath } from "node:url";
import { openLibrary } from "../src/native/library.ts";
import { smollm2 } from "./support/models.ts";
import { dequantize, pythonPath, runPython } from "./support/oracle.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const witness = `${root}tests/examples_witness.py`;
const library = openLibrary().path;
const columns = 576;

/** The command of an example: the one that the comment on top of it states, with real files in place of names. */
function commandOf(name: string, args: readonly string[], names: Record<string, string> = {}): string[] {
  const text = Deno.readTextFileSync(`${root}examples/${name}`);
  const [, flags] = new RegExp(`^//   deno run (.*) examples/${name} `, "m").exec(text)!;
  const places: Record<string, string> = { MODEL: smollm2.path, LIBRARY: library, ...names };
  const permissions = flags!.replace(/[A-Z]{3,}/g, (place) => places[place] ?? place).split(" ");
  // Only where the tests run with another library do the examples need to know of it.
  if (Deno.env.has("MUSER_LIBRARY")) permissions.push("--allow-env=MUSER_LIBRARY");
  return [
    "run",
    "--quiet",
    "--no-prompt",
    `--config=${configPath()}`,
    ...permissions,
    `${root}examples/${name}`,
    ...args,
  ];
}

function configPath(): string {
  try {
    return Deno.realPathSync(`${root}deno.offline.json`);
  } catch {
    return `${root}deno.json`;
  }
}

async function run(
  command: readonly string[],
): Promise<{ code: number; out: string; error: string; bytes: Uint8Array<ArrayBuffer> }> {
  const output = await new Deno.Command(Deno.execPath(), { args: [...command], env: { NO_COLOR: "1" } }).output();
  const decoder = new TextDecoder();
  return {
    code: output.code,
    out: decoder.decode(output.stdout),
    error: decoder.decode(output.stderr),
    bytes: output.stdout,
  };
}

async function askWitness(args: readonly string[], input?: Uint8Array<ArrayBuffer>): Promise<unknown> {
  return JSON.parse(new TextDecoder().decode(await runPython(witness, args, input)));
}

async function sha256(values: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", values)).toHex();
}

async function rows(ids: ArrayLike<number>): Promise<Float32Array<ArrayBuffer>> {
  return new Float32Array(await dequantize(smollm2.path, "token_embd.weight", ids));
}

const test = (name: string, fn: () => Promise<void>): void => Deno.test({ name, fn, ignore: !smollm2.available });

test("nearest_tokens.ts finds the neighbours that NumPy finds, and shows no bar when nobody looks", async () => {
  const { code, out, error } = await run(commandOf("nearest_tokens.ts", [smollm2.path, " Paris", "8"]));
  assertEquals([code, error], [0, ""]);
  const found = out.trimEnd().split("\n").map((line) => /^([\d.]+) {2}(\d+) {2}(".*")$/.exec(line)!);
  assertEquals(found[0]!.slice(1), ["1.000000", "7042", '" Paris"']);
  const expected = await askWitness(["nearest", smollm2.path, "7042", "8"]) as [number, number][];
  assertEquals(found.map(([, , id]) => Number(id)), expected.map(([id]) => id));
  for (const [i, [, similarity]] of found.entries()) assertAlmostEquals(Number(similarity), expected[i]![1], 1e-6);
});

test("nearest_tokens.ts draws a bar on a terminal and takes it away", async () => {
  const terminal = `${root}tests/cli/terminal.py`;
  const args = [terminal, "error", Deno.execPath(), ...commandOf("nearest_tokens.ts", [smollm2.path, " Paris"])];
  const { stdout } = await new Deno.Command(pythonPath(), { args }).output();
  const seen = new TextDecoder().decode(stdout);
  assertMatch(seen, /\r█+░+ 50 %/);
  assert(seen.endsWith("\r\x1b[K"));
});

test("nearest_tokens.ts says which tokens a text is that is not one", async () => {
  const { code, error } = await run(commandOf("nearest_tokens.ts", [smollm2.path, "two words"]));
  assertEquals(code, 1);
  assertEquals(error, 'Cannot look for neighbours of "two words": it is 2 tokens ("two", " words"), use one\n');
});

test("export_slice.ts writes a file that NumPy loads, with the rows of the table", async () => {
  using folder = temporaryFolder();
  const output = `${folder.path}/slice.npy`;
  // More than a chunk, and no whole number of them.
  const command = commandOf("export_slice.ts", [smollm2.path, "100", "2000", output], { OUTPUT: output });
  assertEquals(await run(command), { code: 0, out: "", error: "", bytes: new Uint8Array() });
  const values = await sha256(await rows(Array.from({ length: 1900 }, (_, i) => 100 + i)));
  assertEquals(await askWitness(["npy", output]), { shape: [1900, columns], type: "<f4", values });
});

test("export_slice.ts refuses rows that are not there before it writes", async () => {
  using folder = temporaryFolder();
  const output = `${folder.path}/slice.npy`;
  const command = commandOf("export_slice.ts", [smollm2.path, "0", "49153", output], { OUTPUT: output });
  const { code, error } = await run(command);
  assertEquals(code, 1);
  assertEquals(error, 'Cannot export rows 0 to 49153: "token_embd.weight" has 49152 rows\n');
  assertEquals([...Deno.readDirSync(folder.path)], []);
});

test("feed_rows.ts writes ids and rows as safetensors to a pipe", async () => {
  const { code, bytes, error } = await run(commandOf("feed_rows.ts", [smollm2.path, "Hello, world"]));
  assertEquals([code, error], [0, "3 rows of 576 values\n"]);
  const ids = Uint32Array.of(19556, 28, 905);
  assertEquals(await askWitness(["safetensors"], bytes), {
    inputs_embeds: { type: "F32", shape: [1, 3, columns], values: await sha256(await rows(ids)) },
    input_ids: { type: "I32", shape: [1, 3], values: await sha256(ids) },
  });
});

test("session.ts normalises rows as NumPy does, in one submission", async () => {
  const { code, out, error } = await run(commandOf("session.ts", [smollm2.path, "Hello, world"]));
  assertEquals([code, error], [0, ""]);
  const [first, second, third, last] = out.trimEnd().split("\n");
  assertMatch(last!, /^2 operations in 1 submission on (cpu|metal|cuda)$/);
  const expected = await askWitness(["normalised", smollm2.path, "19556", "28", "905"]) as number[][];
  for (const [row, line] of [first, second, third].entries()) {
    const values = line!.replace(/^\d+ ".*?" /, "").split(" ").map(Number);
    for (const [i, value] of values.entries()) assertAlmostEquals(value, expected[row]![i]!, 1e-6);
  }
});

test("compare_quantisations.ts finds the errors that NumPy finds, and draws them", async () => {
  using folder = temporaryFolder();
  const [copy, svg] = [`${folder.path}/q4_0.gguf`, `${folder.path}/errors.svg`];
  const expected = await askWitness(["requantise", smollm2.path, "Q4_0", copy]) as Record<string, number>;
  const names = { FIRST: smollm2.path, SECOND: copy, SVG: svg };
  const { code, out, error } = await run(commandOf("compare_quantisations.ts", [smollm2.path, copy, svg], names));
  assertEquals([code, error], [0, ""]);
  const percent = (share: number): string => `${(share * 100).toFixed(3)} %`;
  const [first, second, , ...bars] = out.trimEnd().split("\n");
  assertEquals(first, "49152 rows of 576 values, Q8_0 and Q4_0");
  assertEquals(
    second,
    `mean error ${percent(expected.mean!)}, largest ${percent(expected.largest!)} (row ${expected.worst})`,
  );
  assertEquals(bars.length, 20);
  assertEquals(bars.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0), 49152);
  const drawing = await Deno.readTextFile(svg);
  assertEquals(drawing.match(/<title>/g)?.length, 20);
  assertMatch(drawing, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
});

test("server.ts answers with rows, and with errors as JSON", async () => {
  const command = commandOf("server.ts", [smollm2.path, "0"], { PORT: "0" });
  await using child = new Deno.Command(Deno.execPath(), { args: command, stdout: "piped", stderr: "null" }).spawn();
  const [url, output] = await firstLine(child.stdout);
  const ask = async (body: string | null, path = "", method = "POST"): Promise<[number, unknown]> => {
    const response = await fetch(url + path, { method, body });
    return [response.status, await response.json()];
  };
  const told = (code: string, message: string): unknown => ({ error: { code, message } });

  const [status, answer] = await ask('{"text": "Hello, world"}');
  const { ids, rows: answered, ...facts } = answer as { ids: number[]; rows: number[][] };
  assertEquals([status, ids, facts], [200, [19556, 28, 905], { columns }]);
  assertEquals(Float32Array.from(answered.flat()), await rows(ids));
  assertEquals(await ask('{"ids": []}'), [200, { ids: [], columns, rows: [] }]);
  const limit = 'table "token_embd.weight" has 49152 rows, use ids from 0 to 49151';
  assertEquals(await ask('{"ids": [49152]}'), [400, told("ids", `Cannot look up id 49152 at position 0: ${limit}`)]);
  const noNumber = 'Cannot look up the id at position 0: it is the text "7", use numbers or bigints';
  assertEquals(await ask('{"ids": ["7"]}'), [400, told("ids", noNumber)]);
  assertEquals(await ask("{"), [400, told("json", "Cannot read the request: it is no JSON")]);
  const either = 'Cannot read the request: give either "text", a string, or "ids", a list';
  for (const body of ["null", "{}", '{"ids": 7}', '{"ids": [1], "text": ""}']) {
    assertEquals(await ask(body), [400, told("body", either)], body);
  }
  const many = JSON.stringify({ ids: Array(513).fill(0) });
  assertEquals(await ask(many), [413, told("rows", "Cannot answer with 513 rows: ask for at most 512")]);
  const long = JSON.stringify({ text: "a".repeat(70_000) });
  assertEquals(await ask(long), [413, told("body", "Cannot read more than 65536 bytes: ask for less")]);
  assertEquals(await ask(null, "", "GET"), [405, told("method", "Cannot answer: use POST")]);
  assertEquals(await ask("{}", "/other"), [404, told("path", "Cannot answer: use /rows")]);

  child.kill("SIGTERM");
  await output.cancel();
  await child.status;
});

/** The first line of a stream, and the rest of the stream. */
async function firstLine(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<[string, ReadableStream<string>]> {
  const rest = stream.pipeThrough(new TextDecoderStream());
  const reader = rest.getReader();
  let text = "";
  while (!text.includes("\n")) text += (await reader.read()).value;
  reader.releaseLock();
  return [text.slice(0, text.indexOf("\n")), rest];
}

function temporaryFolder(): { path: string } & Disposable {
  const path = Deno.makeTempDirSync({ prefix: "muser-examples-" });
  return { path, [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }) };
}
