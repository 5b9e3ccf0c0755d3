import { type ModelDescription, type ModelFacts, type TensorFacts, TOKEN_TABLE } from "./facts.ts";
import type { Ids } from "./ids.ts";
import { Metadata } from "./metadata.ts";
import { openLibrary } from "./native/library.ts";
import { NativeModel } from "./native/model.ts";
import type { NativeTable } from "./native/table.ts";
import { assertReadable, makeFolder, toPath } from "./paths.ts";
import { openWhole } from "./shards.ts";
import { Session } from "./session.ts";
import { checkCapacity, type SessionOptions } from "./session_options.ts";
import { type Output, Table } from "./table.ts";
import { createTokenizer, type Tokenizer } from "./tokenizer/mod.ts";
import { type Token, Vocabulary } from "./vocabulary.ts";

/** Options of {@linkcode Model.open}. */
export interface OpenOptions {
  /** Which device serves the model; `auto`, the default, is the CPU today: it hands rows to the host soonest. */
  device?: "auto" | "cpu" | "metal" | "cuda";
  /**
   * The native library. Left out: the one that the environment variable `MUSER_LIBRARY` names, else the one that was
   * built in this checkout, else the one that `setup` installed. Variables are looked at where they may be read.
   */
  library?: string | URL;
  /**
   * `false` reads rows from the file instead of mapping it: slower, but safe where the file may become shorter while
   * it is in use, which ends the process when it is mapped.
   */
  map?: boolean;
  /**
   * Where a GPU that has memory of its own reads tables. `copied`, the default, copies a table there when it is opened:
   * 140 ms for 756 MB on an H200, which then looks 512 rows up in 11 µs. `mapped` pins the mapped file instead: 30 ms and
   * none of the GPU's memory, and 63 µs, because rows come across the bus. Other devices read the mapped file in any
   * case. {@linkcode Table.placement} tells what became of it.
   */
  placement?: "copied" | "mapped";
  /**
   * A folder where this process keeps, from now on, what the CUDA device compiles, and looks before it compiles. It is
   * made where it is missing; needs the permissions to read and write there. What is in it is run: use a folder that
   * nobody else may write to. Left out, nothing is written. Other devices compile nothing or have the system keep it.
   */
  cache?: string | URL;
  /** Where the GGUF begins in a larger file, in bytes. 0 where left out. */
  offset?: number;
}

/** Options of {@linkcode Model.table}. */
export interface TableOptions<Kind extends Output = "f32"> {
  /** What every value is multiplied by, rounding once in 32 bits. 1, the default, leaves the bits as they are. */
  scale?: number;
  /** What the values are written as, `f32` where left out. */
  output?: Kind;
}

/** Options of {@linkcode Model.embed}. */
export interface EmbedOptions<Buffer extends ArrayBufferLike = ArrayBuffer> {
  /** The two-dimensional tensor whose rows are wanted, `token_embd.weight` where left out. */
  tensor?: string;
  /** Where the values are written: exactly `ids.length × columns` of them. A new array where it is left out. */
  into?: Float32Array<Buffer>;
}

/**
 * A model file, opened: what is in it, and the rows of its tables. It does not change; any number of lookups may run
 * at once.
 *
 * @example Look up the vectors of two tokens
 * ```ts
 * import { Model } from "@muser/engine";
 *
 * using model = await Model.open(".muser/models/smollm2.gguf");
 * const vectors = model.embed([42, 7]);
 * console.log(vectors.length / model.table().columns, "rows, the first value is", vectors[0]);
 * ```
 */
export class Model implements Disposable, AsyncDisposable {
  readonly #native: NativeModel;
  readonly #tables = new Map<string, { table: Table<Output>; native: NativeTable }>();
  readonly #released: Promise<void>[] = [];
  /** The table of most lookups, once it is open: a row takes less time than two questions to a map. */
  #tokenTable: Table | undefined;
  #tokenizer: Tokenizer | undefined;
  /** The path that was opened. */
  readonly path: string;
  /** Facts of the file and of the device that serves it. */
  readonly facts: ModelFacts;
  /** Every tensor, in the file's order. */
  readonly tensors: readonly TensorFacts[];
  /** The named values that say what the model is. */
  readonly metadata: Metadata;
  /** The texts that token ids stand for. */
  readonly vocabulary: Vocabulary;

