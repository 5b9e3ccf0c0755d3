import type { DeviceFacts } from "../../devices.ts";
import type { Model, OpenOptions } from "../../model.ts";
import { Progress } from "../progress.ts";
import { measure, ROUNDS, scaled, type Spread } from "./measure.ts";
import { idBatches } from "./samples.ts";

const WIDTHS = [1, 4, 16, 64, 256, 1024, 4096];
/** Bytes of rows above which a width is left out. */
const MOST_BYTES = 2 ** 27;

type DeviceName = NonNullable<OpenOptions["device"]>;

/** How the devices of this machine compare with its CPU. */
export interface Comparison {
  rounds: number;
  devices: DeviceComparison[];
  /** The devices that cannot run here, and why. */
  missing: { device: string; reason: string }[];
}

/** One device beside the CPU. */
export interface DeviceComparison {
  device: string;
  /** From how many rows on the device is quicker, for rows wanted on the host; `null`: at no width tried. */
  hostFrom: number | null;
  /** The same for rows wanted on the device, where the CPU has to copy them to it. */
  deviceFrom: number | null;
  widths: WidthComparison[];
}

/** Microseconds a row at one width. */
export interface WidthComparison {
  width: number;
  host: Pair;
  device: Pair;
}

/** Two ways to the same rows. */
export interface Pair {
  cpu: Spread;
  device: Spread;
}

/** Compares every device that is available with the CPU, on the token table. */
export async function compareDevices(
  facts: readonly DeviceFacts[],
  open: (device: DeviceName) => Promise<Model>,
): Promise<Comparison> {
  const others = facts.filter(({ name }) => name !== "cpu");
  const devices: DeviceComparison[] = [];
  for (const { name } of others.filter(({ available }) => available)) {
    using cpu = await open("cpu");
    using model = await open(name as DeviceName);
    devices.push(await compare(cpu, model));
  }
  const missing = others.filter(({ available }) => !available).map(({ name, reason }) => ({ device: name, reason }));
  return { rounds: ROUNDS, devices, missing };
}

async function compare(cpu: Model, model: Model): Promise<DeviceComparison> {
  using progress = new Progress("widths", false);
  const widths: WidthComparison[] = [];
  for (const width of WIDTHS.filter((width) => width * cpu.table().columns * 4 <= MOST_BYTES)) {
    await progress.update(widths.length);
    widths.push(compareWidth(cpu, model, width));
  }
  return {
    device: model.facts.device,
    hostFrom: winsFrom(widths.map(({ width, host }) => ({ width, ...host }))),
    deviceFrom: winsFrom(widths.map(({ width, device }) => ({ width, ...device }))),
    widths,
  };
}

function compareWidth(cpu: Model, model: Model, width: number): WidthComparison {
  const [table, other] = [cpu.table(), model.table()];
  const batches = idBatches(table.rowCount, width);
  const into = new Float32Array(width * table.columns);
  for (const ids of batches) table.rows(ids, { into }); // what is measured is memory, not the disk
  using session = model.session({ capacity: width });
  const ids = (turn: number): Uint32Array => batches[turn % batches.length]!;
  const [onHost, fromDevice, copied, onDevice] = measure([
    (turn) => table.rows(ids(turn), { into }),
    (turn) => other.rows(ids(turn), { into }),
    (turn) => session.write(session.hidden, table.rows(ids(turn), { into })),
    (turn) => session.embed(ids(turn)),
  ]).map((each) => scaled(each, 1 / width)) as [Spread, Spread, Spread, Spread];
  return { width, host: { cpu: onHost, device: fromDevice }, device: { cpu: copied, device: onDevice } };
}

/** The width from which on the device is the quicker one, at this and at every larger width. */
export function winsFrom(pairs: readonly (Pair & { width: number })[]): number | null {
  const lastLost = pairs.findLastIndex(({ cpu, device }) => device.median >= cpu.median);
  return pairs[lastLost + 1]?.width ?? null;
}
