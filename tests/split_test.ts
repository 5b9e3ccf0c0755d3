import { assertEquals, assertRejects } from "@std/assert";
import { Model, MuserError } from "../mod.ts";
import { i32, type TensorSpec, text, u16, u32, u64, type Value, writeGGUF } from "./support/gguf_writer.ts";
import { testDevice } from "./support/device.ts";
import { smollm2 } from "./support/models.ts";
import { dequantize } from "./support/oracle.ts";
import { assertSameBits, randomBytes } from "./support/values.ts";

const Q8_0 = 8;
const TYPES: Record<string, number> = { F32: 0, Q4_1: 3, Q8_0 };

/** A folder of parts, gone with its scope. */
function folder(): { path: string } & Disposable {
  const path = Deno.makeTempDirSync();
  return { path, [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }) };
}

function nameOf(prefix: string, index: number, count: number): string {
  const digits = (number: number) => String(number).padStart(5, "0");
  return `${prefix}-${digits(index + 1)}-of-${digits(count)}.gguf`;
}

/** Writes tensors as parts; returns their paths. */
function writeParts(
  prefix: string,
  parts: readonly (readonly TensorSpec[])[],
  metadata: Record<string, Value> = {},
  declared = parts.reduce((sum, tensors) => sum + tensors.length, 0),
): string[] {
  return parts.map((tensors, index) => {
    const path = nameOf(prefix, index, parts.length);
    const split = {
      "split.no": u16(index),
      "split.count": u16(parts.length),
      "split.tensors.count": i32(declared),
    };
    Deno.writeFileSync(path, writeGGUF({ metadata: index === 0 ? { ...metadata, ...split } : split, tensors }));
    return path;
  });
}

/** A small model in three parts: the token table in the second, another table in the third. */
function small(): TensorSpec[][] {
  const table = (name: string, rows: number, seed: number): TensorSpec => ({
    name,
    type: Q8_0,
    dimensions: [32, rows],
    bytes: randomBytes(34 * rows, seed),
  });
  return [[], [table("token_embd.weight", 7, 1)], [table("other.weight", 5, 2), table("third.weight", 3, 3)]];
}

async function refusal(path: string): Promise<string> {
  const error = await assertRejects(() => Model.open(path), MuserError);
  assertEquals(error.code, "split", error.message);
  return error.message;
}

Deno.test({
  name: "a real model split in two gives the same rows by either part",
  ignore: !smollm2.available,
  async fn() {
    using where = folder();
    using whole = await Model.open(smollm2.path, { device: testDevice });
    const file = await Deno.readFile(smollm2.path);
    const tensors = whole.tensors.map(({ name, type, dimensions, offset, bytes }): TensorSpec => ({
      name,
      type: TYPES[type]!,
      dimensions,
      bytes: file.subarray(offset, offset + bytes),
    }));
    const parts = writeParts(
      `${where.path}/smollm2`,
      [tensors.slice(100), tensors.slice(0, 100)],
      { "general.architecture": text("llama"), "llama.embedding_length": u32(576) },
    );
    const ids = [0, 42, 42, 49151];
    const expected = await dequantize(smollm2.path, "token_embd.weight", ids);
    for (const part of parts) {
      using model = await Model.open(part, { device: testDevice });
      assertSameBits(model.embed(ids), expected);
      assertEquals(model.facts.split, { count: 2, paths: parts });
      assertEquals(model.facts.architecture, "llama");
      assertEquals(model.tensors.length, whole.tensors.length);
    }
  },
});

Deno.test("tables in every part of a split model are found", async () => {
  using where = folder();
  const parts = writeParts(`${where.path}/m`, small());
  using model = await Model.open(parts[1]!, { device: testDevice });
  assertEquals(model.tensors.map(({ name, shard }) => `${name} ${shard}`), [
    "token_embd.weight 1",
    "other.weight 2",
    "third.weight 2",
  ]);
  for (const [name, path] of [["token_embd.weight", parts[1]!], ["third.weight", parts[2]!]] as const) {
    assertSameBits(model.table(name).rows([2, 0]), await dequantize(path, name, [2, 0]));
  }
});

Deno.test("a part that holds no wanted table is not mapped", async () => {
  using where = folder();
  const parts = writeParts(`${where.path}/m`, small());
  using model = await Model.open(parts[0]!);
  if (Deno.build.os === "linux") {
    model.embed([0]);
    assertEquals((await Deno.readTextFile("/proc/self/maps")).includes(parts[2]!), false);
    model.table("other.weight");
    assertEquals((await Deno.readTextFile("/proc/self/maps")).includes(parts[2]!), true);
  }
});

Deno.test("parts are found by the names of links, whatever these point to", async () => {
  using where = folder();
  const parts = writeParts(`${where.path}/m`, small());
  Deno.mkdirSync(`${where.path}/links`);
  parts.forEach((part, index) => {
    Deno.renameSync(part, `${where.path}/blob${index}`);
    Deno.symlinkSync(`../blob${index}`, nameOf(`${where.path}/links/model`, index, 3));
  });
  using model = await Model.open(nameOf(`${where.path}/links/model`, 2, 3));
  assertEquals(model.embed([6]).length, 32);
});

Deno.test("missing parts are all named before any is opened", async () => {
  using where = folder();
  const parts = writeParts(`${where.path}/m`, small());
  Deno.removeSync(parts[0]!);
  Deno.removeSync(parts[2]!);
  assertEquals(
    await refusal(parts[1]!),
    `Cannot open "${parts[1]}": the parts "${parts[0]}", "${parts[2]}" are missing, put them beside it`,
  );
});

Deno.test("a part under another name is refused, and so are parts in the wrong order", async () => {
  using where = folder();
  const parts = writeParts(`${where.path}/m`, small());
  Deno.copyFileSync(parts[1]!, `${where.path}/renamed.gguf`);
  assertEquals((await refusal(`${where.path}/renamed.gguf`)).includes("it is part 2 of 3 of a split model"), true);
  Deno.renameSync(parts[0]!, `${where.path}/swap`);
  Deno.renameSync(parts[1]!, parts[0]!);
  Deno.renameSync(`${where.path}/swap`, parts[1]!);
  assertEquals((await refusal(parts[0]!)).includes("was given as part 1 of 3"), true);
});

Deno.test("parts joined end to end are recognised", async () => {
  using where = folder();
  const parts = writeParts(`${where.path}/m`, small());
  const joined = `${where.path}/joined.gguf`;
  for (const part of parts) Deno.writeFileSync(joined, Deno.readFileSync(part), { append: true });
  assertEquals((await refusal(joined)).includes("joined end to end"), true);
});

Deno.test("parts of different models are refused", async () => {
  using where = folder();
  const parts = writeParts(`${where.path}/m`, small(), {}, 4);
  assertEquals((await refusal(parts[0]!)).includes("its parts have 3 tensors, and it says that there are 4"), true);
  const [first, second] = small();
  const twice = writeParts(`${where.path}/twice`, [first!, second!, second!]);
  const error = await assertRejects(() => Model.open(twice[0]!), MuserError);
  assertEquals([error.code, error.message.includes("is in two parts")], ["duplicate", true]);
});

Deno.test("a file whose name looks like a part's but is whole opens", async () => {
  using where = folder();
  const path = nameOf(`${where.path}/whole`, 1, 4);
  Deno.writeFileSync(path, writeGGUF({ tensors: small()[1]!, metadata: { "split.count": u64(1n) } }));
  using model = await Model.open(path);
  assertEquals(model.facts.split, { count: 1, paths: [path] });
});
