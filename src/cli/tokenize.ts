import type { EncodeOptions, Tokenizer } from "../tokenizer/mod.ts";
import type { Command } from "./command.ts";
import { UsageError } from "./failure.ts";
import { readPieces } from "./input.ts";
import { columns } from "./layout.ts";
import { fileAndWords, fileOptions, openModel } from "./model_options.ts";
import type { Arguments } from "./options.ts";
import { type Output, standardOutput } from "./output.ts";
import { printable, shade } from "./style.ts";
import { encodeOptions, encodeOptionsOf, idsOfTexts, tokenizerOf } from "./texts.ts";
import { count } from "../units.ts";

/** `muser tokenize`: text to ids. */
export const tokenize: Command = {
  name: "tokenize",
  operands: "FILE [TEXT…]",
  summary: "Shows the tokens of a text",
  details: `Without TEXT the text comes from --text-file or standard input. Several TEXTs are joined by spaces.
With --ids a text of any size is encoded as it is read.

Examples:
  muser tokenize model.gguf "Hello, world!"
  muser tokenize model.gguf --ids < book.txt | muser embed model.gguf --ids - --format npy > book.npy`,
  options: [
    { name: "ids", summary: "Writes only the ids, one a line" },
    { name: "json", summary: "Writes JSON: [{ id, piece, bytes, offset }]" },
    { name: "text-file", value: "FILE", path: true, summary: "A file of text; - for standard input" },
    ...encodeOptions,
    ...fileOptions,
  ],
  run,
};

async function run(input: Arguments): Promise<void> {
  const { file, words } = fileAndWords(input);
  if (words.length > 0 && input.has("text-file")) throw new UsageError("Give either TEXT or --text-file");
  if (input.has("ids") && input.has("json")) throw new UsageError("Give either --ids or --json");
  using model = await openModel(file, input, { device: "cpu" });
  const options = encodeOptionsOf(input);
  const path = words.length > 0 ? undefined : input.value("text-file") ?? "-";
  const output = standardOutput();
  if (input.has("ids")) {
    const texts = words.length > 0 ? [words.join(" ")] : [];
    for await (const { ids } of idsOfTexts(model, options, texts, path)) await write(output, idLines(ids));
  } else {
    const text = path === undefined ? words.join(" ") : await readAll(path);
    await write(output, render(tokens(tokenizerOf(model), text, options), input.has("json"), output.terminal));
  }
}

interface TokenFacts {
  id: number;
  piece: string;
  bytes: Uint8Array;
  /** Where the token begins, in bytes of the text. */
  offset: number;
}

function tokens(tokenizer: Tokenizer, text: string | Uint8Array, options: EncodeOptions): TokenFacts[] {
  const { ids, offsets } = tokenizer.encodeWithOffsets(text, options);
  return Array.from(ids, (id, index) => ({
    id,
    piece: tokenizer.piece(id),
    bytes: tokenizer.bytes(id),
    offset: offsets[index]!,
  }));
}

function render(list: readonly TokenFacts[], json: boolean, terminal: boolean): string {
  if (json) {
    const lines = list.map(({ bytes, ...facts }) => JSON.stringify({ ...facts, bytes: [...bytes] }));
    return `[${lines.map((line) => `\n  ${line}`).join(",")}\n]\n`;
  }
  const shaded = list.map(({ piece }, index) => shade(printable(piece), index)).join("");
  const rows = list.map((
    { id, piece, bytes, offset },
  ) => [`${id}`, `"${printable(piece)}"`, hex(bytes), count(offset)]);
  const table = columns(["id", "piece", "bytes", "offset"], rows, ["right", "left", "left", "right"]);
  return (terminal ? `${shaded}\n\n` : "") + table;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
}

function idLines(ids: Uint32Array): string {
  return ids.length === 0 ? "" : ids.join("\n") + "\n";
}

async function write(output: Output, text: string): Promise<void> {
  await output.write(new TextEncoder().encode(text));
}

async function readAll(path: string): Promise<Uint8Array> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const { bytes } of readPieces(path, "text")) pieces.push(bytes.slice());
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}
