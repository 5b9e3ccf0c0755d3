import { fileURLToPath } from "node:url";
import { assert } from "@std/assert";
import { runPython } from "../support/oracle.ts";

const program = fileURLToPath(new URL("differential.py", import.meta.url));

/** A part of what `differential.py` does in full, evenly spread. */
const kinds = [["random", "300"], ["flips", "2000"], ["truncations", "1000"]];

for (const [kind, count] of kinds) {
  Deno.test({
    name: `the gguf package and the library say the same of files: ${kind}`,
    ignore: Deno.build.os !== "linux", // files in memory, with a path
    fn: async () => {
      const report = new TextDecoder().decode(await runPython(program, [kind!, count!]));
      const inputs = Number(/^(\d+) inputs/.exec(report)?.[1]);
      assert(inputs >= Number(count), report);
    },
  });
}
