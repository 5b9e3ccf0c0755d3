import { MuserError } from "../errors.ts";
import { Handle } from "./handle.ts";
import type { Library } from "./library.ts";
import { NativeSession } from "./session.ts";
import { ERROR_BYTES, type Pointer, type Symbols } from "./symbols.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What the library can read in one call; its lengths are 32-bit. */
const READ_LIMIT = 2 ** 30;

// Deno runs blocking calls, its own file access among them, on 32 threads; these calls take no more than four.
const CALLS_AT_ONCE = 4;
let callsRunning = 0;
const callsWaiting: (() => void)[] = [];

/** Runs `start` when fewer than four such calls run. */
export async function whenFree<Result>(start: () => Promise<Result>): Promise<Result> {
  if (callsRunning === CALLS_AT_ONCE) await new Promise<void>((resolve) => callsWaiting.push(resolve));
  else callsRunning++;
  try {
    return await start();
  } finally {
    // The place goes straight to the first that waits, so that no newcomer can take it.
    const next = callsWaiting.shift();
    if (next) next();
    else callsRunning--;
  }
}

/** NUL-terminated UTF-8. */
function cString(text: string): Uint8Array<ArrayBuffer> {
  if (text.includes("\0")) throw new TypeError(`Cannot pass "${text}" to the native library: it contains a NUL`);
  return encoder.encode(text + "\0");
}

/** Texts, each with its NUL, one after another. */
function cStrings(texts: string[]): Uint8Array<ArrayBuffer> {
  const parts = texts.map(cString);
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** A place for a failure. */
export function errorBuffer(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(ERROR_BYTES);
}

/** The error that a failed call wrote: `code`, a line feed, the message, NUL. */
export function failure(error: Uint8Array): Error {
  const text = decoder.decode(error.subarray(0, error.indexOf(0)));
  const end = text.indexOf("\n");
  const code = text.slice(0, end);
  const message = text.slice(end + 1);
  return code === "id" || code === "argument" ? new RangeError(message) : new MuserError(code, message);
}

/** Reads a text whose length only the library knows. */
function readText(write: (text: Uint8Array, capacity: number) => number, error: Uint8Array = errorBuffer()): string {
  let text = new Uint8Array(4096);
  for (;;) {
    const length = write(text, text.length);
    if (length < 0) throw failure(error);
    if (length <= text.length) return decoder.decode(text.subarray(0, length));
    text = new Uint8Array(length);
  }
}

/** Every error code that the library may answer with. */
export function errorCodes({ symbols }: Library): string[] {
  return readText((text, capacity) => symbols.muser_error_codes(text, capacity)).trimEnd().split("\n");
}

/** The devices, as the library describes them. */
export function describeDevices({ symbols }: Library): string {
  return readText((text, capacity) => symbols.muser_devices(text, capacity));
}

/** The tensor types, as the library describes them. */
export function describeTypes({ symbols }: Library): string {
  return readText((text, capacity) => symbols.muser_types(text, capacity));
}

/** Where and how a model is opened. */
export interface OpenRequest {
  /** One file, or all parts of a split model in order. */
  paths: string[];
  device: string;
  map: boolean;
  offset: number;
}

/** A model of the native library. */
export class NativeModel {
  readonly #symbols: Symbols;
  readonly #handle: Handle<Pointer>;

  private constructor(symbols: Symbols, handle: Handle<Pointer>) {
    this.#symbols = symbols;
    this.#handle = handle;
  }

  static async open({ symbols }: Library, { paths, device, map, offset }: OpenRequest): Promise<NativeModel> {
    const error = errorBuffer();
    const pathTexts = cStrings(paths);
    const deviceText = cString(device);
    const pointer = await whenFree(() =>
      symbols.muser_model_openAsync(pathTexts, paths.length, deviceText, map ? 1 : 0, BigInt(offset), error)
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

/** A table of the native library: rows of the first `count` ids are written to `output`. The caller proves that ids and output fit together: here nothing is checked. */
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
