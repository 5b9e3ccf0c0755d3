import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fileURLToPath } from "node:url";
import { Model } from "../mod.ts";
import { heatMap } from "../src/report.ts";
import { hostileModel } from "./report/hostile.ts";
import { temporaryGGUF } from "./support/gguf_writer.ts";
import { pythonPath } from "./support/oracle.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const display = Symbol.for("Jupyter.display");

const { success: hasJupyter } = new Deno.Command(pythonPath(), {
  args: ["-c", "import nbclient"],
  stdout: "null",
  stderr: "null",
}).outputSync();

Deno.test({
  name: `the example notebook runs in Deno's kernel${hasJupyter ? "" : " (no Jupyter, MUSER_FULL=1 installs it)"}`,
  ignore: !hasJupyter && !Deno.env.get("MUSER_FULL"),
  fn: async () => {
    const folder = await Deno.makeTempDir();
    try {
      await Deno.mkdir(`${folder}/kernels/deno`, { recursive: true });
      const argv = [Deno.execPath(), "jupyter", "--kernel", "--conn", "{connection_file}"];
      const spec = { argv, display_name: "Deno", language: "typescript" };
      await Deno.writeTextFile(`${folder}/kernels/deno/kernel.json`, JSON.stringify(spec));
      const output = await new Deno.Command(pythonPath(), {
        args: [`${root}tests/support/notebook.py`, `${root}examples/notebook.ipynb`],
        env: { JUPYTER_PATH: folder },
      }).output();
      assertEquals([output.code, output.success ? "" : new TextDecoder().decode(output.stderr)], [0, ""]);
      const cells: Record<string, string>[][] = JSON.parse(new TextDecoder().decode(output.stdout));

      assertEquals(cells.map((outputs) => outputs.length), [1, 1, 1, 1, 0]);
      const [model, table, rows, map] = cells.map(([shown]) => shown?.["text/html"] ?? "");
      assertStringIncludes(model!, "<title>blk.29.ffn_up.weight\n");
      assertStringIncludes(model!, "49,152 rows of 576 values");
      assertStringIncludes(table!, "Histogram of the norms of 32 rows");
      assertMatch(rows!, /Heat map of \d rows of 576 values/);
      assertMatch(map!, /<title>\d chosen rows\ntoken_embd.weight/);
      assertEquals(cells[1]![0]!["text/plain"], "Table token_embd.weight: 49152 rows of 576 values, stored as Q8_0");
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

interface Shown {
  [display](): Record<string, string> | Promise<Record<string, string>>;
}

Deno.test("a model, a table and rows show themselves as HTML and as text, whatever their names", async () => {
  using file = temporaryGGUF(hostileModel());
  using model = await Model.open(file.path, { device: "cpu" });
  for (const shown of [model, model.table(), model.table(undefined, { output: "f16" }), heatMap(model.embed([0]), 4)]) {
    const { "text/html": html, "text/plain": text, ...others } = await (shown as unknown as Shown)[display]();
    assertEquals(others, {});
    assert(text !== "" && !text!.includes("\n"));
    assertMatch(html!, /^<div class="muser"><style>/);
    assertEquals(html!.match(/<script|<img src=x|onfocus='/g), null);
  }
});

Deno.test("a model and a table that are closed say so", async () => {
  using file = temporaryGGUF(hostileModel());
  const model = await Model.open(file.path, { device: "cpu" });
  const table = model.table();
  model.close();
  for (const shown of [model, table]) {
    const error = await Promise.resolve((shown as unknown as Shown)[display]()).catch(({ code }) => code);
    assertEquals(error, "closed");
  }
});
