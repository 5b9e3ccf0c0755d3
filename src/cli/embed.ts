import { type FormatName, formats, type Shape } from "../formats/formats.ts";
import type { Model } from "../model.ts";
import type { Output as ValueType, Table } from "../table.ts";
import type { Command } from "./command.ts";
import { UsageError } from "./failure.ts";
import { IdParser, integer } from "./id_parser.ts";
import { collectIds, findToken, type IdBatch, type IdSources, readIds } from "./ids.ts";
import { deviceOptions, fileAndWords, fileOptions, numberOf, openModel } from "./model_options.ts";
import type { Arguments } from "./options.ts";
import { openOutput } from "./output.ts";
import { Progress } from "./progress.ts";
import { lookUp } from "./rows.ts";
import { say } from "./say.ts";
import { openTable } from "./tables.ts";
import { encodeOptions, encodeOptionsOf, idsOfTexts } from "./texts.ts";
import { plural } from "../units.ts";

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const LARGEST_F32 = (2 - 2 ** -23) * 2 ** 127;

/** Options that ids come from. */
const SOURCES = ["ids", "token", "text", "text-file"];

/** `muser embed`: rows of a table. */
export const embed: Command = {
  name: "embed",
  operands: "FILE [ID…]",
  summary: "Writes rows of a table, by default the vectors of tokens",
  details: `Rows come in the order: ids given as arguments, --ids, --token, --text, --text-file.
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
    { name: "text", value: "TEXT", repeats: true, summary: "The tokens of a text" },
    { name: "text-file", value: "FILE", path: true, summary: "The tokens of a file of text; - for standard input" },
    { name: "tensor", value: "NAME", summary: "Another two-dimensional tensor than token_embd.weight" },
    ...deviceOptions,
    { name: "format", value: "FORMAT", choices: Object.keys(formats), summary: Object.keys(formats).join(", ") },
    { name: "type", value: "TYPE", choices: ["f32", "f16"], summary: "Type of the values, f32 or f16" },
    { name: "scale", value: "X", summary: "Multiplies every value" },
    { name: "output", value: "PATH", path: true, summary: "Writes to a file; - for standard output" },
    ...encodeOptions,
    ...fileOptions,
  ],
  run,
};

async function run(input: Arguments): Promise<void> {
  const { file, words } = fileAndWords(input);
  words.forEach(integer);
  if (words.length === 0 && !SOURCES.some((name) => input.has(name))) {
    throw new UsageError("No rows asked for: give an ID, --ids, --token or --text");
  }
  const scale = numberOf(input, "scale", DECIMAL, LARGEST_F32) ?? 1;
  using model = await openModel(file, input);
  const output = (input.value("type") ?? "f32") as ValueType;
  const table = openTable(model, input.value("tensor"), { scale, output });
  const { name, rowCount } = table;
  const parser = new IdParser({ count: rowCount, action: "look up", state: `table "${name}" has ${rowCount} rows` });
  await write(table, readIds(sources(words, model, input), parser), input);
}

function sources(words: readonly string[], model: Model, input: Arguments): IdSources {
  const [ids, text] = [input.value("ids"), input.value("text-file")];
  if (ids === "-" && text === "-") throw new UsageError("Standard input can be either --ids or --text-file");
  return {
    words,
    file: ids,
    tokens: input.values("token").map((text) => findToken(model, text)),
    texts: idsOfTexts(model, encodeOptionsOf(input), input.values("text"), text),
  };
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

function sayLost(values: number): void {
  if (values > 0) say(`wrote null for ${plural(values, "value")} that JSON cannot hold (NaN or infinite)`);
}
