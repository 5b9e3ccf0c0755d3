/** The values of some rows, row-major. */
export type Values = Float32Array<ArrayBuffer> | Float16Array<ArrayBuffer>;

/** What a writer has to know before the first row. */
export interface Shape {
  /** The tensor that the rows come from. */
  name: string;
  /** How many rows will be written; 0 where the format does not need to know. */
  rows: number;
  /** Values in a row. */
  columns: number;
  /** The type of the values. */
  type: "f32" | "f16";
}

/** Turns rows into the bytes of a file, piece by piece: `start()`, any number of `rows()`, `end()`. */
export interface Encoder {
  /** The bytes before the first row. */
  start(): Uint8Array;
  /** The bytes of the next rows; `values` holds whole rows, and the result is used before it changes. */
  rows(values: Values): Uint8Array;
  /** The bytes after the last row. */
  end(): Uint8Array;
  /** Values written so far that the format could not hold, and wrote as something else. */
  lost(): number;
}

/** A file format for rows. */
export interface Format {
  /** Whether the number of rows must be known at the start. */
  counted: boolean;
  /** Starts a file. */
  encoder(shape: Shape): Encoder;
}

/** No bytes. */
export const NOTHING: Uint8Array = new Uint8Array(0);

/** The bytes of `values` as they lie in memory, little-endian on every machine that Deno runs on; not copied. */
export function bytesOf(values: Values): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** An encoder that writes a header and then the values as they are. */
export function binaryEncoder(header: Uint8Array): Encoder {
  return { start: () => header, rows: bytesOf, end: () => NOTHING, lost: () => 0 };
}
