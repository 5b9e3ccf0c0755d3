import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { Model, MuserError, type Table } from "../mod.ts";
import { Handle } from "../src/native/handle.ts";
import { smollm2 } from "./support/models.ts";
import { assertSameBits, randomIds } from "./support/values.ts";

const expected = (await Model.open(smollm2.path)).embed([5]);
const module = new URL("../mod.ts", import.meta.url).href;

/** Everything that reads from an open model. */
function uses(model: Model, table: Table): Record<string, () => unknown> {
  return {
    rows: () => table.rows([0]),
    table: () => model.table(),
    otherTable: () => model.table("blk.0.ffn_down.weight"),
    embed: () => model.embed([0]),
    check: () => model.check(),
    metadata: () => model.metadata.get("general.name"),
    token: () => model.token(0),
  };
}

Deno.test("after close() every use throws closed, and names what is closed", async () => {
  const model = await Model.open(smollm2.path);
  const table = model.table();
  model.close();
  for (const [name, use] of Object.entries(uses(model, table))) {
    assertEquals(assertThrows(use, MuserError).code, "closed", name);
  }
  assertEquals((await assertRejects(() => table.rowsAsync([0]), MuserError)).code, "closed");
  assertEquals((await assertRejects(() => model.embedAsync([0]), MuserError)).code, "closed");
  assertThrows(
    () => table.rows([0]),
    MuserError,
    'Cannot use table "token_embd.weight": it is closed, open the model again',
  );
  assertThrows(
    () => model.check(),
    MuserError,
    `Cannot use model "${smollm2.path}": it is closed, open the model again`,
  );
});

Deno.test("facts, tensors and metadata keys outlive close()", async () => {
  const model = await Model.open(smollm2.path);
  model.close();
  assertEquals([model.facts.architecture, model.tensors.length > 0], ["llama", true]);
  assertEquals(model.metadata.has("general.name"), true);
});

