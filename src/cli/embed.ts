import { type FormatName, formats, type Shape, type Values } from "../formats/formats.ts";
import type { Output as ValueType, Table } from "../table.ts";
import type { Command } from "./command.ts";
import { UsageError } from "./failure.ts";
import { IdParser, integer } from "./id_parser.ts";
import { collectIds, findToken, type IdBatch, readIds } from "./ids.ts";
import { deviceOption, libraryOptions, numberOf, openModel } from "./model_options.ts";
import type { Arguments } from "./options.ts";
import { openOutput } from "./output.ts";
import { Progress } from "./progress.ts";
import { openTable } from "./tables.ts";
import { say } from "./say.ts";
import { plural } from "./units.ts";

/** Bytes of rows looked up and written at once: enough that handing them to another thread costs little. */
const BATCH_BYTES = 2 * 1024 * 1024;

/** `muser embed`: rows of a table. */
export const embed: Command = {
  name: "embed",
  operands: "FILE [ID…]",
  summary: "Writes rows of a table, by default the vectors of tokens",
  details: `Rows come in the order: ids given as arguments, ids of --ids, entries of --token.
Write -- before an argument that begins with a dash.

Examples:
  muser embed model.gguf 42 7
  muser embed model.gguf --token hello --format json
  muser embed model.gguf --ids ids.txt --format npy --output rows.npy`,
  options: [
    {
      name: "ids",
      value: "FILE",
      path: true,
      summary: "Ids from a file, separated by white space; - for standard input",
    },
    { name: "token", value: "TEXT", repeats: true, summary: "The vocabulary entry with exactly this text" },
    { name: "tensor", value: "NAME", summary: "Another two-dimensional tensor than token_embd.weight" },
    deviceOption,
    { name: "format", value: "FORMAT", choices: Object.keys(formats), summary: Object.keys(formats).join(", ") },
    { name: "type", value: "TYPE", choices: ["f32", "f16"], summary: "Type of the values, f32 or f16" },
    { name: "scale", value: "X", summary: "Multiplies every value" },
    { name: "output", value: "PATH", path: true, summary: "Writes to a file; - for standard output" },
    ...libraryOptions,
  ],
  run,
};

async function run(input: Arguments): Promise<void> {
  const [file, ...words] = input.operands;
  if (file === undefined) throw new UsageError("FILE is missing: name a GGUF file");
  words.forEach(integer);
  if (words.length === 0 && !input.has("ids") && !input.has("token")) {
    throw new UsageError("No rows asked for: give an ID, --ids or --token");
  }
  const scale = numberOf(input, "scale", /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i, 1);
  using model = await openModel(file, input);
  const tokens = input.values("token").map((text) => findToken(model, text));
  const output = (input.value("type") ?? "f32") as ValueType;
  const table = openTable(model, input.value("tensor"), { scale, output });
  await write(table, readIds({ words, file: input.value("ids"), tokens }, new IdParser(table)), input);
}

async function write(table: Table<ValueType>, ids: AsyncIterable<IdBatch>, input: Arguments): Promise<void> {
  const format = formats[(input.value("format") ?? "text") as FormatName];
  using output = openOutput(input.value("output"));
  const all = format.counted ? await collectIds(ids) : undefined;
  const shape: Shape = { name: table.name, rows: all?.length ?? 0, columns: table.columns, type: table.output };
  const encoder = format.encoder(shape);
  using progress = new Progress("rows", output.terminal);
  await output.write(encoder.start());
  let done = 0;
  for await (const { values, share } of lookUp(table, all === undefined ? ids : [{ ids: all }])) {
    await output.write(encoder.rows(values));
    done += values.length / table.columns;
    await progress.update(done, all === undefined ? share : done / all.length);
  }
  await output.write(encoder.end());
  output.finish();
  sayLost(encoder.lost());
}

/**
 * The rows of all ids, some at a time. Another thread looks the next ones up while the caller writes these, which stay
 * as they are until it asks for more.
 */
async function* lookUp(
  table: Table<ValueType>,
  batches: AsyncIterable<IdBatch> | Iterable<IdBatch>,
): AsyncGenerator<{ values: Values; share?: number | undefined }> {
  const { columns, output } = table;
  const most = Math.max(1, Math.floor(BATCH_BYTES / (columns * (output === "f32" ? 4 : 2))));
  const Vector = output === "f32" ? Float32Array : Float16Array;
  let [buffer, other] = [new Vector(most * columns), new Vector(most * columns)];
  for await (const { ids, share } of batches) {
    let ready: Promise<Values> | undefined;
    for (let at = 0; at < ids.length; at += most) {
      const some = ids.subarray(at, at + most);
      const next = table.rowsAsync(some, { into: buffer.subarray(0, some.length * columns) });
      next.catch(() => {}); // where the caller fails first, this failure is not asked for any more
      if (ready !== undefined) yield { values: await ready, share };
      [ready, buffer, other] = [next, other, buffer];
    }
    if (ready !== undefined) yield { values: await ready, share };
  }
}

function sayLost(values: number): void {
  if (values > 0) say(`wrote null for ${plural(values, "value")} that JSON cannot hold (NaN or infinite)`);
}
