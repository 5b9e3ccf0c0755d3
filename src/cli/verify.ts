import { devices } from "../devices.ts";
import type { TableFacts } from "../facts.ts";
import { types } from "../types.ts";
import type { Command } from "./command.ts";
import { Failure } from "./failure.ts";
import { fileOptions, libraryOf, onlyFile, openModel } from "./model_options.ts";
import type { Arguments } from "./options.ts";
import { print } from "./output.ts";
import { Progress } from "./progress.ts";
import { printable } from "./style.ts";
import { lookupTables } from "./tables.ts";
import { plural } from "../units.ts";
import { type Way, ways } from "./ways.ts";

/** Rows of a table that are looked up at the most. */
const SAMPLE = 16;

/** `muser verify`: the file keeps the rules, and every device reads the same bits. */
export const verify: Command = {
  name: "verify",
  operands: "FILE",
  summary: "Proves a file, and that every device gives the same bits on it",
  details: `Opening proves every rule of the format. Then of every table the first, the last and
some other rows are looked up on each available device, with the file mapped and not (and
copied to a GPU that has memory of its own), and their bits are compared. With --no-map the file is never mapped.`,
  options: fileOptions,
  run,
};

async function run(input: Arguments): Promise<void> {
  const file = onlyFile(input);
  const available = devices(libraryOf(input)).filter((device) => device.available).map(({ name }) => name);
  const tables = await tablesOfFile(file, input);
  if (tables.length === 0) {
    throw new Failure(`Cannot verify "${file}": nothing was checked, it has no table whose rows can be looked up`);
  }
  using all = ways(file, input, available);
  const rows = await compareTables(tables, all.list);
  const names = [...new Set(all.list.map(({ name }) => name))];
  await print(
    `${printable(file)}: every rule of the format holds\n` +
      `${plural(tables.length, "table")}: ${plural(rows, "row")} looked up in ${plural(names.length, "way")} ` +
      `(${names.join(", ")}), ${all.list.length > 1 ? "bits equal" : "nothing to compare with"}\n`,
  );
}

async function tablesOfFile(file: string, input: Arguments): Promise<TableFacts[]> {
  using model = await openModel(file, input, { device: "cpu" });
  return lookupTables(model, types(libraryOf(input)));
}

/** Looks up the sample of every table in every way; returns the number of rows, or throws at the first difference. */
async function compareTables(tables: readonly TableFacts[], list: readonly Way[]): Promise<number> {
  using progress = new Progress("tables", false);
  let rows = 0;
  for (const [index, table] of tables.entries()) {
    const ids = sample(table.rows);
    const expected = await list[0]!.rows(table, ids);
    for (const way of list.slice(1)) {
      const different = firstDifference(expected, await way.rows(table, ids));
      if (different < 0) continue;
      const id = ids[Math.floor(different / table.columns)]!;
      const place = `row ${id}, column ${different % table.columns} of "${printable(table.name)}"`;
      throw new Failure(`Cannot trust ${way.name}: ${place} differs from ${list[0]!.name}, please report it`);
    }
    rows += ids.length;
    await progress.update(index + 1, (index + 1) / tables.length);
  }
  return rows;
}

/** The first, the last and some other rows, spread evenly. */
function sample(rows: number): Uint32Array {
  const spread = Array.from({ length: SAMPLE }, (_, index) => Math.round(index * (rows - 1) / (SAMPLE - 1)));
  return Uint32Array.from(new Set(spread));
}

/** Where the bits differ first, -1 for nowhere; NaN equals NaN. */
function firstDifference(left: Float32Array<ArrayBuffer>, right: Float32Array<ArrayBuffer>): number {
  const [before, after] = [left, right].map(({ buffer }) => new Uint32Array(buffer)) as [Uint32Array, Uint32Array];
  return before.findIndex((bits, at) => bits !== after[at] && !(Number.isNaN(left[at]) && Number.isNaN(right[at])));
}
