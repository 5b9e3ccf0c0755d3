import { fileURLToPath } from "node:url";
import { assert, assertEquals } from "@std/assert";
import { Model, MuserError } from "../../mod.ts";

/** Where tests/malformed/write puts the table of the native tests. */
const folder = fileURLToPath(new URL("../../.muser/malformed/", import.meta.url));

interface Case {
  file: string;
  title: string;
  /** What the file is refused with; empty where it can be read. */
  code: string;
}

function cases(): Case[] {
  try {
    return JSON.parse(Deno.readTextFileSync(`${folder}cases.json`));
  } catch {
    return [];
  }
}

/** The code of a refusal, and how long it took in milliseconds. */
async function open(path: string, map: boolean): Promise<{ code: string; message: string; took: number }> {
  const begin = performance.now();
  try {
    using _model = await Model.open(path, { map });
    return { code: "", message: "", took: performance.now() - begin };
  } catch (error) {
    if (!(error instanceof MuserError)) throw error;
    return { code: error.code, message: error.message, took: performance.now() - begin };
  }
}

const table = cases();

Deno.test({
  name: `every malformed file is refused with its code, soon and in little memory${
    table.length ? "" : " (tests/malformed/write makes them)"
  }`,
  ignore: table.length === 0,
  fn: async () => {
    const before = Deno.memoryUsage().rss;
    for (const { file, title, code } of table) {
      for (const map of [true, false]) {
        const path = folder + file;
        let answer = await open(path, map);
        // Again where the machine was busy.
        for (let again = 0; again < 20 && answer.took >= 50; again++) answer = await open(path, map);
        assertEquals(answer.code, code, `${title}, ${answer.message}`);
        assert(answer.took < 50, `${title}: ${answer.took} ms`);
        if (code) assert(answer.message.startsWith(`Cannot open`) && answer.message.includes(path), answer.message);
      }
    }
    assert(Deno.memoryUsage().rss - before < 2 ** 24, `${Deno.memoryUsage().rss - before} bytes`);
  },
});
