import { assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { type Ids, Model, MuserError } from "../mod.ts";
import { testDevice } from "./support/device.ts";
import { temporaryGGUF } from "./support/gguf_writer.ts";
import { gemma3, smollm2 } from "./support/models.ts";
import { dequantize } from "./support/oracle.ts";
import { assertSameBits, randomIds } from "./support/values.ts";

const model = await Model.open(smollm2.path, { device: testDevice });
const gemma = gemma3.available ? await Model.open(gemma3.path, { device: testDevice }) : undefined;
const table = model.table();
const { columns, rowCount } = table;

/** Row `id` as `rows()` gives it. */
const row = (id: number): Float32Array => table.rows(new Uint32Array([id]));

Deno.test("rows() gives the bits of the gguf package for first, last, repeated and random rows of SmolLM2", async () => {
  const ids = new Uint32Array([0, rowCount - 1, 0, 42, 42, ...randomIds(507, rowCount)]);
  assertSameBits(table.rows(ids), await dequantize(smollm2.path, table.name, ids));
});

for (const [type, tensors] of Object.entries(gatherable(gemma))) {
  Deno.test(`rows() gives the bits of the gguf package for ${type} tensors of Gemma 3`, async () => {
    for (const { name, dimensions: [, rows] } of tensors.slice(0, 2)) {
      const ids = new Uint32Array([0, rows! - 1, ...randomIds(254, rows!)]);
      assertSameBits(gemma!.table(name).rows(ids), await dequantize(gemma3.path, name, ids), name);
    }
  });
}

Deno.test({
  name: "rows of all of Gemma 3's quantised tensors can be looked up",
  ignore: !gemma3.available,
  fn: () => assertEquals(Object.keys(gatherable(gemma)).sort(), ["Q4_K", "Q5_0", "Q6_K", "Q8_0"]),
});

/** The two-dimensional tensors that open, by type. */
function gatherable(model?: Model): Record<string, { name: string; dimensions: readonly number[] }[]> {
  const opens = (model?.tensors ?? []).filter(({ name, dimensions }) => {
    if (dimensions.length !== 2) return false;
    try {
      return model!.table(name).rowCount > 0;
    } catch (error) {
      if (error instanceof MuserError && error.code === "type") return false;
      throw error;
    }
  });
  return Object.groupBy(opens, ({ type }) => type) as ReturnType<typeof gatherable>;
}

Deno.test("a table states its shape and place", () => {
  assertEquals(
    { ...table },
    {
      name: "token_embd.weight",
      type: "Q8_0",
      columns: 576,
      rowCount: 49152,
      rowBytes: 612,
      bytes: 30081024,
      offset: 1785664,
      kernel: "muser_embedding_q80",
      placement: testDevice === "cuda" ? "copied" : "mapped",
      device: testDevice,
      scale: 1,
      output: "f32",
    },
  );
});

Deno.test("table() gives the same table for the same arguments and another for others", () => {
  assertStrictEquals(model.table(), table);
  assertStrictEquals(model.table("token_embd.weight", { scale: 1, output: "f32" }), table);
  const scaled = model.table("token_embd.weight", { scale: 2 });
  assertEquals(scaled === table, false);
  assertStrictEquals(model.table("token_embd.weight", { scale: 2 }), scaled);
});

Deno.test("rows() accepts every kind of ids", () => {
  const numbers = [3, 0, 127, 3];
  const kinds: Ids[] = [
    numbers,
    numbers.map(BigInt),
    [3, 0n, 127, 3n],
    new Uint8Array(numbers),
    new Uint8ClampedArray(numbers),
    new Uint16Array(numbers),
    new Uint32Array(numbers),
    new Int8Array(numbers),
    new Int16Array(numbers),
    new Int32Array(numbers),
    new BigInt64Array(numbers.map(BigInt)),
    new BigUint64Array(numbers.map(BigInt)),
    Object.freeze([3, -0, 127, 3]),
  ];
  const expected = table.rows(new Uint32Array(numbers));
  for (const ids of kinds) assertSameBits(table.rows(ids), expected, ids.constructor.name);
});

Deno.test("rows() of no ids is an empty array", () => {
  assertEquals(table.rows([]).length, 0);
  assertEquals(table.rows(new Uint32Array()).length, 0);
  const into = new Float32Array(0);
  assertStrictEquals(table.rows([], { into }), into);
});

Deno.test("rows() takes ids that need no array of their own, and one more", () => {
  for (const count of [63, 64, 65]) {
    const ids = randomIds(count, rowCount, count);
    assertSameBits(table.rows([...ids]), table.rows(ids), `${count} ids`);
  }
});

Deno.test("rows() takes 65,535, 65,536 and 65,537 ids at once", () => {
  const first = row(7);
  const last = row(rowCount - 1);
  for (const count of [65535, 65536, 65537]) {
    const ids = new Uint32Array(count).fill(7);
    ids[count - 1] = rowCount - 1;
    const values = table.rows(ids);
    assertSameBits(values.subarray(0, columns), first, `${count} ids, first row`);
    assertSameBits(values.subarray((count - 2) * columns, (count - 1) * columns), first, `${count} ids, last but one`);
    assertSameBits(values.subarray((count - 1) * columns), last, `${count} ids, last row`);
  }
});

Deno.test("rows() fills exactly the part of an array that `into` names", () => {
  const guard = 5;
  for (const count of [1, 2, 33]) {
    const whole = new Float32Array(guard + count * columns + guard).fill(NaN);
    const into = whole.subarray(guard, -guard);
    const ids = randomIds(count, rowCount, count);
    assertStrictEquals(table.rows(ids, { into }), into);
    assertSameBits(into, table.rows(ids), `${count} rows`);
    for (let at = 0; at < guard; at++) assertEquals([whole.at(at), whole.at(-1 - at)], [NaN, NaN]);
  }
});

Deno.test("rows() fills the same array again and again", () => {
  const into = new Float32Array(columns);
  const ids = new Uint32Array(1);
  for (const id of [7, 0, rowCount - 1, 7]) {
    ids[0] = id;
    for (const form of [ids, [id], [BigInt(id)], new Int32Array(ids)]) {
      into.fill(NaN);
      assertStrictEquals(table.rows(form, { into }), into);
      assertSameBits(into, row(id), `${id}`);
    }
  }
  assertSameBits(table.rows([-0], { into }), row(0), "-0");
});

Deno.test("rows() refuses for an array that it knows what it refuses for any", () => {
  const into = new Float32Array(columns);
  table.rows([7], { into });
  const unknown = (ids: unknown) => assertThrows(() => table.rows(ids as Ids, { into: new Float32Array(columns) }));
  for (const ids of [[rowCount], [-1], [1.5], [NaN], ["7"], [null], [], [1, 2], "7", null, { length: 1, 0: 7 }]) {
    const known = assertThrows(() => table.rows(ids as Ids, { into }));
    assertEquals(`${known}`, `${unknown(ids)}`);
  }
  assertSameBits(into, row(7), "nothing was written");
});

Deno.test("rows() notices that an array that it knows has lost its memory", () => {
  const ids = new Uint32Array([7]);
  const into = new Float32Array(columns);
  table.rows(ids, { into });
  into.buffer.transfer();
  assertThrows(() => table.rows(ids, { into }), RangeError, `"into" has 0 values`);
  const buffer = new ArrayBuffer(4 * columns, { maxByteLength: 8 * columns });
  const resizable = new Float32Array(buffer);
  table.rows(ids, { into: resizable });
  buffer.resize(4);
  assertThrows(() => table.rows(ids, { into: resizable }), RangeError, `"into" has 1 values`);
});

Deno.test("rows() is not told by an array or a table how much may be written", () => {
  const ids = new Uint32Array([7]);
  for (const lie of [{}, { resizable: false, byteLength: 4 * columns }]) {
    for (const prototype of [ArrayBuffer.prototype, null, SharedArrayBuffer.prototype]) {
      const buffer = new ArrayBuffer(4 * columns, { maxByteLength: 8 * columns });
      const resize = buffer.resize.bind(buffer);
      for (const [name, value] of Object.entries(lie)) Object.defineProperty(buffer, name, { value });
      const into = new Float32Array(buffer);
      Object.setPrototypeOf(buffer, prototype);
      table.rows(ids, { into });
      resize(4);
      assertThrows(() => table.rows(ids, { into }), RangeError, `"into" has 1 values`);
    }
  }
  for (const name of ["columns", "output", "device"] as const) {
    assertThrows(() => Object.assign(table, { [name]: 1 }), TypeError);
  }
});

Deno.test("rows() gives the same bits where the output is more than caches hold", () => {
  const ids = randomIds(40_001, rowCount);
  const into = new Float32Array(ids.length * columns + 1).subarray(1);
  const half = model.table(table.name, { scale: 3.3, output: "f16" });
  table.rows(ids, { into });
  const halves = half.rows(ids);
  for (let first = 0; first < ids.length; first += 1000) {
    const part = ids.subarray(first, first + 1000);
    const [begin, end] = [first * columns, (first + part.length) * columns];
    assertSameBits(into.subarray(begin, end), table.rows(part), `from row ${first} on`);
    assertEquals(halves.subarray(begin, end), half.rows(part));
  }
});

Deno.test("rows() reads ids from and writes values to shared memory", () => {
  const ids = new Uint32Array(new SharedArrayBuffer(16), 4, 2);
  ids.set([5, 6]);
  const into = new Float32Array(new SharedArrayBuffer(4 * 2 * columns));
  assertStrictEquals(table.rows(ids, { into }), into);
  assertSameBits(into, table.rows([5, 6]));
});

Deno.test("rows() takes resizable memory", () => {
  const ids = new Uint32Array(new ArrayBuffer(8, { maxByteLength: 64 }));
  const into = new Float32Array(new ArrayBuffer(8 * columns, { maxByteLength: 16 * columns }));
  assertSameBits(table.rows(ids, { into }), table.rows([0, 0]));
});

Deno.test("rows() writes nothing where an id is wrong", () => {
  const into = new Float32Array(2 * columns).fill(NaN);
  for (const ids of [[0, rowCount], new Uint32Array([0, rowCount])]) {
    assertThrows(() => table.rows(ids, { into }), RangeError);
    assertEquals(into.every(Number.isNaN), true);
  }
});

Deno.test("rows() checks ids in optimised code, too", () => {
  const into = new Float32Array(columns);
  const lookUp = (id: number): Float32Array => table.rows([id], { into });
  for (let round = 0; round < 30_000; round++) lookUp(round % 100);
  for (const id of [-1, 1.5, NaN, 2 ** 32 + 5, Infinity]) assertThrows(() => lookUp(id), RangeError);
});

Deno.test("rowsAsync() gives the values of rows()", async () => {
  const ids = randomIds(1000, rowCount);
  const into = new Float32Array(ids.length * columns).fill(NaN);
  assertStrictEquals(await table.rowsAsync(ids, { into }), into);
  assertSameBits(into, table.rows(ids));
  assertSameBits(await table.rowsAsync([...ids]), into);
  assertEquals((await table.rowsAsync([])).length, 0);
});

Deno.test("rowsAsync() reads the ids before it returns", async () => {
  const ids = new Uint32Array([9, 8]);
  const values = table.rowsAsync(ids);
  ids.fill(0);
  assertSameBits(await values, table.rows([9, 8]));
});

Deno.test("rowsAsync() serves more lookups than may run at once", async () => {
  const values = await Promise.all(Array.from({ length: 50 }, (_, id) => table.rowsAsync([id])));
  values.forEach((value, id) => assertSameBits(value, row(id), `row ${id}`));
});

Deno.test("rowsAsync() is rejected with the errors of rows(), and later lookups still work", async () => {
  await assertRejects(() => table.rowsAsync([-1]), RangeError, "Cannot look up id -1 at position 0");
  await assertRejects(() => table.rowsAsync(new Uint32Array([0, rowCount])), RangeError, "at position 1");
  const into = new Float32Array(new ArrayBuffer(4 * columns, { maxByteLength: 8 * columns }));
  await assertRejects(
    () => table.rowsAsync([0], { into }),
    TypeError,
    'Cannot write 1 row of 576 values later: "into" is resizable, use another array or rows()',
  );
  assertSameBits(await table.rowsAsync([1]), row(1));
});

Deno.test("scale multiplies every value once, in 32 bits", () => {
  for (const scale of [0, -1, 0.1, 24, 2 ** -140]) {
    const plain = table.rows([0, 42]);
    const scaled = model.table("token_embd.weight", { scale });
    assertEquals(scaled.scale, Math.fround(scale));
    assertSameBits(scaled.rows([0, 42]), plain.map((value) => value * Math.fround(scale)), `scale ${scale}`);
  }
});

Deno.test("scale has to be a number that 32 bits can hold", () => {
  for (const scale of [NaN, Infinity, 1e39]) {
    assertThrows(
      () => model.table("token_embd.weight", { scale }),
      RangeError,
      `Cannot open table "token_embd.weight": its scale is ${scale}, use a finite 32-bit number`,
    );
  }
  assertThrows(
    () => model.table("token_embd.weight", { scale: "2" as unknown as number }),
    TypeError,
    'Cannot open table "token_embd.weight": its scale is no number',
  );
});

Deno.test("output f16 gives the values of f32 rounded to the nearest half", async () => {
  const half = model.table("token_embd.weight", { output: "f16" });
  const ids = randomIds(64, rowCount);
  const values: Float16Array<ArrayBuffer> = half.rows(ids);
  const expected = Float16Array.from(table.rows(ids));
  assertSameBits(Float32Array.from(values), Float32Array.from(expected));
  const into = new Float16Array(expected.length);
  assertStrictEquals(half.rows(ids, { into }), into);
  assertSameBits(Float32Array.from(await half.rowsAsync(ids)), Float32Array.from(expected));
});

Deno.test("an output that does not exist is refused", () => {
  assertThrows(
    () => model.table("token_embd.weight", { output: "f64" as "f32" }),
    RangeError,
    'Cannot open table "token_embd.weight": there is no output "f64", use "f32" or "f16"',
  );
});

Deno.test("a file that is read instead of mapped gives the same bits", async () => {
  using unmapped = await Model.open(smollm2.path, { device: testDevice, map: false });
  // Each row when it is needed; a GPU has to have all of them.
  const placement = testDevice === "cpu" ? "read" : "copied";
  assertEquals([unmapped.facts.mapped, unmapped.table().placement], [false, placement]);
  const ids = [0, rowCount - 1, ...randomIds(3000, rowCount)];
  assertSameBits(unmapped.embed(ids), model.embed(ids));
  assertSameBits(await unmapped.embedAsync(ids), model.embed(ids));
});

Deno.test("embed() is a lookup in the token table, or in the tensor that is named", async () => {
  const into = new Float32Array(columns);
  assertStrictEquals(model.embed([5], { into }), into);
  assertSameBits(model.embed([5]), into);
  assertSameBits(into, row(5));
  using file = temporaryGGUF({
    tensors: [
      { name: "token_embd.weight", type: 0, dimensions: [3, 2], bytes: floats(1, 2, 3, 4, 5, 6) },
      { name: "output.weight", type: 0, dimensions: [2, 3], bytes: floats(7, 8, 9, 10, 11, 12) },
    ],
  });
  using small = await Model.open(file.path);
  assertEquals([...small.embed([1, 0])], [4, 5, 6, 1, 2, 3]);
  assertEquals([...small.embed([2], { tensor: "output.weight" })], [11, 12]);
});

function floats(...values: number[]): Uint8Array {
  return new Uint8Array(new Float32Array(values).buffer);
}
