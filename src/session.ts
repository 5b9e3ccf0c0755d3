import { CommandList, type Step } from "./commands.ts";
import type { DeviceBuffer, ElementKind } from "./device_buffer.ts";
import { copyIds, countIds, type Ids } from "./ids.ts";
import type { Model } from "./model.ts";
import { bytesOf, isUint32Array, kindOf } from "./native/bytes.ts";
import type { NativeSession } from "./native/session.ts";
import type { ReadOptions, RunOptions, Statistics, SubmitOptions } from "./session_options.ts";

/**
 * State on a model's device: the buffers of a graph, and the command lists that run over them. The residual stream
 * stays on the device until it is read. Runs of one session take turns; several sessions of one model may run at once.
 *
 * @example Look tokens up and normalise them, as one submission to the device
 * ```ts
 * import { Model } from "@muser/engine";
 *
 * using model = await Model.open(".muser/models/smollm2.gguf");
 * using session = model.session({ capacity: 64 });
 * const { ids, hidden } = session;
 * const step = session.record((commands) => {
 *   commands.embed(model.table(), ids, hidden);
 *   commands.rmsNorm(hidden, hidden);
 * });
 * session.run(step, { ids: [42, 7] });
 * console.log(session.read(hidden).length, session.statistics.commandBuffers);
 * ```
 */
export class Session implements Disposable, AsyncDisposable {
  readonly #native: NativeSession;
  readonly #model: Model;
  // Numbers of buffers and steps mean something else in another session, so whatever this one made is known here.
  readonly #own = new WeakSet<DeviceBuffer | Step>();
  #embedding: Step | undefined;
  #epsilon: number | undefined;
  #runs = 0;
  /** The last run that ended, and its rows. */
  #last = { run: 0, rows: 0 };
  /** The most rows that one run may have. */
  readonly capacity: number;
  /** The ids: u32 `[capacity]`. */
  readonly ids: DeviceBuffer<"u32">;
  /** The residual stream: f32 `[capacity, columns]`, as wide as the model's token table. */
  readonly hidden: DeviceBuffer<"f32">;

  /**
   * Made by `Model.session`.
   *
   * @param model The model.
   * @param native The native session.
   * @param capacity The most rows that one run may have.
   */
  constructor(model: Model, native: NativeSession, capacity: number) {
    this.#model = model;
    this.#native = native;
    this.capacity = capacity;
    this.ids = { number: 0, kind: "u32", columns: 1 };
    this.#own.add(this.ids);
    this.hidden = this.buffer(model.table().columns);
  }

  /**
   * Adds a buffer of f32 values to the session.
   *
   * @param columns Values a row.
   * @returns The buffer, `[capacity, columns]`; what it holds at first is not defined.
   * @throws {RangeError} `columns` is no integer from 1.
   * @throws {MuserError} `memory`, `device`, `closed`.
   */
  buffer(columns: number): DeviceBuffer<"f32"> {
    if (!Number.isSafeInteger(columns) || columns < 1 || columns > 0xFFFFFFFF) {
      throw new RangeError(`Cannot add a buffer of ${columns} columns: use an integer from 1`);
    }
    const number = this.#native.addBuffer(this.capacity * columns * 4);
    const buffer: DeviceBuffer<"f32"> = { number, kind: "f32", columns };
    this.#own.add(buffer);
    return buffer;
  }

