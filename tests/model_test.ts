import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { devices, Model, MuserError, types } from "../mod.ts";
import * as gguf from "./support/gguf_writer.ts";
import { smollm2 } from "./support/models.ts";
import { assertSameBits } from "./support/values.ts";

const smollm = await Model.open(smollm2.path);

const small: gguf.FileSpec = {
  metadata: { "general.architecture": gguf.text("llama"), "general.alignment": gguf.u32(64) },
  tensors: [
    { name: "token_embd.weight", type: 0, dimensions: [2, 3], bytes: floats(1, 2, 3, 4, 5, 6) },
    { name: "norm.weight", type: 0, dimensions: [2], bytes: floats(7, 8) },
    { name: "odd.weight", type: 99, dimensions: [2, 2] },
  ],
};

function floats(...values: number[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new Float32Array(values).buffer);
}

Deno.test("open() states the facts of the file", async () => {
  using file = gguf.temporaryGGUF(small);
  using model = await Model.open(file.path, { device: "cpu" });
  const { size } = await Deno.stat(file.path);
  assertEquals(model.path, file.path);
  assertEquals({ ...model.facts }, {
    version: 3,
    size,
    offset: 0,
    alignment: 64,
    dataOffset: 256,
    mapped: true,
    device: "cpu",
    architecture: "llama",
    split: { count: 1, paths: [file.path] },
  });
  assertEquals(model.tensors, [
    { name: "token_embd.weight", type: "F32", dimensions: [2, 3], offset: 256, bytes: 24, shard: 0 },
    { name: "norm.weight", type: "F32", dimensions: [2], offset: 320, bytes: 8, shard: 0 },
    { name: "odd.weight", type: "type 99", dimensions: [2, 2], offset: 384, bytes: 0, shard: 0 },
  ]);
});

Deno.test("open() takes a file URL, with its escapes, and strange characters in a path", async () => {
  const name = "ü %41#?.gguf";
  using file = gguf.temporaryGGUF(small, name);
  const folder = file.path.slice(0, -name.length);
  for (const path of [file.path, new URL(`file://${folder}%C3%BC%20%2541%23%3F.gguf`)]) {
    using model = await Model.open(path);
    assertEquals(model.path, file.path);
    assertEquals([...model.embed([2])], [5, 6]);
  }
});

Deno.test("open() follows a symbolic link", async () => {
  using file = gguf.temporaryGGUF(small);
  const link = `${file.path}.link`;
  await Deno.symlink(file.path, link);
  using model = await Model.open(link);
  assertEquals([...model.embed([0])], [1, 2]);
});

Deno.test("open() finds a GGUF inside a larger file", async () => {
  const whole = gguf.writeGGUF(small);
  for (const offset of [1, 7, 4096]) {
    const larger = new Uint8Array(offset + whole.length + 5).fill(0xaa);
    larger.set(whole, offset);
    using file = gguf.temporaryGGUF(larger);
    for (const map of [true, false]) {
      using model = await Model.open(file.path, { offset, map });
      assertEquals([model.facts.offset, model.facts.size, model.facts.mapped], [offset, larger.length, map]);
      assertEquals(model.tensors[0]?.offset, 256);
      assertEquals([...model.embed([1, 2])], [3, 4, 5, 6]);
      assertEquals(model.metadata.get("general.architecture"), "llama");
    }
  }
});

Deno.test("a file without a token table opens, and embed() then names the tables that it has", async () => {
  const [table, ...others] = small.tensors!;
  using file = gguf.temporaryGGUF({ tensors: [{ ...table!, name: "a.weight" }, ...others] });
  using model = await Model.open(file.path);
  const error = assertThrows(() => model.embed([0]), MuserError, '"a.weight"');
  assertEquals(error.code, "tensor");
  assertEquals([...model.embed([0], { tensor: "a.weight" })], [1, 2]);
});

Deno.test("table() tells why the rows of a tensor cannot be looked up", async () => {
  using file = gguf.temporaryGGUF(small);
  using model = await Model.open(file.path);
  assertEquals(assertThrows(() => model.table("norm.weight"), MuserError).code, "shape");
  assertEquals(assertThrows(() => model.table("odd.weight"), MuserError, "type 99").code, "type");
  assertEquals(assertThrows(() => model.table(""), MuserError).code, "tensor");
  assertThrows(() => model.table("token_embd.weight\0"), TypeError, "it contains a NUL");
});

Deno.test("check() tells whether the file is still the one that was opened", async () => {
  using file = gguf.temporaryGGUF(small);
  using model = await Model.open(file.path);
  model.check();
  await Deno.utime(file.path, 1, 1);
  assertEquals(assertThrows(() => model.check(), MuserError).code, "changed");
});

Deno.test("a part of a split model without its siblings is refused", async () => {
  using file = gguf.temporaryGGUF({
    ...small,
    metadata: { "split.no": gguf.u16(0), "split.count": gguf.u16(2), "split.tensors.count": gguf.i32(9) },
  });
  const error = await assertRejects(() => Model.open(file.path), MuserError);
  assertEquals(error.code, "split");
});

Deno.test("tokenizer is built once, and works after close()", async () => {
  const model = await Model.open(smollm2.path);
  const { tokenizer } = model;
  assertEquals(model.tokenizer === tokenizer, true);
  const ids = tokenizer.encode("Hello world");
  assertSameBits(model.embed(ids), smollm.embed([...ids]));
  model.close();
  assertEquals(tokenizer.decode(ids), "Hello world");
});

Deno.test("several models are open at once, and one file twice", async () => {
  using file = gguf.temporaryGGUF(small);
  using first = await Model.open(file.path);
  using second = await Model.open(file.path);
  first.close();
  assertEquals([...second.embed([0])], [1, 2]);
  assertSameBits(smollm.embed([1]), smollm.table().rows([1]));
});

Deno.test("devices() lists the CPU, which always runs, Metal and CUDA", () => {
  const all = devices();
  assertEquals(all.map(({ name }) => name), ["cpu", "metal", "cuda"]);
  assertEquals([all[0]?.available, all[0]?.reason], [true, ""]);
  for (const { available, reason } of all) assertEquals(reason === "", available);
});

Deno.test("types() lists the types of the format with what is so about their rows", () => {
  const all = types();
  assertEquals(all.find(({ name }) => name === "Q4_K"), {
    name: "Q4_K",
    id: 12,
    blockValues: 256,
    blockBytes: 144,
    kernel: "muser_embedding_q4k",
    reason: "",
  });
  for (const { kernel, reason } of all) assertEquals(reason === "", kernel !== "");
  assertEquals(new Set(all.map(({ id }) => id)).size, all.length);
});
