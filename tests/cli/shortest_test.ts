import { assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";
import { shortest16, shortest32 } from "../../src/formats/shortest.ts";
import { runPython } from "../support/oracle.ts";
import { randomBytes } from "../support/values.ts";

const readers = fileURLToPath(new URL("readers.py", import.meta.url));

Deno.test("shortest32() writes zeros, special values and round numbers as people expect", () => {
  assertEquals(
    [0, -0, 1, -2.5, 0.1, 1e21, 1e-7, NaN, Infinity, -Infinity].map((value) => shortest32(Math.fround(value))),
    ["0", "-0", "1", "-2.5", "0.1", "1e+21", "1e-7", "NaN", "Infinity", "-Infinity"],
  );
});

Deno.test("shortest32() reads back to the same bits with no more digits than NumPy needs", async () => {
  const powers = Array.from(
    { length: 255 },
    (_, exponent) => [0, 1, 0x400000, 0x7fffff].map((low) => exponent << 23 | low),
  );
  const subnormals = Array.from({ length: 500 }, (_, index) => index + 1);
  const random = new Uint32Array(randomBytes(4 * 20_000, 7).buffer);
  const bits = Uint32Array.from([...powers.flat(), ...subnormals, ...random]).filter((word) =>
    (word >> 23 & 255) < 255
  );
  const values = new Float32Array(bits.buffer);
  const expected = await decimals("float32", bits);

  const written = Array.from(values, shortest32);

  assertEquals(written.map((decimal) => Math.fround(Number(decimal))), [...values]);
  assertEquals(written.map(digits), expected.map(digits));
});

Deno.test("shortest16() does the same for every half", async () => {
  const bits = Uint16Array.from({ length: 65536 }, (_, word) => word).filter((word) => (word & 0x7c00) < 0x7c00);
  const values = new Float16Array(bits.buffer);
  const expected = await decimals("float16", Uint32Array.from(bits));

  const written = Array.from(values, shortest16);

  assertEquals(written.map((decimal) => Math.f16round(Number(decimal))), [...values]);
  assertEquals(written.map(digits), expected.map(digits));
});

Deno.test("shortest32() leaves out the one decimal that some programs read as the neighbour", () => {
  // 7.038531e-26 lies just below the middle of these two, but the nearest double is the middle itself, which is then
  // rounded up: who reads over a double gets the upper value, who reads directly the lower one.
  const upper = Math.fround(7.038531308148791e-26);
  const lower = new Float32Array(new Uint32Array(Float32Array.of(upper).buffer).map((bits) => bits - 1).buffer)[0]!;
  assertEquals(Math.fround(Number("7.038531e-26")), upper);
  assertEquals([shortest32(upper), shortest32(lower)], ["7.0385313e-26", "7.0385307e-26"]);
});

async function decimals(dtype: string, bits: Uint32Array<ArrayBuffer>): Promise<string[]> {
  const bytes = await runPython(readers, ["shortest", dtype], new Uint8Array(bits.buffer));
  return new TextDecoder().decode(bytes).trimEnd().split("\n");
}

/** How many digits a decimal has, the zeros at both ends not counted. */
function digits(decimal: string): number {
  return decimal.split("e")[0]!.replace(/[-.]/g, "").replace(/^0+|0+$/g, "").length;
}
