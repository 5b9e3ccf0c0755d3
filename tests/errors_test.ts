import { assertEquals, assertInstanceOf, assertRejects, assertThrows } from "@std/assert";
import { type Ids, Model, MuserError } from "../mod.ts";
import { testDevice } from "./support/device.ts";
import * as gguf from "./support/gguf_writer.ts";
import { smollm2 } from "./support/models.ts";

const model = await Model.open(smollm2.path, { device: testDevice });
const table = model.table();

/** The error that `open` is rejected with, which is a `MuserError`. */
const refused = (path: string | URL, options?: Parameters<typeof Model.open>[1]): Promise<MuserError> =>
  assertRejects(() => Model.open(path, options), MuserError);

const limit = 'table "token_embd.weight" has 49152 rows, use ids from 0 to 49151';
const badIds: [ids: unknown, kind: typeof RangeError | typeof TypeError, message: string][] = [
  [[0, 0, 0, 49152], RangeError, `Cannot look up id 49152 at position 3: ${limit}`],
  [new Uint32Array([0, 0, 0, 49152]), RangeError, `Cannot look up id 49152 at position 3: ${limit}`],
  [new Uint32Array([2 ** 32 - 1]), RangeError, `Cannot look up id 4294967295 at position 0: ${limit}`],
  [[-1], RangeError, `Cannot look up id -1 at position 0: ${limit}`],
  [new Int32Array([5, -7]), RangeError, `Cannot look up id -7 at position 1: ${limit}`],
  [[2 ** 32], RangeError, `Cannot look up id 4294967296 at position 0: ${limit}`],
  [[2n ** 64n], RangeError, `Cannot look up id 18446744073709551616 at position 0: ${limit}`],
  [[-1n], RangeError, `Cannot look up id -1 at position 0: ${limit}`],
  [new BigInt64Array([-1n]), RangeError, `Cannot look up id -1 at position 0: ${limit}`],
  [[1.5], RangeError, "Cannot look up id 1.5 at position 0: it is no integer, use ids from 0 to 49151"],
  [[NaN], RangeError, "Cannot look up id NaN at position 0: it is no integer, use ids from 0 to 49151"],
  [[0, Infinity], RangeError, "Cannot look up id Infinity at position 1: it is no integer, use ids from 0 to 49151"],
  [["7"], TypeError, 'Cannot look up the id at position 0: it is the text "7", use numbers or bigints'],
  [[0, null], TypeError, "Cannot look up the id at position 1: it is null, use numbers or bigints"],
  [[, 0], TypeError, "Cannot look up the id at position 0: it is undefined, use numbers or bigints"],
  [[{}], TypeError, "Cannot look up the id at position 0: it is an Object, use numbers or bigints"],
  [[true], TypeError, "Cannot look up the id at position 0: it is true, use numbers or bigints"],
  [7, TypeError, "Cannot look up ids in 7: use a Uint32Array or an array of integers"],
  ["7", TypeError, 'Cannot look up ids in the text "7": use a Uint32Array or an array of integers'],
  [null, TypeError, "Cannot look up ids in null: use a Uint32Array or an array of integers"],
  [undefined, TypeError, "Cannot look up ids in undefined: use a Uint32Array or an array of integers"],
  [new Set([1]), TypeError, "Cannot look up ids in a Set: use a Uint32Array or an array of integers"],
  [new Float32Array([1]), TypeError, "Cannot look up ids in a Float32Array: use a Uint32Array or an array of integers"],
  [
    new DataView(new ArrayBuffer(4)),
    TypeError,
    "Cannot look up ids in a DataView: use a Uint32Array or an array of integers",
  ],
  [new ArrayBuffer(4), TypeError, "Cannot look up ids in an ArrayBuffer: use a Uint32Array or an array of integers"],
];

for (const [ids, kind, message] of badIds) {
  Deno.test(`rows() and rowsAsync() reject ids that are wrong: ${message}`, async () => {
    assertEquals(assertThrows(() => table.rows(ids as Ids), kind).message, message);
    assertEquals((await assertRejects(() => table.rowsAsync(ids as Ids), kind)).message, message);
  });
}

const badOutputs: [into: unknown, kind: typeof RangeError | typeof TypeError, message: string][] = [
  [new Float32Array(575), RangeError, 'Cannot write 1 row of 576 values: "into" has 575 values, it needs 576'],
  [new Float32Array(577), RangeError, 'Cannot write 1 row of 576 values: "into" has 577 values, it needs 576'],
  [
    new Float64Array(576),
    TypeError,
    'Cannot write 1 row of 576 values: "into" is no Float32Array, use one of 576 values',
  ],
  [
    new Float16Array(576),
    TypeError,
    'Cannot write 1 row of 576 values: "into" is no Float32Array, use one of 576 values',
  ],
  [[], TypeError, 'Cannot write 1 row of 576 values: "into" is no Float32Array, use one of 576 values'],
  [null, TypeError, 'Cannot write 1 row of 576 values: "into" is no Float32Array, use one of 576 values'],
];

