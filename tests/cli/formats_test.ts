import { assertEquals, assertMatch } from "@std/assert";
import { fileURLToPath } from "node:url";
import { temporaryGGUF } from "../support/gguf_writer.ts";
import { runPython } from "../support/oracle.ts";
import { assertSameBits } from "../support/values.ts";
import { littleModel, muser, VALUES } from "./muser.ts";

const readers = fileURLToPath(new URL("readers.py", import.meta.url));
const ALL = ["0", "1", "2", "3"];

/** What a Python package reads: the words before the values, and the values' bytes. */
async function readBy(reader: "npy" | "safetensors", path: string): Promise<{ head: string; values: ArrayBuffer }> {
  const bytes = await runPython(readers, [reader, path]);
  const end = bytes.indexOf(0x0a);
  return { head: new TextDecoder().decode(bytes.subarray(0, end)), values: bytes.slice(end + 1).buffer };
}

Deno.test("muser embed --format npy is what NumPy reads", async () => {
  using file = temporaryGGUF(littleModel());
  const path = `${file.path}.npy`;
  await muser(["embed", file.path, ...ALL, "--format", "npy", "--output", path]);
  const { head, values } = await readBy("npy", path);
  assertEquals(head, "<f4 4 3");
  assertSameBits(new Float32Array(values), VALUES);
});

Deno.test("muser embed --format npy writes halves, one row and no rows", async () => {
  using file = temporaryGGUF(littleModel());
  const path = `${file.path}.npy`;
  await muser(["embed", file.path, ...ALL, "--format", "npy", "--type", "f16", "--output", path]);
  const halves = await readBy("npy", path);
  assertEquals([halves.head, [...new Float16Array(halves.values)]], ["<f2 4 3", [...new Float16Array(VALUES)]]);

  await muser(["embed", file.path, "2", "--format", "npy", "--output", path]);
  assertEquals((await readBy("npy", path)).head, "<f4 1 3");
  await muser(["embed", file.path, "--ids", "/dev/null", "--format", "npy", "--output", path]);
  assertEquals((await readBy("npy", path)).head, "<f4 0 3");
});

Deno.test("muser embed --format npy counts ids that come from a pipe", async () => {
  using file = temporaryGGUF(littleModel());
  const path = `${file.path}.npy`;
  const run = await muser(["embed", file.path, "3", "--ids", "-", "--format", "npy"], "1 2 ".repeat(50_000));
  Deno.writeFileSync(path, run.bytes);
  assertEquals((await readBy("npy", path)).head, "<f4 100001 3");
});

Deno.test({
  name: "muser embed --format safetensors is what the safetensors package reads",
  ignore: !await hasSafetensors(),
  async fn() {
    using file = temporaryGGUF(littleModel());
    const path = `${file.path}.safetensors`;
    await muser(["embed", file.path, ...ALL, "--format", "safetensors", "--output", path]);
    const { head, values } = await readBy("safetensors", path);
    assertEquals(head, "token_embd.weight <f4 4 3");
    assertSameBits(new Float32Array(values), VALUES);

    const options = ["--type", "f16", "--tensor", "blk.0.half.weight"];
    await muser(["embed", file.path, "1", ...options, "--format", "safetensors", "--output", path]);
    const halves = await readBy("safetensors", path);
    assertEquals([halves.head, [...new Float16Array(halves.values)]], ["blk.0.half.weight <f2 1 2", [0, -0]]);
  },
});

Deno.test("muser embed --format raw is little-endian values and nothing else", async () => {
  using file = temporaryGGUF(littleModel());
  const { bytes } = await muser(["embed", file.path, ...ALL, "--format", "raw"]);
  assertEquals(bytes.length, VALUES.byteLength);
  assertEquals(new DataView(bytes.buffer, bytes.byteOffset).getFloat32(8, true), Math.fround(0.1));
});

Deno.test("muser embed writes text by default: the shortest decimals, one row a line", async () => {
  using file = temporaryGGUF(littleModel());
  const lines = ["0 -0 0.1", "NaN Infinity -Infinity", "1e-45 16777216 0.33333334", "65504 -1e-7 123456.79", ""];
  assertEquals((await muser(["embed", file.path, ...ALL])).out, lines.join("\n"));
});

Deno.test("muser embed --format json reads back to the same values, and says that null stands for others", async () => {
  using file = temporaryGGUF(littleModel());
  const expected = [[0, -0, Math.fround(0.1)], [null, null, null], [...VALUES.subarray(6, 9)], [...VALUES.subarray(9)]];
  for (const [format, read] of [["json", JSON.parse], ["jsonl", readLines]] as const) {
    const run = await muser(["embed", file.path, ...ALL, "--format", format]);
    assertEquals(read(run.out), expected);
    assertEquals(Object.is(read(run.out)[0][1], -0), true);
    assertMatch(run.error, /^muser: wrote null for 3 values that JSON cannot hold \(NaN or infinite\)\n$/);
    assertEquals(run.status, 0);
  }
});

function readLines(text: string): unknown[][] {
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}

async function hasSafetensors(): Promise<boolean> {
  try {
    await runPython("-c", ["import safetensors.numpy"]);
    return true;
  } catch {
    return false;
  }
}
