import { cString, cStrings, errorBuffer, failure, readText, whenFree } from "./call.ts";
import { Handle } from "./handle.ts";
import type { Library } from "./library.ts";
import { NativeSession } from "./session.ts";
import type { Pointer, Symbols } from "./symbols.ts";
import { NativeTable } from "./table.ts";

/** What the library can read in one call; its lengths are 32-bit. */
const READ_LIMIT = 2 ** 30;

/** Where and how a model is opened. */
export interface OpenRequest {
  /** One file, or all parts of a split model in order. */
  paths: string[];
  device: string;
  /** 0 reads rows, 1 maps the file, 2 also leaves tables there on devices that have memory of their own. */
  map: 0 | 1 | 2;
  offset: number;
  /** The folder of compiled kernels, where there is to be one. */
  cache: string | undefined;
}

/** A model of the native library. */
export class NativeModel {
  readonly #symbols: Symbols;
  readonly #handle: Handle<Pointer>;

  private constructor(symbols: Symbols, handle: Handle<Pointer>) {
    this.#symbols = symbols;
    this.#handle = handle;
  }

  static async open({ symbols }: Library, { paths, device, map, offset, cache }: OpenRequest): Promise<NativeModel> {
    const error = errorBuffer();
    const pathTexts = cStrings(paths);
    const deviceText = cString(device);
    const cacheText = cache === undefined ? null : cString(cache);
    const pointer = await whenFree(() =>
      symbols.muser_model_openAsync(pathTexts, paths.length, deviceText, map, BigInt(offset), cacheText, error)
    );
    if (pointer === null) throw failure(error);
    return new NativeModel(symbols, new Handle(`model "${paths[0]}"`, pointer, symbols.muser_model_close));
  }

  /** Fulfilled once the native model has been given back. */
  get released(): Promise<void> {
    return this.#handle.released;
  }

  /** What is in the file, as JSON. */
  describe(): string {
    const error = errorBuffer();
    const pointer = this.#handle.pointer;
    return readText((text, capacity) => this.#symbols.muser_model_describe(pointer, text, capacity, error), error);
  }

  /** Fills `bytes` with what begins `offset` bytes after the GGUF's start. */
  read(offset: number, bytes: Uint8Array): void {
    const error = errorBuffer();
    for (let at = 0; at < bytes.length; at += READ_LIMIT) {
      const part = bytes.subarray(at, at + READ_LIMIT);
      const place = BigInt(offset + at);
      if (this.#symbols.muser_model_read(this.#handle.pointer, place, part, part.length, error) !== 0) {
        throw failure(error);
      }
    }
  }

  /** Throws `changed` where the file is no longer the one that was opened. */
  check(): void {
    const error = errorBuffer();
    if (this.#symbols.muser_model_check(this.#handle.pointer, error) !== 0) throw failure(error);
  }

  openTable(name: string, scale: number, half: boolean): NativeTable {
    const error = errorBuffer();
    const pointer = this.#symbols.muser_table_open(this.#handle.pointer, cString(name), scale, half ? 1 : 0, error);
    if (pointer === null) throw failure(error);
    return new NativeTable(this.#symbols, name, pointer);
  }

  openSession(capacity: number, timed: boolean): NativeSession {
    const error = errorBuffer();
    const pointer = this.#symbols.muser_session_open(this.#handle.pointer, capacity, timed ? 1 : 0, error);
    if (pointer === null) throw failure(error);
    return new NativeSession(this.#symbols, pointer);
  }

  close(): void {
    this.#handle.close();
  }
}
