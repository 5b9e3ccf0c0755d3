import type { Model } from "../model.ts";
import { types } from "../types.ts";
import type { Command } from "./command.ts";
import { UsageError } from "./failure.ts";
import { htmlOptions, writeReport } from "./html_report.ts";
import { inspectModel } from "./inspection.ts";
import { describe, metadataList, tensorList } from "./inspection_text.ts";
import { toJSON } from "./json_text.ts";
import { printValue } from "./metadata_value.ts";
import { deviceOptions, fileOptions, libraryOf, onlyFile, openModel } from "./model_options.ts";
import type { Arguments } from "./options.ts";
import { print } from "./output.ts";

/** `muser inspect`: what is in the file. */
export const inspect: Command = {
  name: "inspect",
  operands: "FILE",
  summary: "Tells what is in a file",
  details: `Examples:
  muser inspect model.gguf
  muser inspect model.gguf --metadata tokenizer.ggml.tokens
  muser inspect model.gguf --html report.html --rows 0,42,100-131
  muser inspect model.gguf --json`,
  options: [
    { name: "json", summary: "Writes JSON, sizes in bytes" },
    { name: "tensors", summary: "Lists every tensor" },
    {
      name: "metadata",
      value: "KEY",
      optional: true,
      summary: "Lists the metadata, or writes the value of KEY in full",
    },
    ...htmlOptions,
    ...deviceOptions,
    ...fileOptions,
  ],
  run,
};

async function run(input: Arguments): Promise<void> {
  const { file, key } = operands(input);
  for (const name of ["rows", "tensor"]) {
    if (input.has(name) && !input.has("html")) throw new UsageError(`Option --${name} needs --html FILE`);
  }
  // On the CPU, because a look at a file should not fill the memory of a GPU.
  using model = await openModel(file, input, input.has("device") ? {} : { device: "cpu" });
  if (input.has("html")) return await writeReport(model, input);
  if (key !== "") return await printValue(model.metadata, key, input.has("json"));
  await print(input.has("json") ? json(model, input) : text(model, input));
}

/** The file and, with `--metadata KEY`, the key; in `--metadata FILE` the value is the file. */
function operands(input: Arguments): { file: string; key: string } {
  const key = input.value("metadata") ?? "";
  if (input.operands.length === 0 && key !== "") return { file: key, key: "" };
  return { file: onlyFile(input), key };
}

function json(model: Model, input: Arguments): string {
  return toJSON(inspectModel(model, types(libraryOf(input)))) + "\n";
}

function text(model: Model, input: Arguments): string {
  const inspection = inspectModel(model, types(libraryOf(input)));
  return describe(inspection) +
    (input.has("tensors") ? tensorList(inspection) : "") +
    (input.has("metadata") ? metadataList(model.metadata) : "");
}
