import { fileURLToPath } from "node:url";
import { smollm2 } from "../../tests/support/models.ts";
import { pythonPath } from "../../tests/support/oracle.ts";
import { compare, compareOnce } from "../result.ts";
import { Missing, once, takeTurns, type Timed } from "../turns.ts";
import type { Part } from "./part.ts";

/** From nothing to a row. */
export const start: Part = {
  name: "start",
  title: "From the start of a process to the first row of SmolLM2",
  async *run({ rounds }) {
    const script = (name: string): string => fileURLToPath(new URL(`../programs/${name}`, import.meta.url));
    const deno = (name: string, ...args: string[]): Timed =>
      process(Deno.execPath(), ["run", "--quiet", "--allow-all", "--no-config", script(name), ...args]);
    if (!smollm2.available) {
      yield { what: "Deno and a row", against: "Deno and nothing", unit: "µs", note: smollm2.reason };
      return;
    }
    const { ours, nothing } = await takeTurns({
      ours: deno("first_row.ts", smollm2.path),
      nothing: deno("nothing.ts"),
    }, Math.min(rounds, 7));
    yield compare({ what: "Deno and a row", against: "Deno and nothing" }, ours, nothing, "ours / theirs");
    const facts = { what: "Deno and a row", against: "Python, the gguf package and a row, once" };
    yield compareOnce(facts, ours, await once(process(pythonPath(), [script("first_row.py"), smollm2.path])));
  },
};

/** Microseconds from the start of a process to its end. */
function process(command: string, args: readonly string[]): Timed {
  return async () => {
    const begin = performance.now();
    const { success, stderr } = await new Deno.Command(command, { args: [...args], stdin: "null" }).output();
    if (!success) throw new Missing(new TextDecoder().decode(stderr).trim());
    return (performance.now() - begin) * 1000;
  };
}
