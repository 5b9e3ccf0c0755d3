/**
 * Writes a GGUF file with a table of random blocks for every type that rows can be gathered from.
 *
 * Usage: deno run -A tests/cuda/tables.ts FILE      prints the tables' names
 * @module
 */
import { type TypeFacts, types } from "../../mod.ts";
import { type TensorSpec, writeGGUF } from "../support/gguf_writer.ts";
import { randomBytes } from "../support/values.ts";

/** Rows of every table. */
export const ROWS = 1031;

/** A table for each type: blocks two a row; single values also in rows that begin at no multiple of four. */
export function tables(): TensorSpec[] {
  const gathered = types().filter(({ kernel }) => kernel !== "");
  const each = gathered.flatMap((type) => {
    const widths = type.blockValues > 1 ? [2 * type.blockValues] : [512, 77];
    return widths.map((columns) => table(`${type.name}.${columns}`, type, columns));
  });
  return [...each, table("token_embd.weight", gathered.find(({ name }) => name === "BF16")!, 770)];
}

function table(name: string, { id, blockValues, blockBytes }: TypeFacts, columns: number): TensorSpec {
  const bytes = randomBytes(columns / blockValues * blockBytes * ROWS, id + columns);
  return { name, type: id, dimensions: [columns, ROWS], bytes };
}

if (import.meta.main) {
  const all = tables();
  Deno.writeFileSync(Deno.args[0]!, writeGGUF({ tensors: all }));
  console.log(all.map(({ name }) => name).join(" "));
}
