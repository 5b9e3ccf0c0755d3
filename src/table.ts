import { bytesOf, isResizable, isUint32Array } from "./native/bytes.ts";
import type { NativeTable } from "./native/table.ts";
import type { TableFacts } from "./facts.ts";
import { copyIds, countIds, type Ids, onlyId } from "./ids.ts";

/** What the values of rows are written as: `f32` loses nothing, `f16` is rounded to the nearest half. */
export type Output = "f32" | "f16";

/** The typed array that holds values of each {@linkcode Output}. */
export interface Vectors<Buffer extends ArrayBufferLike = ArrayBuffer> {
  /** Values as 32-bit floats. */
  f32: Float32Array<Buffer>;
  /** Values as 16-bit floats. */
  f16: Float16Array<Buffer>;
}

/** Options of {@linkcode Table.rows}. */
export interface RowsOptions<Kind extends Output = "f32", Buffer extends ArrayBufferLike = ArrayBuffer> {
  /** Where the values are written: exactly `ids.length × columns` of them. A new array where it is left out. */
  into?: Vectors<Buffer>[Kind];
}

/** What the native library says about a table. */
export interface TableDescription<Kind extends Output> extends Omit<TableFacts, "shard"> {
  placement: Table<Kind>["placement"];
  device: string;
  scale: number;
  output: Kind;
}

/** The native table behind a table, for sessions. */
export let nativeOf: (table: Table<Output>) => NativeTable;

/** Ids that need no array of their own. */
const FEW = 64;
/** Ids in one call: the native library counts them in 32 bits. */
const MOST = 2 ** 32 - 1;

/**
 * A two-dimensional tensor whose rows can be looked up; from {@linkcode Model.table}. It belongs to its model and is
 * closed with it.
 *
 * @example Look rows up into an array of one's own
 * ```ts
 * import { Model } from "@muser/engine";
 *
 * using model = await Model.open(".muser/models/smollm2.gguf");
 * const table = model.table();
 * const ids = new Uint32Array(1);
 * const row = new Float32Array(table.columns);
 * for (ids[0] = 0; ids[0] < 10; ids[0]++) {
 *   table.rows(ids, { into: row });
 *   console.log(ids[0], row[0]);
 * }
 * ```
 */
export class Table<Kind extends Output = "f32"> {
  static {
    nativeOf = (table) => table.#native;
  }
  readonly #native: NativeTable;
  // Ids that are no Uint32Array are copied here where they fit, so that a lookup of a few allocates nothing for them.
  readonly #few = new Uint32Array(FEW);
  // Arrays that one row was written to. They were checked, and their kind and length stay what they are, or their memory
  // is gone, which native code sees: the next row into one needs a check of its id only.
  readonly #known = new WeakSet<Float32Array | Float16Array>();
  /** Name of the tensor. */
  readonly name: string;
  /** Type of the tensor, such as `Q4_K`. */
  readonly type: string;
  /** Values a row. */
  readonly columns: number;
  /** Rows; the ids are 0 to `rowCount` - 1. */
  readonly rowCount: number;
  /** Bytes from one row to the next. */
  readonly rowBytes: number;
  /** Bytes of all rows. */
  readonly bytes: number;
  /** Where the rows begin, in bytes from the GGUF's start. */
  readonly offset: number;
  /** Name of the kernel that reads this type. */
  readonly kernel: string;
  /** How the device reaches the rows: `mapped` file, `read` at each lookup, or `copied` to the device. */
  readonly placement: "mapped" | "read" | "copied";
  /** Name of the device: `cpu`, `metal` or `cuda`. */
  readonly device: string;
  /** What every value is multiplied by, as a 32-bit float; 1 leaves the values as they are. */
  readonly scale: number;
  /** What the values are written as. */
  readonly output: Kind;

  /**
   * Made by `Model.table`.
   *
   * @param native The native table.
   * @param description What the native library says about it.
   */
  constructor(native: NativeTable, description: TableDescription<Kind>) {
    this.#native = native;
    this.name = description.name;
    this.type = description.type;
    this.columns = description.columns;
    this.rowCount = description.rows;
    this.rowBytes = description.rowBytes;
    this.bytes = description.bytes;
    this.offset = description.offset;
    this.kernel = description.kernel;
    this.placement = description.placement;
    this.device = description.device;
    this.scale = Math.fround(description.scale);
    this.output = description.output;
    Object.freeze(this); // native code writes as many values as is said here
  }

