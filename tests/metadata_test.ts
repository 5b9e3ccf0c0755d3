import { assertEquals, assertThrows } from "@std/assert";
import { Model } from "../mod.ts";
import * as gguf from "./support/gguf_writer.ts";
import { gemma3, smollm2 } from "./support/models.ts";
import { readHeader, runPython } from "./support/oracle.ts";

const smollm = await Model.open(smollm2.path);
const gemma = gemma3.available ? await Model.open(gemma3.path) : undefined;

/** Opens a file with this metadata and a small table; both go away with `using`. */
async function withMetadata(metadata: gguf.FileSpec["metadata"]): Promise<Model & { remove: Disposable }> {
  const file = gguf.temporaryGGUF({ metadata });
  return Object.assign(await Model.open(file.path), { remove: file });
}

Deno.test("get() reads every scalar type to its limits", async () => {
  using model = await withMetadata({
    u8: gguf.u8(255),
    i8: gguf.i8(-128),
    u16: gguf.u16(65535),
    i16: gguf.i16(-32768),
    u32: gguf.u32(2 ** 32 - 1),
    i32: gguf.i32(-(2 ** 31)),
    u64: gguf.u64(2n ** 64n - 1n),
    i64: gguf.i64(-(2n ** 63n)),
    f32: gguf.f32(0.1),
    f64: gguf.f64(0.1),
    infinite: gguf.f32(-Infinity),
    nan: gguf.f64(NaN),
    yes: gguf.bool(true),
    no: gguf.bool(false),
    text: gguf.text("grüß \u{1F600}"),
    nothing: gguf.text(""),
  });
  using _ = model.remove;
  assertEquals(Object.fromEntries(model.metadata.keys().map((key) => [key, model.metadata.get(key)])), {
    u8: 255,
    i8: -128,
    u16: 65535,
    i16: -32768,
    u32: 2 ** 32 - 1,
    i32: -(2 ** 31),
    u64: 2n ** 64n - 1n,
    i64: -(2n ** 63n),
    f32: Math.fround(0.1),
    f64: 0.1,
    infinite: -Infinity,
    nan: NaN,
    yes: true,
    no: false,
    text: "grüß \u{1F600}",
    nothing: "",
  });
});

Deno.test("get() reads arrays of every type as the array of that type", async () => {
  const expected = {
    u8: new Uint8Array([0, 255]),
    i8: new Int8Array([-128, 127]),
    u16: new Uint16Array([0, 65535]),
    i16: new Int16Array([-32768, 32767]),
    u32: new Uint32Array([0, 2 ** 32 - 1]),
    i32: new Int32Array([-(2 ** 31), 2 ** 31 - 1]),
    u64: new BigUint64Array([0n, 2n ** 64n - 1n]),
    i64: new BigInt64Array([-(2n ** 63n), 2n ** 63n - 1n]),
    f32: new Float32Array([0.5, NaN]),
    f64: new Float64Array([0.1, -0]),
  };
  const made = Object.entries(expected).map(([key, values]) => {
    const make = gguf[key as keyof typeof expected] as (value: number | bigint) => gguf.Value;
    return [key, gguf.array(Array.from<number | bigint, gguf.Value>(values, (value) => make(value)))] as const;
  });
  using model = await withMetadata([
    ...made,
    ["flags", gguf.array([gguf.bool(true), gguf.bool(false)])],
    ["texts", gguf.array([gguf.text("a"), gguf.text(""), gguf.text("\uFEFFb")])],
    ["none", gguf.array([], 8)],
  ]);
  using _ = model.remove;
  for (const [key, values] of Object.entries(expected)) {
    assertEquals(model.metadata.get(key), values, key);
    assertEquals([...model.metadata.elements(key)], [...values] as unknown[] as number[], key);
  }
  assertEquals(model.metadata.get("flags"), [true, false]);
  assertEquals([...model.metadata.elements("flags")], [true, false]);
  assertEquals(model.metadata.get("texts"), ["a", "", "\uFEFFb"]);
  assertEquals(model.metadata.get("none"), []);
  assertEquals([...model.metadata.elements("none")], []);
  assertEquals(model.metadata.strings("none").length, 0);
});

