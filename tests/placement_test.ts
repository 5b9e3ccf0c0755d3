import { assertEquals } from "@std/assert";
import { Model, type OpenOptions } from "../mod.ts";
import { testDevice } from "./support/device.ts";
import { type FileSpec, temporaryGGUF, type TensorSpec, text, u32, writeGGUF } from "./support/gguf_writer.ts";
import { dequantizeBytes } from "./support/oracle.ts";
import { assertSameBits, randomBytes } from "./support/values.ts";

const F32 = 0, F16 = 1, Q4_K = 12;
const ROWS = 5;
const ROW_BYTES = 3 * 144;
const TABLE: TensorSpec = {
  name: "token_embd.weight",
  type: Q4_K,
  dimensions: [3 * 256, ROWS],
  bytes: randomBytes(ROWS * ROW_BYTES, 7),
};
const OTHER: TensorSpec = { name: "other.weight", type: F32, dimensions: [3], bytes: randomBytes(12, 8) };
const IDS = [4, 0, 4, 2];

async function expected(): Promise<Float32Array> {
  const all = await dequantizeBytes("Q4_K", new Uint8Array(TABLE.bytes!));
  const columns = all.length / ROWS;
  return Float32Array.from(IDS.flatMap((id) => [...all.subarray(id * columns, (id + 1) * columns)]));
}

async function assertRows(file: FileSpec | Uint8Array, options: OpenOptions = {}): Promise<void> {
  using where = temporaryGGUF(file);
  for (const map of [true, false]) {
    using model = await Model.open(where.path, { ...options, map, device: testDevice });
    assertSameBits(model.embed(IDS), await expected());
  }
}

for (const alignment of [1, 2, 4, 8, 64, 4096, 2 ** 20]) {
  Deno.test(`a table at an alignment of ${alignment} gives the right rows`, async () => {
    const metadata = { "general.name": text("x".repeat(alignment % 7)), "general.alignment": u32(alignment) };
    await assertRows({ metadata, tensors: [OTHER, TABLE] });
  });
}

Deno.test("a table may be the first tensor, and the last with its padding missing", async () => {
  await assertRows({ tensors: [TABLE, OTHER] });
  await assertRows({ tensors: [OTHER, TABLE], noLastPadding: true });
});

Deno.test("a table may have trailing dimensions of 1", async () => {
  await assertRows({ tensors: [{ ...TABLE, dimensions: [3 * 256, ROWS, 1] }] });
  await assertRows({ tensors: [{ ...TABLE, dimensions: [3 * 256, ROWS, 1, 1] }] });
});

Deno.test("there may be gaps between tensors", async () => {
  const bytes = new Uint8Array(4096 + TABLE.bytes!.length);
  bytes.set(TABLE.bytes!, 4096);
  await assertRows({ tensors: [{ ...TABLE, bytes, offset: 4096 }] });
});

Deno.test("a GGUF may begin anywhere in a larger file", async () => {
  const file = writeGGUF({ tensors: [OTHER, TABLE] });
  for (const offset of [1, 7, 4096, 5000]) {
    const larger = new Uint8Array(offset + file.length + 3);
    larger.set(file, offset);
    await assertRows(larger, { offset });
  }
});

/** A table of more than memory holds: only the header and three rows are written, the rest of the file is a hole. */
async function assertSparse(typeName: string, type: number, columns: number, rows: number): Promise<void> {
  const valueBytes = type === F32 ? 4 : 2;
  const rowBytes = columns * valueBytes;
  const header = writeGGUF({ tensors: [{ name: "token_embd.weight", type, dimensions: [columns, rows] }] });
  using where = temporaryGGUF(header);
  const ids = [0, rows >> 1, rows - 1];
  const bytes = randomBytes(3 * rowBytes, 9);
  const start = Math.ceil(header.length / 32) * 32;
  {
    using file = await Deno.open(where.path, { write: true });
    await file.truncate(start + rows * rowBytes);
    for (const [index, id] of ids.entries()) {
      await file.seek(start + id * rowBytes, Deno.SeekMode.Start);
      await file.write(bytes.subarray(index * rowBytes, (index + 1) * rowBytes));
    }
  }
  const values = await dequantizeBytes(typeName, bytes);
  // A GPU would copy all of a file that is not mapped.
  for (const map of testDevice === "cpu" ? [true, false] : [true]) {
    using model = await Model.open(where.path, { map, device: testDevice });
    assertEquals(model.table().bytes, rows * rowBytes);
    assertSameBits(model.embed(ids), values);
  }
}

Deno.test("rows of an F16 table of more than 2^31 values", async () => {
  await assertSparse("F16", F16, 6656, 330_001);
});

Deno.test("rows of an F32 table of more than 2^32 bytes", async () => {
  await assertSparse("F32", F32, 6656, 202_048);
});

Deno.test("rows of a Q4_K table of more than 2^32 values", async () => {
  const rows = 700_003;
  const header = writeGGUF({ tensors: [{ name: "token_embd.weight", type: Q4_K, dimensions: [6656, rows] }] });
  using where = temporaryGGUF(header);
  const start = Math.ceil(header.length / 32) * 32;
  const row = randomBytes(3744, 10);
  {
    using file = await Deno.open(where.path, { write: true });
    await file.truncate(start + rows * 3744);
    await file.seek(start + (rows - 1) * 3744, Deno.SeekMode.Start);
    await file.write(row);
  }
  using model = await Model.open(where.path, { device: testDevice });
  assertSameBits(model.embed([rows - 1]), await dequantizeBytes("Q4_K", row));
});
