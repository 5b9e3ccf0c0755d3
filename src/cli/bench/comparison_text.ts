import { columns } from "../layout.ts";
import { bold, printable } from "../style.ts";
import { count } from "../../units.ts";
import type { Comparison, DeviceComparison } from "./comparison.ts";
import { spreadText } from "./units.ts";

/** The comparison for people: the options to pass, then the figures. */
export function describeComparison({ devices, missing, rounds }: Comparison): string {
  const absent = missing.map(({ device, reason }) => `  ${device}: ${printable(reason)}\n`).join("");
  if (devices.length === 0) return `Nothing to compare: only the CPU can run here, use --device cpu\n${absent}`;
  return [
    ...devices.map(deviceText),
    ...absent === "" ? [] : [`${bold("cannot run here")}\n${absent}`],
    `Medians of ${rounds} rounds, in brackets the middle half of them. Nothing of this is kept: pass the option.\n`,
  ].join("\n");
}

function deviceText({ device, hostFrom, deviceFrom, widths }: DeviceComparison): string {
  const rows = widths.map((each) => [
    count(each.width),
    spreadText(each.host.cpu),
    spreadText(each.host.device),
    spreadText(each.device.cpu),
    spreadText(each.device.device),
  ]);
  const heading = ["rows", "host: cpu", `host: ${device}`, `on ${device}: cpu and a copy`, `on ${device}: ${device}`];
  return `${bold(`cpu or ${device}`)}, µs a row\n` +
    `  rows wanted on the host: ${advice(device, hostFrom)}\n` +
    `  rows wanted on ${device}: ${advice(device, deviceFrom)}\n\n` +
    columns(heading, rows, heading.map(() => "right" as const));
}

/** As options of `muser`; `Model.open` takes the same names, `{ device: "cpu" }`. */
function advice(device: string, from: number | null): string {
  if (from === null) return "--device cpu at every width";
  if (from === 1) return `--device ${device} at every width`;
  return `--device cpu below ${count(from)} rows, --device ${device} from there on`;
}
