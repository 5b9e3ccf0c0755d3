import { assertEquals, assertLess, assertMatch, assertStringIncludes } from "@std/assert";
import { Model } from "../../mod.ts";
import { report } from "../../src/report.ts";
import { palettes } from "../../src/report/style.ts";
import { filledRows, museGlimmer } from "../support/artifact.ts";
import { chromium, needsChromium, type Page, withPage } from "../support/browser.ts";
import { temporaryGGUF } from "../support/gguf_writer.ts";
import { HOSTILE, hostileModel } from "./hostile.ts";

function browserTest(name: string, path: () => Promise<string>, work: (page: Page) => Promise<void>): void {
  Deno.test({
    name: `${name} in a browser${needsChromium}`,
    ignore: chromium === undefined,
    fn: async () => {
      const file = await Deno.makeTempFile({ suffix: ".html" });
      try {
        await Deno.writeTextFile(file, await path());
        await withPage(file, work);
      } finally {
        await Deno.remove(file);
      }
    },
  });
}

async function museGlimmerPage(): Promise<string> {
  using model = await Model.open(await museGlimmer(), { device: "cpu" });
  return report(model, { rows: filledRows });
}

browserTest("the page of 731 tensors is small, quick and silent", museGlimmerPage, async (page) => {
  const bytes = await page.evaluate<number>("new Blob([document.documentElement.outerHTML]).size");
  // Two frames: the first one draws, the second proves that it has been drawn.
  const drawn = await page.evaluate<number>(
    `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(
      performance.getEntriesByType("paint").at(-1)?.startTime ?? performance.now()))))`,
  );
  console.log(`${bytes} bytes in the browser, drawn after ${drawn} ms`);
  assertEquals([page.complaints, page.requests], [[], []]);
  // A quarter of a second on a quiet machine.
  assertLess(drawn, 10_000);
  assertEquals(
    await page.evaluate("document.querySelectorAll('svg')[0].querySelectorAll('[role=option]').length"),
    733,
  );
});

const PLACE = (name: string): string =>
  `(() => {
  const item = document.querySelector('[aria-label^="${name},"]');
  item.scrollIntoView({ block: "center" });
  const { x, y, width, height } = item.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
})()`;
const TIP = "(() => { const tip = document.querySelector('.tip'); return tip.hidden ? '' : tip.textContent; })()";

browserTest("names show under the pointer and at the arrow keys", museGlimmerPage, async (page) => {
  for (const name of ["blk.0.ffn_gate.weight", "blk.51.attn_q.weight", "output.weight"]) {
    const place = await page.evaluate<{ x: number; y: number }>(PLACE(name));
    await page.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...place });
    assertMatch(
      await page.evaluate(TIP),
      new RegExp(`^${name}\n(Q4_K|Q5_K), [0-9,]+ × [0-9,]+, [0-9.]+ MiB at [0-9,]+$`),
    );
  }
  await page.send("Input.dispatchMouseEvent", { type: "mouseMoved", x: 1, y: 1 });
  assertEquals(await page.evaluate(TIP), "");

  await page.press("Tab");
  assertMatch(await page.evaluate(TIP), /^Header\n/);
  await page.press("ArrowRight");
  assertMatch(await page.evaluate(TIP), /^token_embd.weight\nQ4_K, 6,656 × 202,048, 721.4 MiB at 13,113,696$/);
  await page.press("ArrowDown");
  assertMatch(await page.evaluate(TIP), /^output_norm.weight\nF32/);
  await page.press("End");
  assertMatch(await page.evaluate(TIP), /^4 chosen rows\ntoken_embd.weight, 3.7 KiB each$/);
  await page.press("Escape");
  assertEquals(await page.evaluate(TIP), "");
});

const LOOK = `(() => {
  const style = (selector, property) => getComputedStyle(document.querySelector(selector))[property];
  return [style("body", "backgroundColor"), style("main", "color"), style(".swatch.type0", "backgroundColor")];
})()`;

browserTest("the page is light, dark, and light in print", museGlimmerPage, async (page) => {
  const look = async (media: string, scheme: string): Promise<unknown> => {
    const features = [{ name: "prefers-color-scheme", value: scheme }];
    await page.send("Emulation.setEmulatedMedia", { media, features });
    return await page.evaluate(LOOK);
  };
  const light = ["rgb(255, 255, 255)", "rgb(27, 31, 36)", rgb(palettes.light[0]!)];
  assertEquals(await look("screen", "light"), light);
  assertEquals(await look("screen", "dark"), ["rgb(21, 24, 28)", "rgb(230, 233, 237)", rgb(palettes.dark[0]!)]);
  assertEquals(await look("print", "dark"), light);
  const { data } = await page.send<{ data: string }>("Page.printToPDF", {});
  const pages = atob(data).match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  console.log(`${pages} pages in print`);
  assertEquals(pages > 0 && pages < 8, true);
});

function rgb(colour: string): string {
  return `rgb(${[1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)).join(", ")})`;
}

browserTest("a screen reader hears every tensor, the rows and the headings", museGlimmerPage, async (page) => {
  const nodes = await accessibleNodes(page);
  const of = (role: string): string[] => nodes.filter((node) => node.role === role).map(({ name }) => name);
  const options = of("option");
  assertEquals(of("heading"), [
    "Muse Glimmer shape, no weights",
    "Map of the file",
    "Rows of token_embd.weight",
    "Values",
    "Norms",
  ]);
  assertStringIncludes(of("listbox").join("\n"), "Map of the file: 731 tensors in their order, to scale");
  for (let layer = 0; layer < 52; layer++) {
    assertEquals(options.filter((name) => name.startsWith(`blk.${layer}.ffn_up.weight, Q4_K, `)).length, 1);
  }
  assertMatch(options.join("\n"), /^200000 <\|begin_of_text\|>, norm [0-9.]+, values −[0-9.]+ to [0-9.]+$/m);
  assertEquals(nodes.filter(({ role, name }) => role === "option" && name === "").length, 0);
  await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
  const cells = (await accessibleNodes(page)).filter(({ role }) => role === "rowheader").map(({ name }) => name);
  assertEquals(cells.filter((name) => name === "blk.51.ffn_down.weight").length, 1);
});

async function accessibleNodes(page: Page): Promise<{ role: string; name: string }[]> {
  interface Node {
    ignored: boolean;
    role?: { value: string };
    name?: { value: string };
  }
  const { nodes } = await page.send<{ nodes: Node[] }>("Accessibility.getFullAXTree");
  return nodes.filter(({ ignored }) => !ignored)
    .map(({ role, name }) => ({ role: role?.value ?? "", name: name?.value ?? "" }));
}

async function hostilePage(): Promise<string> {
  using file = temporaryGGUF(hostileModel());
  using model = await Model.open(file.path, { device: "cpu" });
  return report(model, { rows: [0, 1] });
}

browserTest("names that are HTML stay names", hostilePage, async (page) => {
  assertEquals([page.complaints, page.requests], [[], []]);
  assertEquals(await page.evaluate("[typeof harm, document.scripts.length, document.images.length]"), [
    "undefined",
    1,
    1,
  ]);
  const labels = await page.evaluate<string>(
    "[...document.querySelectorAll('[aria-label], h1')].map((it) => it.ariaLabel ?? it.textContent).join('\\n')",
  );
  for (const text of HOSTILE) assertStringIncludes(labels, text.replace("\u202e", "\\u202e").replace("\n", "\\n"));
});