  private constructor(path: string, native: NativeModel, { metadata, tensors, ...facts }: ModelDescription) {
    this.#native = native;
    this.path = path;
    this.facts = facts;
    this.tensors = tensors;
    this.metadata = new Metadata(metadata, (offset, bytes) => native.read(offset, bytes));
    this.vocabulary = new Vocabulary(this.metadata);
  }

  /**
   * Text to token ids and back, as the file describes it. Built at first use; it outlives `close()`.
   *
   * @throws {MuserError} `tokenizer` where the file's kind is not supported, `vocabulary` where its vocabulary is not
   * sound.
   */
  get tokenizer(): Tokenizer {
    return this.#tokenizer ??= createTokenizer(this.metadata);
  }

  /**
   * Opens a GGUF file. Only its header is read; rows are read when they are looked up. Needs the permissions to read
   * this file and to load the native library: `--allow-read=FILE --allow-ffi=LIBRARY`.
   *
   * A model that was split is opened by any of its parts; all of them have to be in the same folder under the names that
   * they were made with (`NAME-00001-of-00003.gguf`), and each needs the permission to read it.
   *
   * @param path The file.
   * @param options How to open it.
   * @returns The model; `close()` it, or declare it with `using`.
   * @throws {TypeError} `path` is neither a path nor a file URL.
   * @throws {RangeError} An option has a value that it cannot have.
   * @throws {MuserError} Every other reason, told apart by its `code`.
   */
  static async open(path: string | URL, options: OpenOptions = {}): Promise<Model> {
    const file = toPath(path, "Cannot open a model");
    const { device = "auto", map = true, placement = "copied", offset = 0, cache, library } = options;
    if (!Number.isSafeInteger(offset) || offset < 0) {
      throw new RangeError(
        `Cannot open "${file}" at offset ${offset}: it is no number of bytes, use an integer from 0`,
      );
    }
    if (placement === "mapped" && !map) {
      throw new RangeError(
        `Cannot open "${file}" with the placement "mapped" and without mapping: leave one of them out`,
      );
    }
    const mapping = map ? placement === "mapped" ? 2 : 1 : 0;
    const folder = cache === undefined ? undefined : toPath(cache, "Cannot use the cache");
    const loaded = openLibrary(library);
    await assertReadable(file);
    if (folder !== undefined) await makeFolder(folder);
    const request = { device, map: mapping, offset, cache: folder } as const;
    const native = await openWhole(file, (paths) => NativeModel.open(loaded, { paths, ...request }));
    return new Model(file, native, JSON.parse(native.describe()));
  }

