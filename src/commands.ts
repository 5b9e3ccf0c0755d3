import { type DeviceBuffer, sizeOf } from "./device_buffer.ts";
import type { NativeSession } from "./native/session.ts";
import { nativeOf, type Output, type Table } from "./table.ts";

/** The operations' numbers, as `MuserOperation` of `muser.h` gives them. */
const EMBEDDING = 1;
const RMS_NORM = 2;

/** Options of {@linkcode CommandList.rmsNorm}. */
export interface RMSNormOptions {
  /** Added to the mean of the squares; what the model file states where it is left out. */
  epsilon?: number;
}

/** What a command list asks its session. */
export interface Recording {
  /** Whether the session made this buffer. */
  owns(buffer: DeviceBuffer): boolean;
  /** The epsilon that the model file states. */
  epsilon(): number | undefined;
}

/** A recorded command list; from `Session.record`, to be run by the same session. */
export interface Step {
  /** What the session calls it. */
  readonly number: number;
  /** The tables whose rows it looks up. */
  readonly tables: readonly Table<Output>[];
}

/**
 * Records operations in the order in which they run. Nothing runs while it is recorded, and nothing is reordered.
 * Handed to the function that `Session.record` is given.
 */
export class CommandList {
  readonly #native: NativeSession;
  readonly #recording: Recording;
  readonly #words: number[] = [];
  readonly #tables: Table<Output>[] = [];

  /**
   * Made by `Session.record`.
   *
   * @param native The native session.
   * @param recording What it asks its session.
   */
  constructor(native: NativeSession, recording: Recording) {
    this.#native = native;
    this.#recording = recording;
  }

  /**
   * Looks rows up: `output[row] = table[ids[row]]`.
   *
   * @param table A table of the session's model, with `f32` output.
   * @param ids One id a row.
   * @param output As many columns as the table.
   * @throws {TypeError} A buffer is of another session.
   * @throws {RangeError} The buffers do not fit the table.
   */
  embed(table: Table<Output>, ids: DeviceBuffer<"u32">, output: DeviceBuffer<"f32">): void {
    this.#checkOwn("embed", ids, output);
    if (output.columns !== table.columns) {
      throw new RangeError(
        `Cannot record embed: table "${table.name}" has ${table.columns} columns and the output ${output.columns}, ` +
          "use a buffer of the table's width",
      );
    }
    this.#words.push(EMBEDDING, this.#native.addTable(nativeOf(table)), ids.number, output.number);
    this.#tables.push(table);
  }

  /**
   * Divides each row by its root mean square: `output = input / sqrt(mean(input²) + epsilon)`, in f32, the sum by one
   * fixed tree of additions: a row's bits depend neither on the device nor on the number of rows.
   *
   * @param input The rows.
   * @param output As many columns; may be the input itself.
   * @param options The epsilon.
   * @throws {TypeError} A buffer is of another session.
   * @throws {RangeError} The widths differ, or the epsilon is not a positive number.
   * @throws {MuserError} `closed` where the epsilon has to be read and the model has been closed.
   */
  rmsNorm(input: DeviceBuffer<"f32">, output: DeviceBuffer<"f32">, options?: RMSNormOptions): void {
    this.#checkOwn("rmsNorm", input, output);
    if (input.columns !== output.columns) {
      throw new RangeError(
        `Cannot record rmsNorm: the input has ${sizeOf(input)} and the output ${sizeOf(output)}, use one width`,
      );
    }
    const epsilon = options?.epsilon ?? this.#recording.epsilon();
    if (epsilon === undefined || !(Math.fround(epsilon) > 0 && Number.isFinite(epsilon))) {
      throw new RangeError(`Cannot record rmsNorm: epsilon is ${epsilon}, give a positive number`);
    }
    this.#words.push(RMS_NORM, input.columns, input.number, output.number, bitsOf(epsilon));
  }

  /** Checks the list on the native side and keeps it there. */
  finish(): Step {
    return { number: this.#native.record(Uint32Array.from(this.#words)), tables: this.#tables };
  }

  #checkOwn(operation: string, ...buffers: DeviceBuffer[]): void {
    if (buffers.every((buffer) => this.#recording.owns(buffer))) return;
    throw new TypeError(`Cannot record ${operation}: a buffer belongs to another session, use those of this session`);
  }
}

function bitsOf(value: number): number {
  return new Uint32Array(Float32Array.of(value).buffer)[0]!;
}