Deno.test("a text that is no UTF-8 is read with U+FFFD, and its bytes stay as they are", async () => {
  const bytes = new Uint8Array([0x61, 0xff, 0xc3]);
  using model = await withMetadata({ text: gguf.text(bytes), texts: gguf.array([gguf.text(bytes)]) });
  using _ = model.remove;
  assertEquals(model.metadata.get("text"), "a\uFFFD\uFFFD");
  assertEquals(model.metadata.strings("texts").at(0), "a\uFFFD\uFFFD");
  assertEquals(model.metadata.strings("texts").bytesAt(0), bytes);
});

Deno.test("elements() reads texts that lie across the pieces in which the file is read", async () => {
  // Lengths up to more than a piece of 64 KiB, so that lengths and texts are cut in every way.
  const texts = [65528, 65529, 70000, 1, 65520, 0, 131072, 7].map((length, index) => String(index).repeat(length));
  texts.push(...Array.from({ length: 20000 }, (_, index) => "x".repeat(index % 13)));
  using model = await withMetadata({ texts: gguf.array(texts.map((text) => gguf.text(text))) });
  using _ = model.remove;
  assertEquals([...model.metadata.elements("texts")], texts);
  const strings = model.metadata.strings("texts");
  assertEquals(Array.from({ length: strings.length }, (_, index) => strings.at(index)), texts);
});

Deno.test("elements() reads numbers that take several pieces", async () => {
  const numbers = Float64Array.from({ length: 20000 }, (_, index) => index / 7);
  using model = await withMetadata({ numbers: gguf.array(Array.from(numbers, gguf.f64)) });
  using _ = model.remove;
  assertEquals(Float64Array.from(model.metadata.elements("numbers") as Iterable<number>), numbers);
});

Deno.test("rawBytes() gives a value as the file holds it", async () => {
  const values = { number: gguf.u32(7), text: gguf.text("abc"), list: gguf.array([gguf.u16(1), gguf.u16(2)]) };
  using model = await withMetadata(values);
  using _ = model.remove;
  assertEquals(model.metadata.rawBytes("number"), values.number.bytes);
  assertEquals(model.metadata.rawBytes("text"), values.text.bytes);
  assertEquals(model.metadata.rawBytes("list"), values.list.bytes.slice(12));
});

Deno.test("type() tells what a value is, has() whether it is there", () => {
  const { metadata } = smollm;
  assertEquals(metadata.type("general.architecture"), { type: "string", element: "", count: 1, bytes: 13 });
  assertEquals(metadata.type("tokenizer.ggml.token_type"), {
    type: "array",
    element: "int32",
    count: 49152,
    bytes: 196608,
  });
  assertEquals([metadata.has("general.architecture"), metadata.has("general.nothing")], [true, false]);
  assertEquals([metadata.type("general.nothing"), metadata.get("general.nothing")], [undefined, undefined]);
});

Deno.test("reading what is not there, or not of that kind, says what to do instead", () => {
  const { metadata } = smollm;
  assertThrows(
    () => metadata.elements("a"),
    RangeError,
    'Cannot read metadata "a": the file has no such key, see keys()',
  );
  assertThrows(
    () => metadata.rawBytes("a"),
    RangeError,
    'Cannot read metadata "a": the file has no such key, see keys()',
  );
  assertThrows(
    () => metadata.elements("general.name"),
    TypeError,
    'Cannot read elements of "general.name": it is a string, use get()',
  );
  assertThrows(
    () => metadata.strings("tokenizer.ggml.token_type"),
    TypeError,
    'Cannot read texts of "tokenizer.ggml.token_type": its elements are int32, use get()',
  );
  assertThrows(
    () => metadata.strings("tokenizer.ggml.tokens").at(49152),
    RangeError,
    "Cannot read text 49152: there are 49152 texts, count from 0",
  );
});

// The gguf package is asked about the smaller model only: it makes an object of every element, which takes seconds.
Deno.test("metadata and tensors of smollm2 are what the gguf package reads", async () => {
  const header = await readHeader(smollm.path);
  assertEquals(smollm.metadata.keys().sort(), Object.keys(header.metadata).sort());
  for (const [key, value] of Object.entries(header.metadata)) {
    const type = smollm.metadata.type(key)!;
    const ours = type.type === "array" ? { count: type.count } : plain(smollm.metadata.get(key));
    assertEquals(ours, typeof value === "object" ? { count: value.count } : value, key);
  }
  const tensors = smollm.tensors.map(({ name, dimensions, offset }) => ({ name, dimensions, offset }));
  assertEquals(tensors, header.tensors.map(({ name, dimensions, offset }) => ({ name, dimensions, offset })));
});

