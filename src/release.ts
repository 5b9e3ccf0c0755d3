/**
 * What was released as this version of the package. Written by `scripts/release pin`.
 * @module
 */

/** A file of the release. */
export interface ReleasedFile {
  name: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/** The version of the package. */
export const version = "0.1.0";

/** The native libraries, by the platform as `Deno.build.target` names it; none before the release. */
export const libraries: Readonly<Record<string, ReleasedFile>> = {};
