// deno-fmt-ignore-file: generated
/**
 * What the native library is built from, as it travels in the package. Written by `scripts/release pin`.
 * @module
 */

/** The SHA-256 of each file, in hexadecimal, by its path in the package; none before the release. */
export const sources: Readonly<Record<string, string>> = {};