Deno.test("close() may be repeated, in every form", async () => {
  const model = await Model.open(smollm2.path);
  model.table();
  model.close();
  model.close();
  model[Symbol.dispose]();
  await model[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

Deno.test("using and await using close the model at the end of their block", async () => {
  let first: Model;
  let second: Model;
  {
    using model = await Model.open(smollm2.path);
    await using other = await Model.open(smollm2.path);
    assertSameBits(other.embed([5]), expected);
    first = model;
    second = other;
  }
  assertThrows(() => first.embed([5]), MuserError, "closed");
  assertThrows(() => second.embed([5]), MuserError, "closed");
});

Deno.test("lookups in flight at close() end well, later ones are refused", async () => {
  for (let round = 0; round < 10; round++) {
    const model = await Model.open(smollm2.path);
    const table = model.table();
    const ids = randomIds(4000, table.rowCount, round);
    const wanted = table.rows(ids);
    const running = Array.from({ length: 12 }, () => model.embedAsync(ids));
    model.close();
    assertThrows(() => table.rows([0]), MuserError, "closed");
    const late = assertRejects(() => table.rowsAsync([0]), MuserError, "closed");
    await model[Symbol.asyncDispose]();
    for (const values of await Promise.all(running)) assertSameBits(values, wanted);
    await late;
  }
});

Deno.test("Symbol.asyncDispose waits for the lookups in flight", async () => {
  const model = await Model.open(smollm2.path);
  const ids = new Uint32Array(20_000).fill(5);
  const into = new Float32Array(ids.length * 576).fill(NaN);
  const running = model.embedAsync(ids, { into });
  await model[Symbol.asyncDispose]();
  assertSameBits(into.subarray(-576), expected);
  await running;
});

Deno.test("a handle is given back once: when it is closed and its last call has ended", async () => {
  const released: string[] = [];
  const handle = new Handle("thing", "pointer", (pointer) => released.push(pointer));
  const calls = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  const results = calls.map(({ promise }) => handle.call(() => promise));
  handle.close();
  assertEquals(released, []);
  calls[0]!.resolve(1);
  assertEquals(await results[0], 1);
  assertEquals(released, []);
  calls[1]!.reject(new Error("failed"));
  await assertRejects(() => results[1]!, Error, "failed");
  await handle.released;
  handle.close();
  assertEquals(released, ["pointer"]);
});

/** Runs a module in a process of its own; the model's path is in `path`. */
async function run(code: string, ...flags: string[]): Promise<{ code: number; output: string }> {
  const text = `import { Model } from "${module}";\nconst path = ${JSON.stringify(smollm2.path)};\n${code}`;
  const command = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-config",
      "--no-lock",
      "--allow-all",
      ...flags,
      `data:text/typescript,${encodeURIComponent(text)}`,
    ],
    stdout: "piped",
    stderr: "piped",
  });
  const { code: status, stdout, stderr } = await command.output();
  return { code: status, output: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

Deno.test({
  name: "models that nobody closed are given back once they are garbage",
  ignore: Deno.build.os !== "linux", // counts mappings in /proc
  fn: async () => {
    const code = `
      const mappings = () => Deno.readTextFileSync("/proc/self/maps").split("\\n")
        .filter((line) => line.endsWith(".gguf")).length;
      let most = 0;
      for (let round = 0; round < 20; round++) {
        (await Model.open(path)).table().rows([0]);
        most = Math.max(most, mappings());
      }
      for (let round = 0; round < 10 && mappings() > 0; round++) {
        gc();
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      console.log("most", most > 0, "left", mappings());`;
    const { code: status, output } = await run(code, "--v8-flags=--expose-gc");
    assertEquals(output.trim(), "most true left 0");
    assertEquals(status, 0);
  },
});

Deno.test("a table keeps working after its model has become garbage", async () => {
  const code = `
    const table = await (async () => (await Model.open(path)).table())();
    for (let round = 0; round < 5; round++) {
      gc();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    console.log(table.rows([5])[0]);`;
  const { code: status, output } = await run(code, "--v8-flags=--expose-gc");
  assertEquals([status, output.trim()], [0, String(expected[0])]);
});

Deno.test("arrays of a lookup in flight survive garbage collection", async () => {
  const code = `
    using model = await Model.open(path);
    const running = [];
    for (let round = 0; round < 20; round++) {
      running.push(model.embedAsync(new Uint32Array(3000).fill(5)));
      gc();
    }
    for (const values of await Promise.all(running)) if (values.at(-576) !== values[0]) throw new Error("wrong value");
    console.log("done");`;
  assertEquals(await run(code, "--v8-flags=--expose-gc"), { code: 0, output: "done\n" });
});

Deno.test("a process with models open, closed and at work ends with status 0", async () => {
  const codes = [
    `await Model.open(path);`,
    `const model = await Model.open(path); model.table(); model.embed([1]);`,
    `const model = await Model.open(path); model.embedAsync(new Uint32Array(20000)); model.close();`,
    `const model = await Model.open(path); model.embedAsync(new Uint32Array(20000)); Deno.exit(0);`,
  ];
  for (const code of codes) assertEquals(await run(code), { code: 0, output: "" }, code);
});

Deno.test("an error that nobody catches ends the process with its message", async () => {
  const { code, output } = await run(`(await Model.open(path)).embed([-1]);`);
  assertEquals(code, 1);
  assertStringIncludes(output, "Cannot look up id -1 at position 0");
});

Deno.test("eight workers look rows up at once", async () => {
  const worker = `
    import { Model } from "${module}";
    {
      using model = await Model.open(${JSON.stringify(smollm2.path)});
      const into = new Float32Array(576);
      for (let round = 0; round < 2000; round++) model.embed([5], { into });
      await model.embedAsync([5], { into });
      self.postMessage(into[0]);
    }
    self.close();`;
  const code = `
    const url = ${JSON.stringify(`data:text/typescript,${encodeURIComponent(worker)}`)};
    const values = Array.from({ length: 8 }, () => {
      const { promise, resolve, reject } = Promise.withResolvers();
      const worker = new Worker(url, { type: "module" });
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = reject;
      return promise;
    });
    console.log(...new Set(await Promise.all(values)));`;
  assertEquals(await run(code), { code: 0, output: `${expected[0]}\n` });
});
