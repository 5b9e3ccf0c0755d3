import {
  assert,
  assertEquals,
  assertGreaterOrEqual,
  assertMatch,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { Model } from "../mod.ts";
import { fileMap, heatMap, normHistogram, report } from "../src/report.ts";
import { AddressSpace } from "../src/report/address_space.ts";
import { pngAddress } from "../src/report/png.ts";
import { script, scriptHash } from "../src/report/script.ts";
import { palettes } from "../src/report/style.ts";
import { filledRows, museGlimmer } from "./support/artifact.ts";
import { littleModel, muser } from "./cli/muser.ts";
import { temporaryGGUF } from "./support/gguf_writer.ts";
import { smollm2 } from "./support/models.ts";
import { runPython } from "./support/oracle.ts";

Deno.test("the report of the 731-tensor file is below 400 KB and has every tensor and chosen row", async () => {
  using model = await Model.open(await museGlimmer(), { device: "cpu" });
  const page = report(model, { rows: filledRows });
  const bytes = new TextEncoder().encode(page).length;
  console.log(`${bytes} bytes`);

  assert(bytes < 400_000);
  for (const { name } of model.tensors) assertStringIncludes(page, `<title>${name}\n`);
  for (const row of filledRows) assertMatch(page, new RegExp(`<title>${row} .*\nnorm [0-9]`));
  assertEquals(page.match(/(src|href)="(?!data:)/g), null);
});

Deno.test("a report on every row of a table stays below 400 KB", { ignore: !smollm2.available }, async () => {
  using model = await Model.open(smollm2.path, { device: "cpu" });
  const rows = Uint32Array.from({ length: model.table().rowCount }, (_, row) => row);
  const page = report(model, { rows });
  assert(page.length < 400_000, `${page.length}`);
  assertStringIncludes(page, "<p>The first 128 of 49,152 rows.</p>");
});

Deno.test("the page's policy lets its script run and no other", async () => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script));
  assertEquals(scriptHash, `sha256-${new Uint8Array(digest).toBase64()}`);
});

Deno.test("mod.ts loads nothing that draws", async () => {
  const root = new URL("../", import.meta.url);
  const reached = new Set<string>();
  const visit = async (url: string): Promise<void> => {
    if (reached.has(url)) return;
    reached.add(url);
    const text = await Deno.readTextFile(new URL(url));
    const imports = text.matchAll(/^(?:import|export) (?!type).*?from "(\.[^"]+)";$/gms);
    for (const [, path] of imports) await visit(new URL(path!, url).href);
  };
  await visit(new URL("mod.ts", root).href);
  assert(reached.has(new URL("src/model.ts", root).href));
  assertEquals([...reached].filter((url) => /report|notebook/.test(url)), []);
});

Deno.test("the boxes of the map are to scale and in their places", { ignore: !smollm2.available }, async () => {
  using model = await Model.open(smollm2.path, { device: "cpu" });
  const space = new AddressSpace(model.tensors);
  const [width, pitch] = [500, 10];
  for (const { tensor, start, end } of space.extents) {
    const boxes = space.boxes(start, end, { x: 0, y: 0, width, height: 5 }, pitch);
    const drawn = boxes.reduce((sum, box) => sum + box.width, 0) * space.lineBytes / width;
    assertEquals(Math.round(drawn), tensor.bytes);
    assertEquals(Math.round((boxes[0]!.y / pitch + boxes[0]!.x / width) * space.lineBytes), tensor.offset);
  }
  assert(space.lines <= 32 && Math.log2(space.lineBytes) % 1 === 0);
});

Deno.test("the files of a split model lie one behind the other in the map", () => {
  const tensor = { type: "F32", dimensions: [16], bytes: 64 };
  const space = new AddressSpace([
    { ...tensor, name: "b", shard: 1, offset: 32 },
    { ...tensor, name: "a", shard: 0, offset: 128 },
    { ...tensor, name: "unknown", type: "type 99", bytes: 0, shard: 1, offset: 96 },
  ]);
  assertEquals(space.extents.map(({ tensor, start, end }) => [tensor.name, start, end]), [
    ["a", 128, 192],
    ["b", 224, 288],
    ["unknown", 288, 288],
  ]);
  assertEquals(space.headers, [{ start: 0, end: 128 }, { start: 192, end: 224 }]);
});

