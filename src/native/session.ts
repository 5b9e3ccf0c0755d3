import { bytesOf } from "./bytes.ts";
import { errorBuffer, failure, whenFree } from "./call.ts";
import { Handle } from "./handle.ts";
import type { Pointer, Symbols } from "./symbols.ts";
import type { NativeTable } from "./table.ts";

/** What a session has done, as the native library counts it; the order is that of `MuserStatistics`. */
const STATISTICS = 6;

/** A session of the native library. Buffers, tables and steps are known by the numbers that it gives them. */
export class NativeSession {
  readonly #symbols: Symbols;
  readonly #handle: Handle<Pointer>;
  // Shared by all calls that end before the next can begin.
  readonly #error = errorBuffer();

  constructor(symbols: Symbols, pointer: Pointer) {
    this.#symbols = symbols;
    this.#handle = new Handle("the session", pointer, symbols.muser_session_close);
  }

  /** Fulfilled once the native session has been given back. */
  get released(): Promise<void> {
    return this.#handle.released;
  }

  addBuffer(bytes: number): number {
    return this.#number(this.#symbols.muser_session_buffer(this.#handle.pointer, BigInt(bytes), this.#error));
  }

  addTable(table: NativeTable): number {
    return this.#number(this.#symbols.muser_session_table(this.#handle.pointer, table.pointer, this.#error));
  }

  record(words: Uint32Array<ArrayBuffer>): number {
    return this.#number(
      this.#symbols.muser_session_record(this.#handle.pointer, words, words.length, this.#error),
    );
  }

  run(step: number, ids: Uint32Array | null, rows: number): void {
    this.#check(this.#symbols.muser_session_run(this.#handle.pointer, step, ids, rows, this.#error));
  }

  /** `run` off the JavaScript thread; the caller leaves `ids` alone until it has ended. */
  async runAsync(step: number, ids: Uint32Array | null, rows: number): Promise<void> {
    const error = errorBuffer();
    const status = await this.#handle.call((pointer) =>
      whenFree(() => this.#symbols.muser_session_runAsync(pointer, step, ids, rows, error))
    );
    if (status !== 0) throw failure(error);
  }

  read(buffer: number, into: Float32Array | Uint32Array): void {
    const bytes = BigInt(bytesOf(into));
    this.#check(this.#symbols.muser_session_read(this.#handle.pointer, buffer, 0n, into, bytes, this.#error));
  }

  write(buffer: number, values: Float32Array | Uint32Array): void {
    const bytes = BigInt(bytesOf(values));
    this.#check(this.#symbols.muser_session_write(this.#handle.pointer, buffer, 0n, values, bytes, this.#error));
  }

  statistics(): BigUint64Array {
    const statistics = new BigUint64Array(STATISTICS);
    this.#symbols.muser_session_statistics(this.#handle.pointer, statistics);
    return statistics;
  }

  close(): void {
    this.#handle.close();
  }

  #check(status: number): void {
    if (status !== 0) throw failure(this.#error);
  }

  #number(number: number): number {
    if (number < 0) throw failure(this.#error);
    return number;
  }
}
