import type { Model } from "../../model.ts";
import type { Session } from "../../session.ts";
import type { Table } from "../../table.ts";
import { Progress } from "../progress.ts";
import { measure, ROUNDS, scaled, type Spread, type Work } from "./measure.ts";
import { idBatches } from "./samples.ts";

const WIDTHS = [1, 64, 512, 4096];
/** Bytes of rows above which a width is left out: it would take seconds. */
const MOST_BYTES = 2 ** 27;

/** What tokens cost on a device. All times are microseconds a token. */
export interface Costs {
  path: string;
  device: string;
  table: Pick<Table, "name" | "type" | "columns" | "rowBytes" | "placement"> & { rows: number };
  /** Bytes that one token takes, by the formulas. */
  token: { rowBytes: number; idBytes: number; bytesWritten: number };
  /** How often each was measured. */
  rounds: number;
  widths: WidthCosts[];
}

/** What tokens cost where `width` of them are looked up at once. */
export interface WidthCosts {
  width: number;
  /** Rows in an array of the program's, written again and again. */
  host: Spread;
  /** Rows on the device; left out where a session cannot use the table. */
  device?: DeviceCosts;
  /** What bounds both: filling an array as large as the rows, and copying one, as TypeScript can do it. */
  fill: Spread;
  copy: Spread;
}

/** What a run of a session costs. */
export interface DeviceCosts {
  time: Spread;
  /** The part of the time that the device itself took; left out where it cannot say. */
  onDevice?: number;
  /** Of one run, whatever its width. */
  dispatches: number;
  commandBuffers: number;
  waits: number;
  /** Of one token. */
  bytesRead: number;
  bytesWritten: number;
}

/** Measures lookups in the model's token table. */
export async function measureCosts(model: Model): Promise<Costs> {
  const table = model.table();
  const { name, type, columns, rowCount, rowBytes, placement, device } = table;
  using progress = new Progress("widths", false);
  const widths: WidthCosts[] = [];
  for (const width of WIDTHS.filter((width) => width * columns * 4 <= MOST_BYTES)) {
    await progress.update(widths.length);
    widths.push(measureWidth(model, table, width));
  }
  return {
    path: model.path,
    device,
    table: { name, type, columns, rows: rowCount, rowBytes, placement },
    token: { rowBytes, idBytes: Uint32Array.BYTES_PER_ELEMENT, bytesWritten: columns * 4 },
    rounds: ROUNDS,
    widths,
  };
}

function measureWidth(model: Model, table: Table, width: number): WidthCosts {
  const batches = idBatches(table.rowCount, width);
  const into = new Float32Array(width * table.columns);
  const other = new Float32Array(into.length).fill(1);
  for (const ids of batches) table.rows(ids, { into }); // what is measured is memory, not the disk
  const works: Work[] = [
    (turn) => table.rows(batches[turn % batches.length]!, { into }),
    (turn) => into.fill(turn),
    () => into.set(other),
  ];
  // A session needs a table that the device reaches at any time.
  using session = table.placement === "read" ? undefined : model.session({ capacity: width });
  if (session) works.push((turn) => session.embed(batches[turn % batches.length]!));
  const [host, fill, copy, time] = measure(works).map((each) => scaled(each, 1 / width)) as
    & [Spread, Spread, Spread]
    & Spread[];
  const device = time && session ? { device: { time, ...account(model, session, batches) } } : {};
  return { width, host, ...device, fill, copy };
}

/** What the session counted, a run and a token, and what the device needs by its own clock. */
function account(model: Model, session: Session, batches: readonly Uint32Array[]): Omit<DeviceCosts, "time"> {
  const { dispatches, commandBuffers, waits, bytesRead, bytesWritten } = session.statistics;
  const tokens = commandBuffers * session.capacity;
  using timed = model.session({ capacity: session.capacity, timed: true });
  for (let turn = 0; turn < ROUNDS; turn++) timed.embed(batches[turn % batches.length]!);
  const onDevice = timed.statistics.deviceSeconds * 1e6 / ROUNDS / session.capacity;
  return {
    ...onDevice > 0 && { onDevice },
    dispatches: dispatches / commandBuffers,
    commandBuffers: 1,
    waits: waits / commandBuffers,
    bytesRead: bytesRead / tokens,
    bytesWritten: bytesWritten / tokens,
  };
}
