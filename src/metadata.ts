import {
  changed,
  decodeText,
  formatOf,
  LENGTH_BYTES,
  type Scalar,
  type ScalarArray,
  StringArray,
  textLength,
} from "./gguf_values.ts";

export { type Scalar, type ScalarArray, StringArray } from "./gguf_values.ts";

/**
 * A value of the metadata: a number (a `bigint` for 64-bit integers), a truth value, a text, or an array of these.
 */
export type MetadataValue = Scalar | ScalarArray | string | string[];

/** What a metadata value is, without reading it. */
export interface MetadataType {
  /** `uint8` … `float64`, `bool`, `string` or `array`. */
  readonly type: string;
  /** The type of an array's elements, `""` for anything else. */
  readonly element: string;
  /** Elements of an array, 1 for anything else. */
  readonly count: number;
  /** Bytes that the value takes in the file. */
  readonly bytes: number;
}

/** A key of the metadata and the place of its value in the file. */
export interface MetadataEntry extends MetadataType {
  readonly key: string;
  /** Where the value begins, in bytes from the GGUF's start. */
  readonly offset: number;
}

/** Fills an array with what begins at a place of the file. */
export type ReadBytes = (offset: number, bytes: Uint8Array) => void;

/** Bytes read at once while elements are walked. */
const CHUNK_BYTES = 64 * 1024;

/**
 * The metadata of a model: named values that say what the model is. A value is read from the file when it is asked
 * for, so an unused vocabulary costs nothing. After the model's `close()`, reading throws a `MuserError` `closed`.
 *
 * @example Read some values
 * ```ts
 * import { Model } from "@muser/engine";
 *
 * using model = await Model.open(".muser/models/smollm2.gguf");
 * const { metadata } = model;
 * console.log(metadata.get("general.name"), metadata.type("tokenizer.ggml.tokens"));
 * for (const token of metadata.elements("tokenizer.ggml.tokens")) {
 *   console.log(token);
 *   break;
 * }
 * ```
 */
export class Metadata {
  readonly #entries: Map<string, MetadataEntry>;
  readonly #read: ReadBytes;

  /**
   * Made by `Model.open`.
   *
   * @param entries Every key, in the file's order.
   * @param read Reads the file.
   */
  constructor(entries: readonly MetadataEntry[], read: ReadBytes) {
    this.#entries = new Map(entries.map((entry) => [entry.key, entry]));
    this.#read = read;
  }

  /**
   * Every key.
   *
   * @returns The keys, in the file's order.
   */
  keys(): string[] {
    return [...this.#entries.keys()];
  }

  /**
   * Whether there is a value.
   *
   * @param key The key, such as `general.name`.
   * @returns Whether the file has this key.
   */
  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /**
   * What a value is, without reading it.
   *
   * @param key The key.
   * @returns Its type, count and size; `undefined` where the file has no such key.
   */
  type(key: string): MetadataType | undefined {
    const entry = this.#entries.get(key);
    return entry && { type: entry.type, element: entry.element, count: entry.count, bytes: entry.bytes };
  }

  /**
   * A value. 64-bit integers are a `bigint`, arrays of numbers a typed array of their own type, texts are decoded as
   * UTF-8 where what is no UTF-8 becomes U+FFFD. For texts by the hundred thousand see {@linkcode Metadata.strings}.
   *
   * @param key The key.
   * @returns The value; `undefined` where the file has no such key.
   */
  get(key: string): MetadataValue | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.type === "array") {
      if (entry.element === "string") return [...this.elements(key) as Iterable<string>];
      return formatOf(entry.element).all(this.#bytesOf(entry));
    }
    const bytes = this.#bytesOf(entry);
    return entry.type === "string"
      ? decodeText(bytes.subarray(LENGTH_BYTES))
      : formatOf(entry.type).one(new DataView(bytes.buffer));
  }

  /**
   * The elements of an array, one after the other. The file is read in pieces, so memory stays small for any length.
   *
   * @param key The key of an array, else `RangeError` or `TypeError`.
   * @returns The elements in order: numbers, bigints, truth values or texts.
   */
  elements(key: string): Iterable<Scalar | string> {
    const entry = this.#array(key);
    return entry.element === "string" ? this.#texts(entry) : this.#scalars(entry);
  }

  /**
   * The texts of an array, without making a JavaScript string of each.
   *
   * @param key The key of an array of texts, else `RangeError` or `TypeError`.
   * @returns The texts; one copy of the file's bytes.
   */
  strings(key: string): StringArray {
    const entry = this.#array(key);
    if (entry.element !== "string") {
      throw new TypeError(`Cannot read texts of "${key}": its elements are ${entry.element}, use get()`);
    }
    if (entry.bytes >= 2 ** 32) {
      throw new RangeError(`Cannot read texts of "${key}" at once: they take ${entry.bytes} bytes, use elements()`);
    }
    return new StringArray(this.#bytesOf(entry), entry.count);
  }

  /**
   * A value as the file holds it: little-endian, a text with its length before it in 8 bytes, an array without its own
   * type and count.
   *
   * @param key The key, else `RangeError`.
   * @returns A copy of the bytes.
   */
  rawBytes(key: string): Uint8Array<ArrayBuffer> {
    return this.#bytesOf(this.#entry(key));
  }

  #entry(key: string): MetadataEntry {
    const entry = this.#entries.get(key);
    if (!entry) throw new RangeError(`Cannot read metadata "${key}": the file has no such key, see keys()`);
    return entry;
  }

  #array(key: string): MetadataEntry {
    const entry = this.#entry(key);
    if (entry.type !== "array") {
      throw new TypeError(`Cannot read elements of "${key}": it is a ${entry.type}, use get()`);
    }
    return entry;
  }

  #bytesOf({ offset, bytes }: MetadataEntry): Uint8Array<ArrayBuffer> {
    return this.#readAt(offset, bytes);
  }

  #readAt(offset: number, length: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length);
    this.#read(offset, bytes);
    return bytes;
  }

  *#scalars({ element, offset, bytes }: MetadataEntry): Generator<Scalar> {
    const format = formatOf(element);
    for (let at = 0; at < bytes; at += CHUNK_BYTES) {
      yield* format.all(this.#readAt(offset + at, Math.min(CHUNK_BYTES, bytes - at)));
    }
  }

  *#texts({ offset, bytes, count }: MetadataEntry): Generator<string> {
    let chunk = new Uint8Array(0);
    let view = new DataView(chunk.buffer);
    let start = 0; // of the chunk, from the first element
    let at = 0; // in the chunk

    /** Makes the next `length` bytes lie in the chunk at `at`. */
    const need = (length: number): void => {
      if (at + length <= chunk.length) return;
      start += at;
      at = 0;
      if (start + length > bytes) throw changed();
      chunk = this.#readAt(offset + start, Math.min(Math.max(length, CHUNK_BYTES), bytes - start));
      view = new DataView(chunk.buffer);
    };

    for (let index = 0; index < count; index++) {
      need(LENGTH_BYTES);
      const length = textLength(view, at);
      at += LENGTH_BYTES;
      need(length);
      yield decodeText(chunk.subarray(at, at + length));
      at += length;
    }
  }
}
