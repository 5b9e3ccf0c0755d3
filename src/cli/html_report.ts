import type { Model } from "../model.ts";
import { report } from "../report.ts";
import type { Table } from "../table.ts";
import { UsageError } from "./failure.ts";
import { IdParser } from "./id_parser.ts";
import type { Arguments, Option } from "./options.ts";
import { openOutput } from "./output.ts";
import { printable } from "./style.ts";
import { openTable } from "./tables.ts";

/** Options of `muser inspect` for a page with pictures. */
export const htmlOptions: readonly Option[] = [
  { name: "html", value: "FILE", path: true, summary: "Writes a page with a map of the file and pictures of rows" },
  { name: "rows", value: "IDS", summary: "With --html: the rows to show, such as 0,42,100-131" },
  { name: "tensor", value: "NAME", summary: "With --html: the table that they are rows of" },
];

/** Writes the page. */
export async function writeReport(model: Model, input: Arguments): Promise<void> {
  const tensor = input.value("tensor");
  const rows = input.value("rows");
  const table = tensor === undefined && rows === undefined
    ? undefined
    : openTable(model, tensor, { scale: 1, output: "f32" });
  const page = report(model, {
    ...(tensor !== undefined && { tensor }),
    ...(rows !== undefined && { rows: rowsOf(rows, table!) }),
  });
  using output = openOutput(input.value("html"));
  await output.write(new TextEncoder().encode(page));
  output.finish();
}

/** Ids and ranges of ids with commas between them. */
function rowsOf(text: string, { name, rowCount }: Pick<Table, "name" | "rowCount">): number[] {
  const state = `table "${printable(name)}" has ${rowCount} rows`;
  const parser = new IdParser({ count: rowCount, action: "show", state });
  return text.split(",").map((part) => part.trim()).flatMap((part) => {
    const [, from, to] = /^(\d+)-(\d+)$/.exec(part) ?? [];
    if (from === undefined || to === undefined) return [parser.word(part)];
    const [first, last] = [parser.word(from), parser.word(to)];
    if (first > last) throw new UsageError(`Option --rows has the range ${part}, its first id is the larger`);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
