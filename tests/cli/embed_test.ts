import { assertEquals, assertMatch } from "@std/assert";
import { temporaryGGUF } from "../support/gguf_writer.ts";
import { smollm2 } from "../support/models.ts";
import { dequantize } from "../support/oracle.ts";
import { assertSameBits, randomIds } from "../support/values.ts";
import { littleModel, muser, type Run, shell, spawn, VALUES } from "./muser.ts";

Deno.test("muser embed writes rows in the order of arguments, --ids and --token", async () => {
  using file = temporaryGGUF(littleModel());
  const run = await muser(
    ["embed", file.path, "3", "--token", "a", "--ids", "-", "2", "--format", "raw"],
    "1 1\n\t0\n",
  );
  assertSucceeds(run);
  assertSameBits(floats(run), rows(3, 2, 1, 1, 0, 0));
});

Deno.test("muser embed --token takes an exact entry, one that begins with a dash too, and may be repeated", async () => {
  using file = temporaryGGUF(littleModel());
  const run = await muser(["embed", file.path, "--token", "-c", "--token=d\n", "--token", "Ġb", "--format", "raw"]);
  assertSucceeds(run);
  assertSameBits(floats(run), rows(2, 3, 1));
});

Deno.test("muser embed --token names the entry with a space where the text is only found with one", async () => {
  using file = temporaryGGUF(littleModel());
  assertFails(await muser(["embed", file.path, "--token", "b"]), 1, /Cannot find token "b": .*did you mean "Ġb"\?/);
  assertFails(await muser(["embed", file.path, "--token", "zebra"]), 1, /Cannot find token "zebra"/);
});

Deno.test("muser embed --ids reads a file, a pipe and standard input alike", async () => {
  using file = temporaryGGUF(littleModel());
  const ids = `${file.path}.ids`;
  Deno.writeTextFileSync(ids, "0 1\r\n2\t3");
  const expected = rows(0, 1, 2, 3);
  assertSameBits(floats(await muser(["embed", file.path, "--ids", ids, "--format", "raw"])), expected);
  for (const name of ["--ids=-", "--ids=/dev/stdin"]) {
    const output = name.endsWith("-") ? "-" : "/dev/stdout";
    const args = ["embed", file.path, name, "--format", "raw", "--output", output];
    assertSameBits(floats(await muser(args, "0 1 2 3")), expected);
  }
  const fifo = `${file.path}.fifo`;
  const line = `mkfifo ${fifo}; echo 0 1 2 3 > ${fifo} & "$@" embed ${file.path} --ids ${fifo} --format raw`;
  assertSameBits(floats(await shell(line)), expected);
});

Deno.test("muser embed writes the rows of ids that have arrived while others are still to come", async () => {
  using file = temporaryGGUF(littleModel());
  await using child = spawn(["embed", file.path, "--ids", "-", "--format", "raw"], "piped");
  const [input, output] = [child.stdin.getWriter(), child.stdout.getReader()];
  for (const id of [2, 1]) {
    await input.write(new TextEncoder().encode(`${id}\n`));
    const { value } = await output.read();
    assertSameBits(new Float32Array(value!.buffer, value!.byteOffset, 3), rows(id));
  }
  await input.close();
  await output.cancel();
  await child.stderr.cancel();
  assertEquals((await child.status).code, 0);
});

Deno.test("muser embed of an empty ids file is no rows and no error, in every format", async () => {
  using file = temporaryGGUF(littleModel());
  const outputs = ["text", "json", "jsonl", "raw"].map(async (format) => {
    const run = await muser(["embed", file.path, "--ids", "/dev/null", "--format", format]);
    assertSucceeds(run);
    return run.out;
  });
  assertEquals(await Promise.all(outputs), ["", "[]\n", "", ""]);
});

Deno.test("muser embed without any source of ids is wrong usage", async () => {
  using file = temporaryGGUF(littleModel());
  assertFails(await muser(["embed", file.path]), 2, /No rows asked for.*\nSee: muser embed --help/);
  assertFails(await muser(["embed"]), 2, /FILE is missing/);
});

Deno.test("muser embed refuses ids that are no integers as wrong usage, wherever they come from", async () => {
  using file = temporaryGGUF(littleModel());
  for (const id of ["abc", "1.5", "0x1", "1e0", "", "1_0"]) {
    assertFails(await muser(["embed", file.path, id]), 2, /Id ".*" is no integer/);
  }
  assertFails(await muser(["embed", file.path, "--ids", "-"], "0 1 x2 3"), 2, /Id "x2" is no integer/);
  assertFails(await muser(["embed", file.path, "--ids", "/dev/zero"]), 2, /is no integer/);
});

Deno.test("muser embed fails for integers that are no rows, and names position and limit", async () => {
  using file = temporaryGGUF(littleModel());
  const message = 'Cannot look up id ID at position 1: table "token_embd.weight" has 4 rows, use ids from 0 to 3';
  for (const id of ["4", "-1", "4294967296", "123456789012345678901234567890"]) {
    assertFails(await muser(["embed", file.path, "--", "0", id]), 1, new RegExp(message.replace("ID", id)));
    assertFails(
      await muser(["embed", file.path, "--ids", "-"], `0\n${id}\n`),
      1,
      new RegExp(message.replace("ID", id)),
    );
  }
});

