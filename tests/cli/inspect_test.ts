import { assertEquals, assertMatch } from "@std/assert";
import { array, type FileSpec, i32, temporaryGGUF, text, u16, u32, writeGGUF } from "../support/gguf_writer.ts";
import { smollm2 } from "../support/models.ts";
import { readHeader } from "../support/oracle.ts";
import { littleModel, muser } from "./muser.ts";

Deno.test("muser inspect describes the file and its token table", async () => {
  using file = temporaryGGUF(littleModel());
  const { out, error, status } = await muser(["inspect", file.path]);
  assertEquals([status, error], [0, ""]);
  for (
    const line of [
      /^ {2}name +Little$/m,
      /^ {2}architecture +llama$/m,
      /^ {2}format +GGUF 3, alignment 32$/m,
      /^ {2}contents +3 tensors, 8 metadata keys$/m,
      /^ {2}vocabulary +4 entries, as many as rows$/m,
      /^ {2}head +tied, token_embd.weight serves as the head$/m,
      /^token_embd.weight\n {2}type +F32\n {2}shape +4 rows of 3 values\n {2}row +12 bytes\n {2}size +48 bytes, \d/m,
      /^ {2}kernel +muser_embedding_f32\n {2}placement +mapped/m,
      /^ {2}F32 +2 +60 B/m,
    ]
  ) assertMatch(out, line);
});

Deno.test("muser inspect --json holds everything, with the offsets and sizes in bytes", async () => {
  using file = temporaryGGUF(littleModel());
  const facts = JSON.parse((await muser(["inspect", file.path, "--json"])).out);
  const oracle = await readHeader(file.path);
  assertEquals(facts.tables.map(({ kernel: _, placement: __, ...table }: Record<string, unknown>) => table), [
    {
      name: "token_embd.weight",
      type: "F32",
      columns: 3,
      rows: 4,
      rowBytes: 12,
      bytes: 48,
      shard: 0,
      offset: oracle.dataOffset,
    },
    {
      name: "blk.0.half.weight",
      type: "F16",
      columns: 2,
      rows: 2,
      rowBytes: 4,
      bytes: 8,
      shard: 0,
      offset: oracle.dataOffset + 64,
    },
  ]);
  assertEquals(facts.tensors, oracle.tensors.map((tensor) => ({ ...tensor, shard: 0 })));
  assertEquals([facts.version, facts.dataOffset, facts.size], [3, oracle.dataOffset, Deno.statSync(file.path).size]);
  assertEquals(facts.metadata.map(({ key }: { key: string }) => key), Object.keys(oracle.metadata));
  const value = (name: string): unknown => facts.metadata.find(({ key }: { key: string }) => key === name).value;
  assertEquals([value("general.name"), value("little.large")], ["Little", "9007199254740993"]);
  assertEquals([value("tokenizer.ggml.tokens"), value("little.numbers")], [["a", "Ġb", "-c", "d\n"], undefined]);
});

Deno.test("muser inspect --tensors and --metadata list them", async () => {
  using file = temporaryGGUF(littleModel());
  const { out } = await muser(["inspect", file.path, "--tensors", "--metadata"]);
  assertMatch(out, /^ {2}blk\.0\.half\.weight +F16 +2 × 2 +8 B +[\d,]+$/m);
  assertMatch(out, /^ {2}norm\.weight +F32 +3 +12 B/m);
  assertMatch(out, /^ {2}little\.numbers +uint32\[100\] +\[0, 1, 2, …\]$/m);
  assertMatch(out, /^ {2}llama\.rope\.freq_base +float32 +0\.1$/m);
  assertMatch(out, /^ {2}tokenizer\.chat_template +string +first line\\nsecond line$/m);
});

Deno.test("muser inspect --metadata KEY writes the whole value", async () => {
  using file = temporaryGGUF(littleModel());
  const value = async (...args: string[]): Promise<string> => (await muser(["inspect", ...args])).out;
  const numbers = Array.from({ length: 100 }, (_, index) => index);
  assertEquals(await value(file.path, "--metadata", "little.numbers"), numbers.map((number) => `${number}\n`).join(""));
  assertEquals(JSON.parse(await value("--metadata", "little.numbers", "--json", file.path)), numbers);
  assertEquals(await value(file.path, "--metadata=tokenizer.ggml.tokens"), "a\nĠb\n-c\nd\\n\n");
  assertEquals(JSON.parse(await value(file.path, "--metadata=tokenizer.ggml.tokens", "--json")).at(-1), "d\n");
  assertEquals(await value(file.path, "--metadata", "tokenizer.chat_template"), "first line\nsecond line\n");
  assertEquals(await value(file.path, "--metadata", "llama.rope.freq_base"), "0.1\n");
  assertEquals(await value(file.path, "--metadata", "little.large"), "9007199254740993\n");
  assertMatch(await value("--metadata", file.path), /general\.architecture/);
  const run = await muser(["inspect", file.path, "--metadata", "general.nam"]);
  assertMatch(run.error, /^muser: Cannot read metadata "general.nam": .*did you mean "general.name"\?\n$/);
  assertEquals(run.status, 1);
});