for (const [name, model] of Object.entries({ smollm2: smollm, gemma3: gemma })) {
  Deno.test({
    name: `find() finds every token of ${name} by its text and by its bytes`,
    ignore: model === undefined,
    fn: () => {
      for (let id = 0; id < model!.vocabulary.size; id++) {
        const { text, bytes } = model!.token(id);
        assertEquals([model!.find(text), model!.find(bytes)], [id, id]);
      }
      assertEquals(model!.find("no token has this text"), undefined);
      assertEquals(model!.find(""), undefined);
    },
  });
}

Deno.test("tokens and kinds of smollm2 are what the gguf package reads", async () => {
  const kinds = [undefined, "normal", "unknown", "control", "user-defined", "unused", "byte"];
  const entries = await readVocabulary(smollm.path);
  assertEquals(smollm.vocabulary.size, entries.length);
  entries.forEach(({ bytes, kind }, id) => {
    const token = smollm.token(id);
    assertEquals([token.id, token.bytes, token.kind, token.score], [id, bytes, kinds[kind], undefined]);
  });
});

Deno.test({
  name: "token() gives text, bytes, kind and score of Gemma 3's special entries",
  ignore: gemma === undefined,
  fn: () => {
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    const expected: [number, string, string][] = [
      [0, "<pad>", "control"],
      [2, "<bos>", "control"],
      [107, "\n", "user-defined"],
      [138, "  ", "user-defined"],
      [238, "<0x00>", "byte"],
      [255999, "<start_of_image>", "user-defined"],
    ];
    for (const [id, text, kind] of expected) {
      const token = gemma!.token(id);
      assertEquals([token.text, token.bytes, token.kind, typeof token.score], [text, bytes(text), kind, "number"]);
    }
    // A byte order mark is a text of its own there.
    const mark = gemma!.find("\uFEFF")!;
    assertEquals(gemma!.token(mark).text, "\uFEFF");
  },
});

function plain(value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}

/** Every entry of a vocabulary as the gguf package reads it. */
async function readVocabulary(path: string): Promise<{ bytes: Uint8Array; kind: number }[]> {
  const script = `
import json, sys
from gguf import GGUFReader
fields = GGUFReader(sys.argv[1]).fields
tokens = fields["tokenizer.ggml.tokens"]
kinds = fields["tokenizer.ggml.token_type"]
json.dump([[bytes(tokens.parts[i]).hex(), kinds.parts[j][0].item()] for i, j in zip(tokens.data, kinds.data)], sys.stdout)
`;
  const output = new TextDecoder().decode(await runPython("-c", [script, path]));
  return (JSON.parse(output) as [string, number][]).map(([hex, kind]) => ({ bytes: Uint8Array.fromHex(hex), kind }));
}

Deno.test("find() gives the lowest id where several entries have one text", async () => {
  using model = await withMetadata({
    "tokenizer.ggml.tokens": gguf.array(["b", "a", "a", ""].map((it) => gguf.text(it))),
  });
  using _ = model.remove;
  assertEquals([model.find("a"), model.find("b"), model.find("")], [1, 0, 3]);
  const { kind, score } = model.token(0);
  assertEquals([kind, score], [undefined, undefined]);
});

Deno.test("token() rejects what is no id", () => {
  assertThrows(
    () => smollm.token(49152),
    RangeError,
    "Cannot read token 49152: the vocabulary has 49152 entries, use ids from 0 to 49151",
  );
  for (const id of [-1, 0.5, NaN]) assertThrows(() => smollm.token(id), RangeError, `Cannot read token ${id}: `);
  assertThrows(() => smollm.token("1" as unknown as number), TypeError, "Cannot read token 1: its id is no number");
});

Deno.test("a file without a vocabulary says so", async () => {
  using model = await withMetadata({ "tokenizer.ggml.tokens": gguf.text("no array") });
  using _ = model.remove;
  assertEquals(model.vocabulary.size, 0);
  for (const read of [() => model.token(0), () => model.find("a")]) {
    const error = assertThrows(read, Error, "the file has no vocabulary (tokenizer.ggml.tokens), use ids");
    assertEquals((error as { code?: string }).code, "vocabulary");
  }
});
