import { describeDevices } from "./native/call.ts";
import { openLibrary } from "./native/library.ts";

/** A device that can serve models, or cannot. */
export interface DeviceFacts {
  /** `cpu`, `metal` or `cuda`. */
  readonly name: string;
  /** Whether it can be used here. */
  readonly available: boolean;
  /** Why it cannot be used; `""` where it can. */
  readonly reason: string;
  /** What it is, in a few words for people. */
  readonly detail: string;
  /** Bytes of memory that it works in: the host's for `cpu`; 0 where that is not known. */
  readonly memory: number;
}

/** Options of {@linkcode devices} and {@linkcode types}. */
export interface LibraryOptions {
  /** The native library, as in {@linkcode OpenOptions.library}. */
  library?: string | URL;
}

/**
 * The devices that can run here, and why the others cannot.
 *
 * @param options Which native library to ask.
 * @returns The devices `cpu`, `metal` and `cuda`.
 * @throws {MuserError} `library` or `permission` where the native library cannot be loaded.
 *
 * @example Show what can run
 * ```ts
 * import { devices } from "@muser/engine";
 *
 * for (const { name, available, reason } of devices()) console.log(name, available ? "yes" : reason);
 * ```
 */
export function devices(options: LibraryOptions = {}): DeviceFacts[] {
  return JSON.parse(describeDevices(openLibrary(options.library)));
}