Deno.test("muser inspect --metadata KEY streams an array of any length in full", async () => {
  const values = Array.from({ length: 300_000 }, (_, index) => u32(index));
  const none = array([], 4);
  using file = temporaryGGUF({ metadata: { long: array(values), none }, tensors: [] });
  const lines = (await muser(["inspect", file.path, "--metadata", "long"])).out.split("\n");
  assertEquals([lines.length, lines[0], lines[299_999]], [300_001, "0", "299999"]);
  assertEquals((await muser(["inspect", file.path, "--metadata", "none"])).out, "");
  assertEquals(JSON.parse((await muser(["inspect", file.path, "--metadata", "none", "--json"])).out), []);
});

Deno.test("muser inspect reports a vocabulary of another size, and a head that should be there", async () => {
  const { metadata, tensors } = littleModel();
  const renamed = {
    "general.architecture": text("muse-glimmer"),
    "tokenizer.ggml.tokens": array(["a", "b"].map((token) => text(token))),
  };
  using file = temporaryGGUF({ metadata: { ...metadata, ...renamed }, tensors: tensors! });
  const { out, status } = await muser(["inspect", file.path]);
  assertMatch(out, /^The vocabulary has 2 entries and the table 4 rows\.$/m);
  assertMatch(out, /^A muse-glimmer model has a head of its own, but there is no output\.weight\.$/m);
  assertEquals(status, 0);
  const facts = JSON.parse((await muser(["inspect", file.path, "--json"])).out);
  assertEquals([facts.head, facts.vocabulary.size, facts.notes.length], ["missing", 2, 2]);
});

Deno.test("muser inspect of a file without a token table, or without tensors, is no error", async () => {
  const { metadata, tensors } = littleModel();
  using headless = temporaryGGUF({ metadata: metadata!, tensors: tensors!.slice(1) });
  using empty = temporaryGGUF({ metadata: {}, tensors: [] });
  for (const { path } of [headless, empty]) {
    const run = await muser(["inspect", path]);
    assertMatch(run.out, /^There is no token_embd\.weight: /m);
    assertEquals([run.status, run.error], [0, ""]);
  }
});

Deno.test("muser inspect writes out control characters in names, so that a file cannot command the terminal", async () => {
  const { tensors } = littleModel();
  const name = "evil\x1b[2Jname";
  using file = temporaryGGUF({ metadata: { "general.name": text(name) }, tensors: [{ ...tensors![0]!, name }] });
  for (const args of [["--tensors", "--metadata"], ["--json"]]) {
    const { out } = await muser(["inspect", file.path, ...args]);
    assertEquals([out.includes("\x1b"), out.includes("\\u001b[2J")], [false, true]);
  }
});

Deno.test("muser inspect tells in which file of a split model its tables lie", async () => {
  const { metadata, tensors } = littleModel();
  const part = (index: number): FileSpec => ({
    metadata: {
      ...(index === 0 ? metadata : {}),
      "split.no": u16(index),
      "split.count": u16(2),
      "split.tensors.count": i32(3),
    },
    tensors: index === 0 ? tensors!.slice(1) : tensors!.slice(0, 1),
  });
  using first = temporaryGGUF(part(0), "m-00001-of-00002.gguf");
  Deno.writeFileSync(first.path.replace("00001-of", "00002-of"), writeGGUF(part(1)));
  const run = await muser(["inspect", first.path, "--tensors"]);
  assertMatch(run.out, /^ {2}files +m-00001-of-00002\.gguf, m-00002-of-00002\.gguf$/m);
  assertMatch(run.out, /^token_embd\.weight\n( .*\n)*? {2}file +m-00002-of-00002\.gguf$/m);
  assertMatch(run.out, /^ {2}norm\.weight .* 1$/m);
  assertEquals((await muser(["embed", first.path, "3"])).out, "65504 -1e-7 123456.79\n");
});

Deno.test({
  name: "muser inspect --json tells of a real model what the gguf package tells",
  ignore: !smollm2.available,
  async fn() {
    const facts = JSON.parse((await muser(["inspect", smollm2.path, "--json"])).out);
    const oracle = await readHeader(smollm2.path);
    const known = (list: { type: string }[]): { type: string }[] =>
      list.filter(({ type }) => !type.startsWith("type "));
    const expected = oracle.tensors.map((tensor) => ({ ...tensor, shard: 0 }));
    const names = new Set(known(facts.tensors).map((tensor) => (tensor as unknown as { name: string }).name));
    assertEquals(known(facts.tensors), expected.filter(({ name }) => names.has(name)));
    assertEquals([facts.tables[0].name, facts.tables[0].rows], ["token_embd.weight", 49152]);
    assertEquals([facts.tables[0].rowBytes, facts.tables[0].columns], [612, 576]);
  },
});

Deno.test("muser verify compares every table and says what was checked", async () => {
  using file = temporaryGGUF(littleModel());
  const run = await muser(["verify", file.path]);
  assertMatch(
    run.out,
    // Where there is a GPU, in two more.
    /every rule of the format holds\n2 tables: 6 rows looked up in \d ways \(cpu mapped, cpu read[\w, ]*\)/,
  );
  assertEquals([run.status, run.error], [0, ""]);
});

Deno.test("muser verify fails when there was nothing to check", async () => {
  using file = temporaryGGUF({ metadata: {}, tensors: [] });
  const run = await muser(["verify", file.path]);
  assertMatch(run.error, /^muser: Cannot verify [^\n]*: nothing was checked[^\n]*\n$/);
  assertEquals([run.status, run.out], [1, ""]);
});