Deno.test("a report needs neither tables nor tensors", async () => {
  for (
    const tensors of [[], [{ name: "token_embd.weight", type: 99, dimensions: [4, 2], bytes: new Uint8Array(64) }]]
  ) {
    using file = temporaryGGUF({ tensors });
    using model = await Model.open(file.path, { device: "cpu" });
    assertStringIncludes(report(model), "Map of the file");
    assertThrows(() => report(model, { rows: [0] }), Error, "token_embd.weight");
  }
});

Deno.test("rows are measured: norm, range, and what is not finite", async () => {
  using file = temporaryGGUF(littleModel());
  using model = await Model.open(file.path, { device: "cpu" });
  const page = report(model, { rows: [0, 1, 2, 3] });

  for (
    const title of [
      "0 a\nnorm 0.1, values 0 to 0.1",
      "1 Ġb\nnorm NaN, 3 not finite",
      "2 -c\nnorm 16780000, values 1.401e−45 to 16780000",
      "3 d\\n\nnorm 139800, values −1e−7 to 123500",
    ]
  ) assertStringIncludes(page, `<title>${title}</title>`);
});

Deno.test("an id that is no row is refused with its position", async () => {
  using file = temporaryGGUF(littleModel());
  using model = await Model.open(file.path, { device: "cpu" });
  const error = assertThrows(() => fileMap(model, { rows: [0, 4] }), RangeError);
  assertStringIncludes(error.message, "id 4 at position 1");
});

Deno.test("a heat map shows the largest magnitude of the columns that share a cell", async () => {
  const values = new Float32Array(2 * 1024);
  values.set([0.25, -1], 0); // cell 0 of row 0
  values.set([0.5, 0.25], 1022); // its last cell
  values[1024 + 3] = NaN;
  values[1024 + 4] = 9; // beyond what the colours tell apart
  const { html } = heatMap(values, 1024, { labels: ["first", "<second>"] });
  const { width, pixels } = await decodePNG(/href="(data:image[^"]+)"/.exec(html)![1]!);

  assertEquals([width, pixels.length], [512, 1024]);
  assertEquals([pixels[0], pixels[511], pixels[512 + 1], pixels[512 + 2], pixels[5]], [0, 254, 255, 254, 127]);
  assertStringIncludes(html, "&lt;second&gt;");
  assertThrows(() => heatMap(values, 1000), RangeError, "no whole rows");
  assertThrows(() => heatMap(values, 1024, { labels: ["one"] }), RangeError, "1 labels");
});

Deno.test("a picture of any size is a sound PNG file", async () => {
  for (const [width, height] of [[1, 1], [300, 300], [3, 7]] as const) {
    const pixels = Uint8Array.from({ length: width * height }, (_, at) => at * 7 % 251);
    const decoded = await decodePNG(pngAddress(width, pixels, Array.from({ length: 256 }, (_, at) => [at, 0, 0, 255])));
    assertEquals(decoded, { width, pixels });
  }
});

/** What zlib, which checks its sums, reads in the file. */
async function decodePNG(address: string): Promise<{ width: number; pixels: Uint8Array<ArrayBuffer> }> {
  const program = `
import base64, struct, sys, zlib
data, at, packed = base64.b64decode(sys.argv[1]), 8, b""
assert data[:8] == bytes([137]) + b"PNG" + bytes([13, 10, 26, 10])
while at < len(data):
    length, = struct.unpack(">I", data[at:at + 4])
    name, body = data[at + 4:at + 8], data[at + 8:at + 8 + length]
    assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(name + body)
    if name == b"IHDR": width, height = struct.unpack(">II", body[:8])
    if name == b"IDAT": packed += body
    at += 12 + length
lines = zlib.decompress(packed)
assert name == b"IEND" and len(lines) == height * (width + 1)
sys.stdout.buffer.write(struct.pack("<I", width))
for y in range(height):
    assert lines[y * (width + 1)] == 0
    sys.stdout.buffer.write(lines[y * (width + 1) + 1:(y + 1) * (width + 1)])`;
  const output = await runPython("-c", [program, address.replace("data:image/png;base64,", "")]);
  return { width: new DataView(output.buffer, output.byteOffset).getUint32(0, true), pixels: output.slice(4) };
}

