import type { LibraryOptions } from "./devices.ts";
import { describeTypes } from "./native/call.ts";
import { openLibrary } from "./native/library.ts";

/** A type that tensors of a GGUF file can have. */
export interface TypeFacts {
  /** Its name, such as `Q4_K`. */
  readonly name: string;
  /** Its number in the file. */
  readonly id: number;
  /** Values a block. */
  readonly blockValues: number;
  /** Bytes a block. */
  readonly blockBytes: number;
  /** The kernel that looks rows of it up; `""` where none does. */
  readonly kernel: string;
  /** Why rows of it cannot be looked up; `""` where they can. */
  readonly reason: string;
}

/**
 * The tensor types of the format, and whether their rows can be looked up.
 *
 * @param options Which native library to ask.
 * @returns Every type that the library knows.
 * @throws {MuserError} `library` or `permission` where the native library cannot be loaded.
 *
 * @example List the types whose rows can be looked up
 * ```ts
 * import { types } from "@muser/engine";
 *
 * console.log(types().filter(({ kernel }) => kernel !== "").map(({ name }) => name));
 * ```
 */
export function types(options: LibraryOptions = {}): TypeFacts[] {
  return JSON.parse(describeTypes(openLibrary(options.library)));
}
