import { devices } from "../devices.ts";
import { compareDevices } from "./bench/comparison.ts";
import { describeComparison } from "./bench/comparison_text.ts";
import { measureCosts } from "./bench/costs.ts";
import { describeCosts } from "./bench/costs_text.ts";
import type { Command } from "./command.ts";
import { UsageError } from "./failure.ts";
import { deviceOptions, fileOptions, libraryOf, onlyFile, openModel } from "./model_options.ts";
import type { Arguments } from "./options.ts";
import { print } from "./output.ts";

/** `muser bench`: what a token costs here, and which device is the quickest. */
export const bench: Command = {
  name: "bench",
  operands: "FILE",
  summary: "Measures what a token costs on this machine, beside the limit",
  details: `Random rows of the token table are looked up, many times, by turns with what bounds them:
filling an array of the same size, and copying one. Nothing that is measured is kept.

Examples:
  muser bench model.gguf
  muser bench model.gguf --ab`,
  options: [
    { name: "ab", summary: "Finds for each device from how many rows on it is quicker than the CPU" },
    { name: "json", summary: "Writes JSON" },
    ...deviceOptions,
    ...fileOptions,
  ],
  run,
};

async function run(input: Arguments): Promise<void> {
  const file = onlyFile(input);
  if (input.has("ab") && input.has("device")) {
    throw new UsageError("Give either --ab, which compares all devices, or --device");
  }
  const [result, text] = input.has("ab") ? await comparison(file, input) : await costs(file, input);
  await print(input.has("json") ? JSON.stringify(result, undefined, 2) + "\n" : text);
}

async function costs(file: string, input: Arguments): Promise<[unknown, string]> {
  using model = await openModel(file, input);
  const costs = await measureCosts(model);
  return [costs, describeCosts(costs)];
}

async function comparison(file: string, input: Arguments): Promise<[unknown, string]> {
  const comparison = await compareDevices(devices(libraryOf(input)), (device) => openModel(file, input, { device }));
  return [comparison, describeComparison(comparison)];
}
