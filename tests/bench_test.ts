import { assert, assertEquals, assertGreater, assertMatch } from "@std/assert";
import { fileURLToPath } from "node:url";
import { lineOf } from "../bench/report.ts";
import { compare, isMet, type Result } from "../bench/result.ts";
import { type Chart, toSVG } from "../bench/plot.ts";
import { Missing, takeTurns } from "../bench/turns.ts";
import { pythonPath } from "./support/oracle.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
/** The goals on a CPU that the parts below measure, from the table of them. */
const GOALS = ["≥ 1.6", "≥ 1.5", "≥ 2", "≥ 0.9", "≥ 1.25", "≥ 0.75", "≥ 0.65", "≤ 1.14", "≤ 1.15"];

Deno.test("scripts/bench measures every goal, or says why it cannot, and draws what it measured", async () => {
  const folder = await Deno.makeTempDir({ prefix: "muser-test-" });
  try {
    const parts = ["cached", "wide", "typescript", "sweep"].flatMap((part) => ["--only", part]);
    const args = [...parts, "--quick", "--json", `${folder}/bench.json`, "--plot", folder];
    const { code, stdout, stderr } = await runBench(args);
    assertEquals([code, stderr], [0, ""]);
    for (const goal of GOALS) assert(stdout.includes(` ${goal} `), `${goal} is no goal in:\n${stdout}`);
    assertMatch(stdout, /^\d+ of \d+ goals met$/m);

    const { results, charts, machine } = JSON.parse(await Deno.readTextFile(`${folder}/bench.json`));
    assertEquals(machine.devices[0].name, "cpu");
    for (const { what, ratio, note } of results as Result[]) {
      assert(ratio === undefined ? note !== undefined : ratio.median > 0, `${what} has neither a ratio nor a reason`);
    }
    assertEquals(charts.map(({ name }: Chart) => name), ["cpu"]);
    await assertXML(`${folder}/cpu.svg`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a ratio is the median of the rounds' own ratios", () => {
  const facts = { what: "ours", against: "theirs", wanted: { atLeast: 2 } };
  const result = compare(facts, [1, 10, 2], [2, 30, 2]);
  assertEquals([result.ratio, result.ours?.median, result.theirs?.median], [{ median: 2, low: 2, high: 3 }, 2, 2]);
  assertEquals(isMet(result), true);
  assertEquals(isMet({ ...result, wanted: { atMost: 1.9 } }), false);
  assertEquals(compare(facts, [1, 10, 2], [2, 40, 1], "ours / theirs").ratio?.median, 0.5);
});

Deno.test("what is missing has no ratio but a reason, and is not measured again", async () => {
  let asked = 0;
  const { ours, theirs } = await takeTurns({
    ours: () => 1,
    theirs: () => {
      asked++;
      throw new Missing("the peer is not here");
    },
  }, 3);
  const result = compare({ what: "a row", against: "a peer", wanted: { atLeast: 2 } }, ours, theirs);
  assertEquals([asked, result.ratio, result.note, isMet(result)], [1, undefined, "the peer is not here", undefined]);
  assertMatch(lineOf(result), /no figure +≥ 2 +a row, against a peer: 1\.00 µs; the peer is not here$/);
});

Deno.test("a chart of one point and names with signs of XML is drawn", async () => {
  const time = { median: 0.5, low: 0.25, high: 1 };
  const lines = [{ name: "a < b & c", points: [{ width: 1, time }] }, { name: "nothing", points: [] }];
  const path = await Deno.makeTempFile({ suffix: ".svg" });
  await Deno.writeTextFile(path, toSVG({ name: "one", title: "<one>", widths: [1], lines, limit: "a < b & c" }));
  await assertXML(path);
  assertGreater((await Deno.readTextFile(path)).indexOf("prefers-color-scheme: dark"), 0);
  await Deno.remove(path);
});

async function runBench(args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const config = await Deno.stat(`${root}deno.offline.json`).then(() => "deno.offline.json", () => "deno.json");
  const command = ["run", "--quiet", "--allow-all", `--config=${root}${config}`, `${root}bench/main.ts`, ...args];
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args: command }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Demands numbers in every place, in XML that another reader accepts. */
async function assertXML(path: string): Promise<void> {
  const text = await Deno.readTextFile(path);
  assert(!/NaN|Infinity|undefined/.test(text), text);
  const read = "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])";
  const { code, stderr } = await new Deno.Command(pythonPath(), { args: ["-c", read, path] }).output();
  assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
}
