import { columns } from "../layout.ts";
import { bold, printable } from "../style.ts";
import { count, percent } from "../../units.ts";
import type { Costs, DeviceCosts, WidthCosts } from "./costs.ts";
import { digits, spreadText } from "./units.ts";

/** The costs for people. */
export function describeCosts(costs: Costs): string {
  const { path, device, table, token, rounds, widths } = costs;
  const read = token.rowBytes + token.idBytes;
  return [
    `${bold(printable(path))}\n` +
    `  ${table.name}, ${table.type}, ${count(table.rows)} rows of ${count(table.columns)} values, on ${device}\n` +
    `  a token reads ${count(token.rowBytes)} + ${token.idBytes} bytes (its row and its id), writes ` +
    `${count(token.bytesWritten)}\n`,
    `${bold("rows on the host")}, µs a token\n${hostTable(widths, read + token.bytesWritten)}`,
    `${bold("rows on the device")}, µs a token\n${deviceTable(widths)}`,
    `Medians of ${rounds} rounds, in brackets the middle half of them. The limit is to write the rows at all: filling\n` +
    `an array of the same size; to copy one also reads as many bytes. Both as TypeScript does it.\n`,
  ].join("\n");
}

function hostTable(widths: readonly WidthCosts[], bytes: number): string {
  const rows = widths.map(({ width, host, fill, copy }) => [
    count(width),
    spreadText(host),
    (bytes / host.median / 1000).toFixed(1),
    spreadText(fill),
    digits(copy.median),
    percent(fill.median, host.median),
  ]);
  const heading = ["rows", "lookup", "GB/s", "fill", "copy", "of the limit"];
  return columns(heading, rows, ["right", "right", "right", "right", "right", "right"]);
}

function deviceTable(widths: readonly WidthCosts[]): string {
  const measured = widths.filter((width): width is WidthCosts & { device: DeviceCosts } => width.device !== undefined);
  if (measured.length === 0) return "  not measured: a session needs a model that is mapped, leave --no-map out\n";
  const rows = measured.map(({ width, device }) => [
    count(width),
    spreadText(device.time),
    device.onDevice === undefined ? "not told" : digits(device.onDevice),
    count(device.dispatches),
    count(device.commandBuffers),
    count(device.waits),
    count(device.bytesRead),
    count(device.bytesWritten),
  ]);
  const heading = ["rows", "run", "by its clock", "dispatches", "command buffers", "waits", "bytes read", "written"];
  return columns(heading, rows, heading.map(() => "right" as const));
}