Deno.test("muser embed takes -1 for an option unless -- stands before it", async () => {
  using file = temporaryGGUF(littleModel());
  assertFails(await muser(["embed", file.path, "-1"]), 2, /Unknown option -1/);
  assertFails(await muser(["embed", file.path, "--", "-1"]), 1, /Cannot look up id -1 at position 0/);
  assertSucceeds(await muser(["embed", file.path, "+1", "--", "002"]));
});

Deno.test("muser embed --tensor takes any two-dimensional tensor, and suggests one for a name mistyped", async () => {
  using file = temporaryGGUF(littleModel());
  const run = await muser(["embed", file.path, "1", "0", "--tensor", "blk.0.half.weight"]);
  assertEquals(run.out, "0 -0\n1 -2\n");
  assertFails(
    await muser(["embed", file.path, "0", "--tensor", "blk.0.hlaf.weight"]),
    1,
    /Cannot open table "blk.0.hlaf.weight": .*did you mean "blk.0.half.weight"\?/,
  );
  assertFails(await muser(["embed", file.path, "0", "--tensor", "norm.weight"]), 1, /^muser: Cannot .*norm.weight/);
  assertFails(await muser(["embed", file.path, "0", "--tensor", "nothing like it"]), 1, /^muser: Cannot /);
});

Deno.test("muser embed of a file without token_embd.weight names the two-dimensional tensors", async () => {
  const { metadata, tensors } = littleModel();
  using file = temporaryGGUF({ metadata: metadata!, tensors: tensors!.slice(1) });
  assertFails(await muser(["embed", file.path, "0"]), 1, /^muser: Cannot [^\n]*blk\.0\.half\.weight[^\n]*\n$/);
  assertEquals((await muser(["embed", file.path, "0", "--tensor", "blk.0.half.weight"])).out, "1 -2\n");
});

Deno.test("muser embed --type f16 rounds and --scale multiplies", async () => {
  using file = temporaryGGUF(littleModel());
  const run = await muser(["embed", file.path, "0", "3", "--type", "f16", "--format", "raw"]);
  const halves = new Float16Array(run.bytes.slice().buffer);
  assertEquals([...halves], [0, -0, Math.f16round(0.1), 65504, Math.f16round(-1e-7), Infinity]);
  assertEquals((await muser(["embed", file.path, "0", "--type", "f16"])).out, "0 -0 0.1\n");
  const scaled = await muser(["embed", file.path, "3", "--scale", "-2.5e-1", "--format", "raw"]);
  assertSameBits(floats(scaled), rows(3).map((value) => Math.fround(value * -0.25)));
  assertEquals((await muser(["embed", file.path, "2", "--scale", "1e30", "--tensor", "token_embd.weight"])).status, 0);
  for (const scale of ["two", "1e999", "NaN", ""]) {
    assertFails(await muser(["embed", file.path, "0", "--scale", scale]), 2, /--scale/);
  }
});

Deno.test("muser embed refuses unknown formats, types and devices as wrong usage, and offers what is meant", async () => {
  using file = temporaryGGUF(littleModel());
  assertFails(await muser(["embed", file.path, "0", "--format", "jsn"]), 2, /did you mean json\?/);
  assertFails(await muser(["embed", file.path, "0", "--type", "f64"]), 2, /--type/);
  assertFails(
    await muser(["embed", file.path, "0", "--device", "tpu"]),
    2,
    /use one of auto, cpu, metal, cuda|did you/,
  );
  assertFails(await muser(["embed", file.path, "0", "--fromat", "json"]), 2, /did you mean --format\?/);
  assertFails(await muser(["embed", file.path, "0", "--format"]), 2, /--format needs a value/);
  assertFails(await muser(["embed", file.path, "--ids", "a", "--ids", "b"]), 2, /--ids is given 2 times/);
});

Deno.test("muser embed gives the same rows mapped, read, and from the middle of a larger file", async () => {
  using file = temporaryGGUF(littleModel());
  const larger = `${file.path}.larger`;
  Deno.writeFileSync(larger, new Uint8Array([...new Uint8Array(100), ...Deno.readFileSync(file.path)]));
  const all = ["0", "1", "2", "3", "--format", "raw"];
  assertSameBits(floats(await muser(["embed", file.path, ...all, "--no-map"])), VALUES);
  assertSameBits(floats(await muser(["embed", larger, ...all, "--offset", "100"])), VALUES);
  assertFails(await muser(["embed", larger, ...all, "--offset", "-1"]), 2, /--offset/);
});

Deno.test({
  name: "muser embed writes the bits of the gguf package for 5,000 ids of a real model from a pipe",
  ignore: !smollm2.available,
  async fn() {
    const ids = randomIds(5000, 49152, 3);
    const run = await muser(["embed", smollm2.path, "--ids", "-", "--format", "raw"], ids.join("\n"));
    assertSucceeds(run);
    assertSameBits(floats(run), await dequantize(smollm2.path, "token_embd.weight", ids));
  },
});

function assertSucceeds(run: Run): void {
  assertEquals([run.status, run.error], [0, ""]);
}

function assertFails(run: Run, status: number, message: RegExp): void {
  assertMatch(run.error, message);
  assertEquals([run.status, run.out], [status, ""]);
  assertEquals(run.error.split("\n").length - 1, status);
}

function floats(run: Run): Float32Array {
  return new Float32Array(run.bytes.slice().buffer);
}

function rows(...ids: number[]): Float32Array {
  return Float32Array.from(ids.flatMap((id) => [...VALUES.subarray(3 * id, 3 * id + 3)]));
}
