import { errorBuffer, failure, readText, whenFree } from "./call.ts";
import { Handle } from "./handle.ts";
import type { Pointer, Symbols } from "./symbols.ts";

/** A table of the native library. The caller proves that ids and output fit together: here nothing is checked. */
export class NativeTable {
  readonly #symbols: Symbols;
  readonly #handle: Handle<Pointer>;
  // Shared by all calls that end before the next can begin, so that a lookup allocates nothing.
  readonly #error = errorBuffer();

  constructor(symbols: Symbols, name: string, pointer: Pointer) {
    this.#symbols = symbols;
    this.#handle = new Handle(`table "${name}"`, pointer, symbols.muser_table_close);
  }

  /** The native table, for a session to look up in. */
  get pointer(): Pointer {
    return this.#handle.pointer;
  }

  /** Fulfilled once the native table has been given back. */
  get released(): Promise<void> {
    return this.#handle.released;
  }

  /** Facts of the table, as JSON. */
  describe(): string {
    const pointer = this.#handle.pointer;
    return readText((text, capacity) => this.#symbols.muser_table_describe(pointer, text, capacity));
  }

  /** Writes one row; `false` where that failed, for reasons that `rows` tells. */
  row(id: number, output: Float32Array | Float16Array): boolean {
    return this.#symbols.muser_table_row(this.#handle.pointer, id, output) === 0;
  }

  /** Writes the rows of the first `count` ids. */
  rows(ids: Uint32Array, count: number, output: Float32Array | Float16Array): void {
    const status = this.#symbols.muser_table_rows(this.#handle.pointer, ids, count, output, this.#error);
    if (status !== 0) throw failure(this.#error);
  }

  /** `rows` for all of `ids` off the JavaScript thread; the caller leaves both arrays alone until it has ended. */
  async rowsAsync(ids: Uint32Array, output: Float32Array | Float16Array): Promise<void> {
    const error = errorBuffer();
    const status = await this.#handle.call((pointer) =>
      whenFree(() => this.#symbols.muser_table_rowsAsync(pointer, ids, ids.length, output, error))
    );
    if (status !== 0) throw failure(error);
  }

  close(): void {
    this.#handle.close();
  }
}