Deno.test("a histogram counts every row once", () => {
  const values = Float32Array.from({ length: 1000 }, (_, row) => row);
  const { html } = normHistogram(values, 1);
  const counts = [...html.matchAll(/<title>(\d+) rows?\nnorm/g)].map(([, count]) => Number(count));
  assertEquals(counts.reduce((sum, count) => sum + count, 0), 1000);
  assertStringIncludes(html, "Norms from 0 to 999, median 500.");
  assertStringIncludes(
    normHistogram([3, 4, NaN, 0], 2).html,
    "Norms from 5 to 5, median 5. Not finite and left out: 1 row.",
  );
  assertStringIncludes(normHistogram([NaN], 1).html, "No row has a finite norm");
});

Deno.test("the colours of types are told apart with every kind of colour blindness", () => {
  for (const [scheme, paper] of [["light", "#ffffff"], ["dark", "#15181c"]] as const) {
    const colours = palettes[scheme];
    for (const colour of colours) assertGreaterOrEqual(contrast(colour, paper), 3, `${colour} on ${paper}`);
    for (const [kind, matrix] of Object.entries(VISION)) {
      for (const [index, left] of colours.entries()) {
        for (const right of colours.slice(index + 1)) {
          assertGreaterOrEqual(difference(left, right, matrix), 0.08, `${left} and ${right}, ${kind}`);
        }
      }
    }
  }
});

type Three = readonly [number, number, number];
type Matrix = readonly [Three, Three, Three];

/** What is left of linear red, green and blue (Machado, Oliveira and Fernandes 2009, severity 1). */
const VISION: Record<string, Matrix> = {
  normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
};
const CONES: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const OKLAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

function linear(colour: string): Three {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return [red!, green!, blue!];
}

function times(matrix: Matrix, [x, y, z]: Three): Three {
  const [first, second, third] = matrix.map(([a, b, c]) => a * x + b * y + c * z);
  return [first!, second!, third!];
}

/** The distance in OKLab, where 0.02 can just be seen. */
function difference(left: string, right: string, vision: Matrix): number {
  const [from, to] = [left, right].map((colour) => {
    const [red, green, blue] = times(vision, linear(colour)).map((value) => Math.min(1, Math.max(0, value)));
    const [long, middle, short] = times(CONES, [red!, green!, blue!]).map(Math.cbrt);
    return times(OKLAB, [long!, middle!, short!]);
  });
  return Math.hypot(...from!.map((value, index) => value - to![index]!));
}

function contrast(left: string, right: string): number {
  const [from, to] = [left, right].map((colour) => {
    const [red, green, blue] = linear(colour);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });
  return (Math.max(from!, to!) + 0.05) / (Math.min(from!, to!) + 0.05);
}

Deno.test("muser inspect --html writes the page under its name", async () => {
  const folder = await Deno.makeTempDir();
  try {
    using file = temporaryGGUF(littleModel());
    const path = `${folder}/report.html`;
    assertEquals(
      await muser(["inspect", file.path, "--html", path, "--rows", "0-2, 1"]).then(({ error }) => error),
      "",
    );
    const page = await Deno.readTextFile(path);
    assertStringIncludes(page, "4 chosen rows.");
    assertStringIncludes(page, "<h1>Little</h1>");

    for (
      const [args, status, message] of [
        [["--rows", "0"], 2, "Option --rows needs --html FILE"],
        [["--html", path, "--rows", "1-x"], 2, 'Id "1-x" is no integer'],
        [["--html", path, "--rows", "2-1"], 2, "its first id is the larger"],
        [["--html", path, "--rows", "0,4"], 1, 'Cannot show id 4 at position 1: table "token_embd.weight" has 4 rows'],
        [["--html", path, "--tensor", "token_embd.weigth"], 1, 'did you mean "token_embd.weight"?'],
      ] as const
    ) {
      const run = await muser(["inspect", file.path, ...args]);
      assertEquals([run.status, run.out], [status, ""]);
      assertStringIncludes(run.error, message);
    }
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["report.html"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
