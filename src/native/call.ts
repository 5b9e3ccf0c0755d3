import { MuserError } from "../errors.ts";
import { join } from "../join.ts";
import type { Library } from "./library.ts";
import { ERROR_BYTES } from "./symbols.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

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
export function cString(text: string): Uint8Array<ArrayBuffer> {
  if (text.includes("\0")) throw new TypeError(`Cannot pass "${text}" to the native library: it contains a NUL`);
  return encoder.encode(text + "\0");
}

/** Texts, each with its NUL, one after another. */
export function cStrings(texts: string[]): Uint8Array<ArrayBuffer> {
  return join(texts.map(cString));
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
export function readText(
  write: (text: Uint8Array, capacity: number) => number,
  error: Uint8Array = errorBuffer(),
): string {
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