for (const [into, kind, message] of badOutputs) {
  Deno.test(`rows() and rowsAsync() reject an array that does not fit: ${message}`, async () => {
    const options = { into: into as Float32Array };
    assertEquals(assertThrows(() => table.rows([0], options), kind).message, message);
    assertEquals((await assertRejects(() => table.rowsAsync([0], options), kind)).message, message);
  });
}

Deno.test("rows() of a table that writes f16 rejects a Float32Array", () => {
  const half = model.table("token_embd.weight", { output: "f16" });
  assertThrows(
    () => half.rows([0], { into: new Float32Array(576) as unknown as Float16Array }),
    TypeError,
    'Cannot write 1 row of 576 values: "into" is no Float16Array, use one of 576 values',
  );
});

Deno.test("rows() says to look fewer rows up where the values fit no array", () => {
  assertThrows(
    () => table.rows(new Uint8Array(2 ** 26)),
    RangeError,
    "Cannot return 67108864 rows of 576 values: 38654705664 values fit no array, look fewer rows up at once",
  );
});

Deno.test("open() names a file that is not there", async () => {
  const error = await refused("missing/model.gguf");
  assertEquals(error.code, "not-found");
  assertEquals(error.message, 'Cannot open "missing/model.gguf": there is no such file, check the path');
  assertInstanceOf(error.cause, Deno.errors.NotFound);
});

Deno.test("open() refuses what is no regular file, and does not wait for a pipe", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const directory = await refused(folder);
    assertEquals(directory.code, "not-a-file");
    assertEquals(directory.message, `Cannot open "${folder}": it is a directory, name a GGUF file`);
    const pipe = `${folder}/pipe`;
    assertEquals((await new Deno.Command("mkfifo", { args: [pipe] }).output()).success, true);
    for (const path of [pipe, "/dev/null"]) {
      const error = await refused(path);
      assertEquals(error.code, "not-a-file");
      assertEquals(error.message, `Cannot open "${path}": it is a pipe or a device, name a GGUF file`);
    }
    const below = await refused(`${smollm2.path}/model.gguf`);
    assertEquals(below.code, "io");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test({
  name: "open() tells a file that the system denies from one that Deno may not read",
  ignore: Deno.uid() === 0, // root may read everything
  fn: async () => {
    using file = gguf.temporaryGGUF({});
    await Deno.chmod(file.path, 0);
    const error = await refused(file.path);
    assertEquals(error.code, "permission");
    assertEquals(error.message, `Cannot open "${file.path}": the system denies reading it, check its permissions`);
  },
});

Deno.test("open() refuses other URLs, and what is neither a path nor a URL", async () => {
  await assertRejects(
    () => Model.open(new URL("https://example.com/a.gguf")),
    TypeError,
    "Cannot open a model https://example.com/a.gguf: it is no file URL, use a local file",
  );
  await assertRejects(
    () => Model.open(7 as unknown as string),
    TypeError,
    "Cannot open a model: its place is 7, use a path or a file URL",
  );
});

Deno.test("open() refuses a path with a NUL before native code could cut it short", async () => {
  assertEquals((await refused(`${smollm2.path}\0.gguf`)).code, "io");
});

Deno.test("open() refuses an offset that is no number of bytes", async () => {
  for (const offset of [-1, 1.5, NaN, 2 ** 53]) {
    await assertRejects(
      () => Model.open(smollm2.path, { offset }),
      RangeError,
      `at offset ${offset}: it is no number of bytes, use an integer from 0`,
    );
  }
});

Deno.test("open() refuses a device that does not exist", async () => {
  await assertRejects(() => Model.open(smollm2.path, { device: "tpu" as "cpu" }), RangeError, '"tpu"');
});

const damaged: [code: string, file: gguf.FileSpec | Uint8Array][] = [
  ["bad-magic", new Uint8Array(100)],
  ["bad-magic", new Uint8Array(0)],
  ["version", { version: 1 }],
  ["byte-order", { bigEndian: true }],
  ["count", { metadataCount: 2n ** 63n }],
  ["string", { metadata: { a: gguf.text("a", 2n ** 62n) } }],
  ["kv-type", { metadata: { a: { type: 77, bytes: new Uint8Array(8) } } }],
  ["array", { metadata: { a: gguf.array([gguf.u32(1)], 4, 2n ** 62n) } }],
  ["duplicate", { metadata: [["a", gguf.u8(1)], ["a", gguf.u8(1)]] }],
  ["alignment", { metadata: { "general.alignment": gguf.u32(3) } }],
  ["shape", { tensors: [{ name: "a", type: 0, dimensions: [1, 1, 1, 1, 1] }] }],
  ["range", { tensors: [{ name: "a", type: 0, dimensions: [64, 64] }] }],
];

for (const [code, spec] of damaged) {
  Deno.test(`open() of a damaged file is a MuserError that names the file, code ${code}`, async () => {
    using file = gguf.temporaryGGUF(spec);
    const error = await refused(file.path);
    assertEquals([error.code, error.name], [code, "MuserError"]);
    assertEquals(error.message.includes(file.path), true, error.message);
  });
}

Deno.test("an error's stack leads to the caller", () => {
  const error = assertThrows(() => table.rows([-1]), RangeError);
  assertEquals(error.stack?.includes("errors_test.ts"), true);
});