  /**
   * Looks rows up and waits for them. Every id is checked before anything is written.
   *
   * @param ids The rows wanted, in this order; repeated ids and none at all are fine.
   * @param options Where to write.
   * @returns The values, `[ids.length, columns]` row by row: `into`, or a new array.
   * @throws {TypeError} An id is no number, or `into` is another kind of array.
   * @throws {RangeError} An id is no integer or no row, `into` has another length, or the values fit no array.
   * @throws {MuserError} `closed` after the model's `close()`; `device`, `memory`, `io`, `changed`, `timeout` where
   * the lookup fails.
   */
  rows<Buffer extends ArrayBufferLike = ArrayBuffer>(
    ids: Ids,
    options?: RowsOptions<Kind, Buffer>,
  ): Vectors<Buffer>[Kind] {
    const into = options?.into;
    if (into !== undefined && this.#known.has(into)) {
      const id = onlyId(ids);
      // What fails goes the way of all others, which tells why.
      if (id >= 0 && this.#native.row(id, into)) return into;
    }
    // Any typed array of so many bytes does: ids are only read, as what native code takes them for.
    const isQuick = ids instanceof Uint32Array;
    const count = isQuick ? bytesOf(ids) / 4 : countIds(ids);
    const numbers = isQuick
      ? ids
      : copyIds(ids, count, count > FEW ? new Uint32Array(count) : this.#few, this.name, this.rowCount);
    const output = this.#outputFor(count, into);
    this.#native.rows(numbers, count, output);
    if (count === 1 && output === into) this.#remember(output);
    return output as Vectors<Buffer>[Kind];
  }

  /**
   * Looks rows up without keeping the JavaScript thread: for thousands of rows, a device that is slow to answer or a
   * slow disk. For a few rows {@linkcode Table.rows} is far quicker.
   *
   * The ids are copied before this returns; `into` must be left alone until the promise is settled. A `close()`
   * meanwhile does no harm.
   *
   * @param ids As in {@linkcode Table.rows}.
   * @param options As in {@linkcode Table.rows}; `into` may not be resizable.
   * @returns The values, as from {@linkcode Table.rows}; the promise is rejected with the same errors.
   */
  async rowsAsync<Buffer extends ArrayBufferLike = ArrayBuffer>(
    ids: Ids,
    options?: RowsOptions<Kind, Buffer>,
  ): Promise<Vectors<Buffer>[Kind]> {
    const into = options?.into;
    const count = countIds(ids);
    const numbers = isUint32Array(ids)
      ? new Uint32Array(ids)
      : copyIds(ids, count, new Uint32Array(count), this.name, this.rowCount);
    const output = this.#outputFor(count, into);
    if (isResizable(output)) {
      throw new TypeError(`Cannot write ${this.#shape(count)} later: "into" is resizable, use another array or rows()`);
    }
    await this.#native.rowsAsync(numbers, output);
    return output as Vectors<Buffer>[Kind];
  }

  /**
   * How a Jupyter notebook shows the table: its facts, and rows from all over it. What draws is loaded only then.
   *
   * @returns Texts by their media type.
   */
  async [Symbol.for("Jupyter.display")](): Promise<Record<string, string>> {
    const { tablePicture } = await import("./notebook.ts");
    return tablePicture(this).display();
  }

  #remember(output: Float32Array | Float16Array): void {
    // A GPU may be lost by what fails, and would not fail in the same way again. A part of something larger is mostly a
    // new array each time, and to remember it takes longer than to check it.
    if (output.byteOffset === 0 && this.device === "cpu" && !isResizable(output)) this.#known.add(output);
  }

  #outputFor(count: number, into: Float32Array | Float16Array | undefined): Float32Array | Float16Array {
    const length = count * this.columns;
    if (into === undefined || count > MOST) return this.#allocate(count, length);
    if (this.output === "f16" ? !(into instanceof Float16Array) : !(into instanceof Float32Array)) {
      const wanted = this.output === "f16" ? "Float16Array" : "Float32Array";
      throw new TypeError(`Cannot write ${this.#shape(count)}: "into" is no ${wanted}, use one of ${length} values`);
    }
    const given = bytesOf(into) / (this.output === "f16" ? 2 : 4);
    if (given !== length) {
      throw new RangeError(`Cannot write ${this.#shape(count)}: "into" has ${given} values, it needs ${length}`);
    }
    return into;
  }

  #allocate(count: number, length: number): Float32Array | Float16Array {
    try {
      if (count > MOST) throw new RangeError(`Cannot count more than ${MOST} ids`);
      return this.output === "f16" ? new Float16Array(length) : new Float32Array(length);
    } catch (cause) {
      const message = `Cannot return ${this.#shape(count)}: ${length} values fit no array, look fewer rows up at once`;
      throw new RangeError(message, { cause });
    }
  }

  #shape(count: number): string {
    return `${count} ${count === 1 ? "row" : "rows"} of ${this.columns} values`;
  }
}
