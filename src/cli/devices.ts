import { devices as listDevices } from "../devices.ts";
import type { Command } from "./command.ts";
import { UsageError } from "./failure.ts";
import { columns } from "./layout.ts";
import { libraryOf, libraryOptions } from "./model_options.ts";
import type { Arguments } from "./options.ts";
import { print } from "./output.ts";
import { printable } from "./style.ts";
import { size } from "../units.ts";

/** `muser devices`: what can run here, and why the others cannot. */
export const devices: Command = {
  name: "devices",
  operands: "",
  summary: "Lists what can run here, and why the others cannot",
  details: "",
  options: [{ name: "json", summary: "Writes JSON: [{ name, available, reason, … }]" }, ...libraryOptions],
  run,
};

async function run(input: Arguments): Promise<void> {
  if (input.operands.length > 0) throw new UsageError(`Unexpected argument "${input.operands[0]}"`);
  const list = listDevices(libraryOf(input));
  if (input.has("json")) return await print(JSON.stringify(list, undefined, 2) + "\n");
  const rows = list.map(({ name, available, reason, detail, memory }) => [
    name,
    available ? "yes" : "no",
    printable(available ? detail : reason) + (memory > 0 ? `, ${size(memory)}` : ""),
  ]);
  await print(columns(["device", "available", "what it is, or why not"], rows, ["left", "left", "left"]));
}
