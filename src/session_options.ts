import type { Ids } from "./ids.ts";

/** Options of {@linkcode Model.session}. */
export interface SessionOptions {
  /** The most rows that one run may have; 512 where it is left out. */
  capacity?: number;
  /** Whether to measure how long the device takes, which costs it a little; `false` where it is left out. */
  timed?: boolean;
}

/** Options of {@linkcode Session.run}: ids from the host, or the number of rows whose ids are on the device already. */
export interface RunOptions {
  /** One id a row; checked, then copied to the device. */
  ids?: Ids;
  /** How many rows; `ids.length` where ids are given, else as many as the run before. */
  rows?: number;
}

/** Options of {@linkcode Session.submit}. */
export interface SubmitOptions extends RunOptions {
  /** Gives the wait up. What was submitted still runs to its end, and the session stays usable. */
  signal?: AbortSignal;
}

/** Options of {@linkcode Session.read}. */
export interface ReadOptions {
  /** How many rows; as many as the last run where it is left out. */
  rows?: number;
  /** Where the elements go: exactly `rows × columns` of them. A new array where it is left out. */
  into?: Float32Array | Uint32Array;
}

/** What a session has done so far, all runs added up. */
export interface Statistics {
  /** Command buffers that were handed to the device: one a run. */
  readonly commandBuffers: number;
  /** Waits for the device: one a run. */
  readonly waits: number;
  /** Kernels that ran. */
  readonly dispatches: number;
  /** Bytes that the operations have to read, by their formulas. */
  readonly bytesRead: number;
  /** Bytes that the operations have to write, by their formulas. */
  readonly bytesWritten: number;
  /** Time that the device took, in seconds; 0 where the session is not timed or the device cannot say. */
  readonly deviceSeconds: number;
}

/** Proves a session's capacity. */
export function checkCapacity(capacity: number): void {
  if (Number.isInteger(capacity) && capacity >= 1 && capacity <= 2 ** 31) return;
  throw new RangeError(`Cannot open a session of ${capacity} rows: use an integer from 1 to 2147483648`);
}
