import { assertEquals, assertLessOrEqual } from "@std/assert";
import { Model } from "../mod.ts";
import { evict, filledRows, museGlimmer, residentPages } from "./support/artifact.ts";
import { dequantizeBytes } from "./support/oracle.ts";
import { assertSameBits, randomIds } from "./support/values.ts";
import { runMuser } from "./support/muser.ts";

const linux = Deno.build.os === "linux";
const PAGE = 4096;

Deno.test("a file of Muse Glimmer's shape opens with its real facts", async () => {
  using model = await Model.open(await museGlimmer(), { device: "cpu" });
  const table = model.table();

  assertEquals(model.facts.architecture, "muse-glimmer");
  assertEquals([model.facts.size, model.facts.dataOffset], [16_756_681_056, 13_113_696]);
  assertEquals(model.tensors.length, 731);
  assertEquals([table.type, table.columns, table.rowCount], ["Q4_K", 6656, 202_048]);
  assertEquals([table.rowBytes, table.bytes, table.offset], [3744, 756_467_712, 13_113_696]);
  assertEquals(table.placement, "mapped");
  assertEquals(model.vocabulary.size, 202_048);
  assertEquals(model.metadata.type("tokenizer.ggml.merges")?.count, 439_802);
  assertEquals(model.token(200_022).text, "<|start|>");
  assertEquals(model.find("<|message|>"), 200_023);
});

Deno.test("inspect tells that Muse Glimmer's head is a tensor of its own", async () => {
  const { code, stdout, stderr } = await runMuser(["inspect", await museGlimmer(), "--json"]);
  assertEquals([code, stderr], [0, ""]);
  const inspection = JSON.parse(stdout);

  assertEquals(inspection.head, "untied");
  assertEquals(inspection.tensors.length, 731);
  const { name, type, columns, rows, rowBytes, bytes, offset } = inspection.tables[0];
  assertEquals({ name, type, columns, rows, rowBytes, bytes, offset }, {
    name: "token_embd.weight",
    type: "Q4_K",
    columns: 6656,
    rows: 202_048,
    rowBytes: 3744,
    bytes: 756_467_712,
    offset: 13_113_696,
  });
});

Deno.test("rows of Muse Glimmer's shape have the bits that the gguf package gives their bytes", async () => {
  const path = await museGlimmer();
  using model = await Model.open(path, { device: "cpu" });
  const table = model.table();
  const encoded = new Uint8Array(filledRows.length * table.rowBytes);
  using file = await Deno.open(path);
  for (const [i, row] of filledRows.entries()) {
    await file.seek(table.offset + row * table.rowBytes, Deno.SeekMode.Start);
    assertEquals(await file.read(encoded.subarray(i * table.rowBytes, (i + 1) * table.rowBytes)), table.rowBytes);
  }

  assertSameBits(model.embed(filledRows), await dequantizeBytes("Q4_K", encoded));
  assertEquals(new Set(model.embed([1, 202_046])), new Set([0]));
});

Deno.test("random lookups in a cold file read little more than their rows", { ignore: !linux }, async () => {
  const path = await museGlimmer();
  await evict(path);
  using model = await Model.open(path, { device: "cpu" });
  const table = model.table();
  const before = await residentPages(path, table.offset, table.bytes);
  const ids = randomIds(1000, table.rowCount, 7);
  model.embed(ids);
  const after = await residentPages(path, table.offset, table.bytes);

  const touched = new Set<number>();
  for (const id of ids) {
    const start = table.offset + id * table.rowBytes;
    for (let page = Math.floor(start / PAGE); page <= Math.floor((start + table.rowBytes - 1) / PAGE); page++) {
      touched.add(page);
    }
  }
  console.log(`${after - before} pages came in for ${touched.size} that the rows overlap`);
  assertLessOrEqual(after - before, 2 * touched.size);
});

Deno.test(
  "opening takes at most 8 MiB beyond the header, 900 lookups less than 1 MiB",
  { ignore: !linux },
  async () => {
    const path = await museGlimmer();
    const script = new URL("support/memory.ts", import.meta.url).href;
    const command = new Deno.Command(Deno.execPath(), { args: ["run", "--allow-all", "--no-config", script, path] });
    const { code, stdout, stderr } = await command.output();
    assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
    const { open, lookups } = JSON.parse(new TextDecoder().decode(stdout));
    console.log(`opening took ${open} bytes, 900 lookups ${lookups}`);
    assertLessOrEqual(open, 13_113_696 + 8 * 2 ** 20);
    assertLessOrEqual(lookups, 2 ** 20 - 1);
  },
);