  /**
   * Records a command list, once; it is checked here and can then run any number of times.
   *
   * @param record Called at once, with the list to record into.
   * @returns The step, for {@linkcode Session.run} and {@linkcode Session.submit} of this session.
   * @throws {TypeError} A buffer is of another session.
   * @throws {RangeError} Operands do not fit together.
   * @throws {MuserError} `device`, `memory`, `closed`.
   */
  record(record: (commands: CommandList) => void): Step {
    const commands = new CommandList(this.#native, {
      owns: (buffer) => this.#own.has(buffer),
      epsilon: () => this.#epsilon ??= this.#readEpsilon(),
    });
    record(commands);
    const step = commands.finish();
    this.#own.add(step);
    return step;
  }

  /**
   * Runs a step and waits for it: one native call, one command buffer, one wait, whatever the number of operations.
   *
   * @param step A step that this session recorded.
   * @param options Ids, or the number of rows.
   * @throws {TypeError} The step is of another session, or an id is no number.
   * @throws {RangeError} An id is no row of a table that the step looks up in, ids on the device are not (the message
   * counts them and names the first position), or there are more rows than the capacity.
   * @throws {MuserError} `device`, `timeout`, `closed`.
   */
  run(step: Step, options: RunOptions = {}): void {
    const { ids, rows } = this.#prepare(step, options);
    const run = ++this.#runs;
    this.#native.run(step.number, ids, rows);
    this.#last = { run, rows };
  }

  /**
   * {@linkcode Session.run} without keeping the JavaScript thread.
   *
   * @param step As in {@linkcode Session.run}.
   * @param options As in {@linkcode Session.run}, and a signal.
   * @returns Fulfilled when the step has run; rejected with the errors of {@linkcode Session.run} or the signal's reason.
   */
  async submit(step: Step, options: SubmitOptions = {}): Promise<void> {
    const { signal } = options;
    signal?.throwIfAborted();
    const { ids, rows } = this.#prepare(step, options);
    const run = ++this.#runs;
    const done = this.#native.runAsync(step.number, ids && new Uint32Array(ids), rows).then(() => {
      // A run that began later may be known to have ended sooner.
      if (run > this.#last.run) this.#last = { run, rows };
    });
    await (signal ? orAborted(done, signal) : done);
  }

  /**
   * Looks rows of the token table up into {@linkcode Session.hidden}: a list of one operation.
   *
   * @param ids One id a row.
   * @throws As {@linkcode Session.run}.
   */
  embed(ids: Ids): void {
    this.#embedding ??= this.record((commands) => commands.embed(this.#model.table(), this.ids, this.hidden));
    this.run(this.#embedding, { ids });
  }

  /**
   * Copies a buffer to the host.
   *
   * @param buffer A buffer of this session, {@linkcode Session.hidden} where it is left out.
   * @param options How many rows, and where to.
   * @returns The elements, `[rows, columns]` row by row: `into`, or a new array.
   * @throws {TypeError} The buffer is of another session, or `into` is another kind of array.
   * @throws {RangeError} `into` has another length, or there are more rows than the capacity.
   * @throws {MuserError} `device`, `closed`.
   */
  read(buffer: DeviceBuffer<"u32">, options?: ReadOptions): Uint32Array;
  /**
   * The same for a buffer of values.
   *
   * @param buffer A buffer of this session, {@linkcode Session.hidden} where it is left out.
   * @param options How many rows, and where to.
   * @returns The values, `[rows, columns]` row by row: `into`, or a new array.
   */
  read(buffer?: DeviceBuffer<"f32">, options?: ReadOptions): Float32Array;
  read(buffer: DeviceBuffer = this.hidden, options: ReadOptions = {}): Float32Array | Uint32Array {
    this.#checkOwn(buffer, "read");
    const rows = this.#checkRows(options.rows ?? this.#last.rows);
    const length = rows * buffer.columns;
    const Elements = arrayOf(buffer.kind);
    const into = options.into ?? new Elements(length);
    if (kindOf(into) !== Elements.name) {
      throw new TypeError(`Cannot read ${rows} rows: "into" is no ${Elements.name}, use one of ${length} elements`);
    }
    const given = bytesOf(into) / 4;
    if (given !== length) {
      throw new RangeError(`Cannot read ${rows} rows: "into" has ${given} elements, it needs ${length}`);
    }
    this.#native.read(buffer.number, into);
    return into;
  }

  /**
   * Copies elements of the host's to the beginning of a buffer.
   *
   * @param buffer A buffer of this session.
   * @param elements Whole rows of it: u32 for ids, f32 for anything else.
   * @throws {TypeError} The buffer is of another session, or the elements are of another kind.
   * @throws {RangeError} They are no whole rows, or more than the capacity.
   * @throws {MuserError} `device`, `closed`.
   */
  write(buffer: DeviceBuffer, elements: Float32Array | Uint32Array): void {
    this.#checkOwn(buffer, "write");
    const Elements = arrayOf(buffer.kind);
    if (kindOf(elements) !== Elements.name) throw new TypeError(`Cannot write a buffer: use a ${Elements.name}`);
    this.#checkRows(bytesOf(elements) / 4 / buffer.columns);
    this.#native.write(buffer.number, elements);
  }

  /** What the session has done so far. */
  get statistics(): Statistics {
    const [commandBuffers, waits, dispatches, bytesRead, bytesWritten, nanoseconds] = Array.from(
      this.#native.statistics(),
      Number,
    ) as [number, number, number, number, number, number];
    return { commandBuffers, waits, dispatches, bytesRead, bytesWritten, deviceSeconds: nanoseconds / 1e9 };
  }

  /** Gives the session's buffers back. A run meanwhile ends well; later ones throw `closed`. Safe to repeat. */
  close(): void {
    this.#native.close();
  }

  /** The same as {@linkcode Session.close}, for `using`. */
  [Symbol.dispose](): void {
    this.close();
  }

  /** {@linkcode Session.close}, and waits until everything has been given back; for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
    await this.#native.released;
  }

  #prepare(step: Step, { ids, rows }: RunOptions): { ids: Uint32Array | null; rows: number } {
    if (!this.#own.has(step)) {
      throw new TypeError("Cannot run a step: it was recorded by another session, record it with this one");
    }
    if (ids === undefined) return { ids: null, rows: this.#checkRows(rows ?? this.#last.rows) };
    const count = this.#checkRows(countIds(ids));
    if (rows !== undefined && rows !== count) {
      throw new RangeError(`Cannot run ${rows} rows: there are ${count} ids, leave "rows" out`);
    }
    if (isUint32Array(ids)) return { ids, rows: count };
    const [first, ...rest] = step.tables;
    if (!first) return { ids: copyIds(ids, count, new Uint32Array(count), "ids", 2 ** 32), rows: count };
    const shortest = rest.reduce((least, table) => (table.rowCount < least.rowCount ? table : least), first);
    return { ids: copyIds(ids, count, new Uint32Array(count), shortest.name, shortest.rowCount), rows: count };
  }

  #readEpsilon(): number | undefined {
    const epsilon = this.#model.metadata.get(`${this.#model.facts.architecture}.attention.layer_norm_rms_epsilon`);
    return typeof epsilon === "number" ? epsilon : undefined;
  }

  #checkOwn(buffer: DeviceBuffer, action: string): void {
    if (this.#own.has(buffer)) return;
    throw new TypeError(`Cannot ${action} a buffer: it belongs to another session, use one of this session`);
  }

  #checkRows(rows: number): number {
    if (Number.isInteger(rows) && rows >= 0 && rows <= this.capacity) return rows;
    throw new RangeError(
      `Cannot use ${rows} rows: the session has a capacity of ${this.capacity}, use an integer from 0 to it`,
    );
  }
}

function arrayOf(kind: ElementKind): Float32ArrayConstructor | Uint32ArrayConstructor {
  return kind === "u32" ? Uint32Array : Float32Array;
}

/** `promise`, or the signal's reason where that comes first. */
async function orAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort);
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
    // What was submitted runs on; if it fails, nobody is waiting for it any more.
    promise.catch(() => {});
  }
}
