import { assertEquals } from "@std/assert";
import {
  array,
  bool,
  f32,
  f64,
  i16,
  i32,
  i64,
  i8,
  temporaryGGUF,
  text,
  u16,
  u32,
  u64,
  u8,
} from "./support/gguf_writer.ts";
import { dequantize, dequantizeBytes, readHeader } from "./support/oracle.ts";
import { assertSameBits, randomBytes } from "./support/values.ts";

const f32Rows = randomBytes(64 * 3 * 4, 1);
const q8Rows = randomBytes(5 * 2 * 34, 2);

Deno.test("the GGUF writer's files are read by the gguf package", async () => {
  using file = temporaryGGUF({
    metadata: {
      "general.architecture": text("llama"),
      "general.alignment": u32(64),
      "a.u8": u8(255),
      "a.i8": i8(-128),
      "a.u16": u16(65535),
      "a.i16": i16(-32768),
      "a.u32": u32(4294967295),
      "a.i32": i32(-2147483648),
      "a.f32": f32(0.5),
      "a.bool": bool(true),
      "a.u64": u64(2n ** 53n - 1n),
      "a.i64": i64(-(2n ** 53n) + 1n),
      "a.f64": f64(-0.1),
      "a.texts": array([text("one"), text(""), text("drei")]),
      "a.numbers": array([i16(1), i16(-1)]),
    },
    tensors: [
      { name: "token_embd.weight", type: 0, dimensions: [64, 3], bytes: f32Rows },
      { name: "output.weight", type: 8, dimensions: [64, 5], bytes: q8Rows },
    ],
  });
  const header = await readHeader(file.path);

  assertEquals(header.version, 3);
  assertEquals(header.metadata, {
    "general.architecture": "llama",
    "general.alignment": 64,
    "a.u8": 255,
    "a.i8": -128,
    "a.u16": 65535,
    "a.i16": -32768,
    "a.u32": 4294967295,
    "a.i32": -2147483648,
    "a.f32": 0.5,
    "a.bool": true,
    "a.u64": 2 ** 53 - 1,
    "a.i64": -(2 ** 53) + 1,
    "a.f64": -0.1,
    "a.texts": { element: "string", count: 3 },
    "a.numbers": { element: "int16", count: 2 },
  });
  assertEquals(header.dataOffset % 64, 0);
  assertEquals(header.tensors, [
    { name: "token_embd.weight", type: "F32", dimensions: [64, 3], offset: header.dataOffset, bytes: 768 },
    { name: "output.weight", type: "Q8_0", dimensions: [64, 5], offset: header.dataOffset + 768, bytes: 340 },
  ]);
  assertSameBits(await dequantize(file.path, "token_embd.weight", [2, 0]), rowsOf(f32Rows, [2, 0]));
  assertSameBits(await dequantize(file.path, "output.weight", [0, 1, 2, 3, 4]), await dequantizeBytes("Q8_0", q8Rows));
});

function rowsOf(bytes: Uint8Array<ArrayBuffer>, ids: number[]): Float32Array {
  const values = new Float32Array(bytes.buffer);
  return new Float32Array(ids.flatMap((id) => [...values.subarray(64 * id, 64 * id + 64)]));
}