  /**
   * Opens a two-dimensional tensor for row lookups. The same arguments give the same table, which is kept until the
   * model is closed.
   *
   * @param name The tensor.
   * @param options What is done to the values.
   * @returns The table.
   * @throws {RangeError} An option has a value that it cannot have.
   * @throws {MuserError} `tensor` where there is no such tensor, `type` where its rows cannot be looked up, `shape`,
   * `row`, `device`, `memory`, `closed`.
   */
  table<Kind extends Output = "f32">(name: string = TOKEN_TABLE, options?: TableOptions<Kind>): Table<Kind> {
    const { scale = 1, output = "f32" } = options ?? {};
    const key = scale === 1 && output === "f32" ? name : keyOf(name, scale, output);
    return (this.#tables.get(key)?.table ?? this.#open(key, name, scale, output)) as Table<Kind>;
  }

  /**
   * Looks up the vectors of tokens: rows of the token table, unscaled. The same as `table(tensor).rows(ids, { into })`.
   *
   * @param ids The token ids, in any of the forms of {@linkcode Ids}; or a text, which the model's tokenizer splits as
   * `tokenizer.encode(text)` does.
   * @param options Another tensor, or an array to write into.
   * @returns The values, `[ids.length, columns]` row by row: `into`, or a new array.
   * @throws {TypeError} As {@linkcode Table.rows}.
   * @throws {RangeError} As {@linkcode Table.rows}.
   * @throws {MuserError} As {@linkcode Model.table}, {@linkcode Table.rows} and, for a text, {@linkcode Tokenizer.encode}.
   */
  embed<Buffer extends ArrayBufferLike = ArrayBuffer>(
    ids: Ids | string,
    options?: EmbedOptions<Buffer>,
  ): Float32Array<Buffer> {
    const table = options?.tensor === undefined ? this.#tokenTable ?? this.table() : this.table(options.tensor);
    return table.rows(typeof ids === "string" ? this.tokenizer.encode(ids) : ids, options);
  }

  /**
   * {@linkcode Model.embed} without keeping the JavaScript thread, see {@linkcode Table.rowsAsync}.
   *
   * @param ids As in {@linkcode Model.embed}.
   * @param options As in {@linkcode Model.embed}.
   * @returns The values; the promise is rejected with the errors of {@linkcode Model.embed}.
   */
  async embedAsync<Buffer extends ArrayBufferLike = ArrayBuffer>(
    ids: Ids | string,
    options?: EmbedOptions<Buffer>,
  ): Promise<Float32Array<Buffer>> {
    return await this.table(options?.tensor).rowsAsync(
      typeof ids === "string" ? this.tokenizer.encode(ids) : ids,
      options,
    );
  }

  /**
   * Makes a session: buffers on the model's device, and command lists over them. It outlives the model where it has to;
   * `close()` it, or declare it with `using`.
   *
   * @param options How many rows it is for.
   * @returns The session.
   * @throws {RangeError} The capacity is no integer from 1.
   * @throws {MuserError} As {@linkcode Model.table}, and `memory`.
   */
  session(options: SessionOptions = {}): Session {
    const { capacity = 512, timed = false } = options;
    checkCapacity(capacity);
    return new Session(this, this.#native.openSession(capacity, timed), capacity);
  }

  /**
   * An entry of the vocabulary, see {@linkcode Vocabulary.token}.
   *
   * @param id The token's id.
   * @returns Its text, bytes, kind and score.
   */
  token(id: number): Token {
    return this.vocabulary.token(id);
  }

  /**
   * The vocabulary entry with exactly this text, see {@linkcode Vocabulary.find}.
   *
   * @param text The text as the file holds it, or its bytes.
   * @returns The lowest id with this text; `undefined` where no entry has it.
   */
  find(text: string | Uint8Array): number | undefined {
    return this.vocabulary.find(text);
  }

  /**
   * Proves that the file is still the one that was opened.
   *
   * @throws {MuserError} `changed` where it is not.
   */
  check(): void {
    this.#native.check();
  }

  /**
   * Gives the model and its tables back. Lookups that run meanwhile end well; later ones throw a `MuserError`
   * `closed`. Safe to repeat.
   */
  close(): void {
    for (const { native } of this.#tables.values()) {
      native.close();
      this.#released.push(native.released);
    }
    this.#tables.clear();
    this.#tokenTable = undefined;
    this.#native.close();
  }

  /** The same as {@linkcode Model.close}, for `using`. */
  [Symbol.dispose](): void {
    this.close();
  }

  /** {@linkcode Model.close}, and waits until everything has been given back; for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
    await Promise.all([...this.#released, this.#native.released]);
  }

  /**
   * How a Jupyter notebook shows the model: its facts, and a map of its file. What draws is loaded only then.
   *
   * @returns Texts by their media type.
   */
  async [Symbol.for("Jupyter.display")](): Promise<Record<string, string>> {
    const { modelPicture } = await import("./notebook.ts");
    return modelPicture(this).display();
  }

  #open(key: string, name: string, scale: number, output: Output): Table<Output> {
    const native = this.#native.openTable(name, scale, output === "f16");
    const table = new Table<Output>(native, JSON.parse(native.describe()));
    this.#tables.set(key, { table, native });
    if (key === TOKEN_TABLE) this.#tokenTable = table as Table;
    return table;
  }
}

/** The key of a table that does something to its values; proves that it can. */
function keyOf(name: string, scale: number, output: Output): string {
  if (typeof scale !== "number") throw new TypeError(`Cannot open table "${name}": its scale is no number`);
  if (!Number.isFinite(Math.fround(scale))) {
    throw new RangeError(`Cannot open table "${name}": its scale is ${scale}, use a finite 32-bit number`);
  }
  if (output !== "f32" && output !== "f16") {
    throw new RangeError(`Cannot open table "${name}": there is no output "${output}", use "f32" or "f16"`);
  }
  // A NUL cannot be in the name of a table that opened.
  return `${name}\0${scale}\0${output}`;
}
