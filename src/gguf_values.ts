/** Decoding of metadata values from the bytes that a GGUF file holds: little-endian numbers, and texts of a u64 length and UTF-8. */
import { MuserError } from "./errors.ts";

/** One number or truth value. */
export type Scalar = number | bigint | boolean;

/** All elements of a metadata array of numbers or truth values. */
export type ScalarArray =
  | Uint8Array<ArrayBuffer>
  | Int8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | BigUint64Array<ArrayBuffer>
  | BigInt64Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>
  | boolean[];

/** How values of one fixed-width type are read. */
interface Format {
  /** Bytes a value. */
  bytes: number;
  one(view: DataView): Scalar;
  all(bytes: Uint8Array<ArrayBuffer>): ScalarArray;
}

const formats: Record<string, Format> = {
  uint8: { bytes: 1, one: (view) => view.getUint8(0), all: ({ buffer }) => new Uint8Array(buffer) },
  int8: { bytes: 1, one: (view) => view.getInt8(0), all: ({ buffer }) => new Int8Array(buffer) },
  uint16: { bytes: 2, one: (view) => view.getUint16(0, true), all: ({ buffer }) => new Uint16Array(buffer) },
  int16: { bytes: 2, one: (view) => view.getInt16(0, true), all: ({ buffer }) => new Int16Array(buffer) },
  uint32: { bytes: 4, one: (view) => view.getUint32(0, true), all: ({ buffer }) => new Uint32Array(buffer) },
  int32: { bytes: 4, one: (view) => view.getInt32(0, true), all: ({ buffer }) => new Int32Array(buffer) },
  float32: { bytes: 4, one: (view) => view.getFloat32(0, true), all: ({ buffer }) => new Float32Array(buffer) },
  bool: { bytes: 1, one: (view) => view.getUint8(0) !== 0, all: (bytes) => Array.from(bytes, (byte) => byte !== 0) },
  uint64: { bytes: 8, one: (view) => view.getBigUint64(0, true), all: ({ buffer }) => new BigUint64Array(buffer) },
  int64: { bytes: 8, one: (view) => view.getBigInt64(0, true), all: ({ buffer }) => new BigInt64Array(buffer) },
  float64: { bytes: 8, one: (view) => view.getFloat64(0, true), all: ({ buffer }) => new Float64Array(buffer) },
};

/** The format of a fixed-width type, by its name. */
export function formatOf(type: string): Format {
  const format = formats[type];
  if (!format) throw new MuserError("kv-type", `Cannot read a value of type "${type}": the type is not known`);
  return format;
}

// A byte order mark is part of a text here, not a sign about it.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Text of UTF-8 bytes; bytes that are no UTF-8 become U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Bytes of a text's length field. */
export const LENGTH_BYTES = 8;

/** The length in bytes of the text whose length field begins at `at`. */
export function textLength(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
}

/**
 * The texts of a metadata array, kept as the file's bytes: a JavaScript string is made only when asked for.
 */
export class StringArray {
  /** How many texts there are. */
  readonly length: number;
  /** All texts as the file holds them: before each, its length in 8 bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where in `bytes` each text begins. */
  readonly starts: Uint32Array<ArrayBuffer>;
  /** How many bytes each text has. */
  readonly lengths: Uint32Array<ArrayBuffer>;

  /**
   * Finds where each text lies; made by `Metadata.strings`.
   *
   * @param bytes The array's elements as the file holds them.
   * @param length How many there are.
   */
  constructor(bytes: Uint8Array<ArrayBuffer>, length: number) {
    this.length = length;
    this.bytes = bytes;
    this.starts = new Uint32Array(length);
    this.lengths = new Uint32Array(length);
    const view = new DataView(bytes.buffer);
    let at = 0;
    for (let index = 0; index < length; index++) {
      if (at + LENGTH_BYTES > bytes.length) throw changed();
      const size = textLength(view, at);
      at += LENGTH_BYTES;
      if (at + size > bytes.length) throw changed();
      this.starts[index] = at;
      this.lengths[index] = size;
      at += size;
    }
  }

  /**
   * The text at `index`; bytes that are no UTF-8 become U+FFFD.
   *
   * @param index From 0 to `length` - 1, else `RangeError`.
   * @returns The text.
   */
  at(index: number): string {
    return decodeText(this.bytesAt(index));
  }

  /**
   * The bytes of the text at `index`, without a copy.
   *
   * @param index From 0 to `length` - 1, else `RangeError`.
   * @returns A part of `bytes`.
   */
  bytesAt(index: number): Uint8Array<ArrayBuffer> {
    const start = this.starts[index];
    const length = this.lengths[index];
    if (start === undefined || length === undefined) {
      throw new RangeError(`Cannot read text ${index}: there are ${this.length} texts, count from 0`);
    }
    return this.bytes.subarray(start, start + length);
  }
}

/** The error for lengths that were proven at open and no longer hold. */
export function changed(): MuserError {
  return new MuserError("changed", "Cannot read metadata: the file has changed since it was opened, open it again");
}
