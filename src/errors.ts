/**
 * A failure that a program may want to tell apart by its {@linkcode MuserError.code}.
 *
 * A wrong argument is no `MuserError`: an id or a length out of range is a `RangeError`, a value of a wrong type a
 * `TypeError`.
 *
 * Codes about the file's content:
 * - `bad-magic`: the file is no GGUF file
 * - `byte-order`: the file has the other byte order
 * - `version`: its version of the format is not supported
 * - `count`: it declares more entries than it can hold
 * - `string`: a text in it is longer than the file or the limit
 * - `kv-type`: a metadata entry has a type that the format does not define
 * - `array`: a metadata array is longer than the file or the limit
 * - `duplicate`: two metadata keys or two tensors share a name
 * - `alignment`: its alignment is no power of two
 * - `shape`: a tensor's dimensions cannot be used
 * - `type`: a tensor's type is unknown or cannot be gathered
 * - `row`: a row is no whole number of blocks
 * - `range`: a tensor lies outside the file, or begins at no multiple of the alignment
 * - `overlap`: two tensors share bytes
 * - `limit`: the file is larger than 2^53 bytes
 * - `changed`: the file is no longer the one that was opened
 * - `split`: a part of a split model is missing or in the wrong place
 *
 * Codes about the request:
 * - `not-found`, `permission`, `not-a-file`, `io`: the file cannot be opened or read
 * - `tensor`: the file has no such tensor
 * - `vocabulary`: the file has no vocabulary, or one that is not sound
 * - `tokenizer`: the file's tokenizer is missing or not supported, or a text cannot be tokenised
 * - `device`: the device is not available or has failed
 * - `memory`: there is not enough memory
 * - `timeout`: the device did not answer in time
 * - `closed`: the model has been closed
 * - `library`: the native library was not found, or is another version
 *
 * @example Tell a missing file from a damaged one
 * ```ts
 * import { Model, MuserError } from "@muser/engine";
 *
 * try {
 *   using model = await Model.open("missing.gguf");
 *   console.log(model.facts.architecture);
 * } catch (error) {
 *   if (!(error instanceof MuserError) || error.code !== "not-found") throw error;
 *   console.log(error.message);
 * }
 * ```
 */
export class MuserError extends Error {
  /** The class's name, as `Error` has it. */
  override readonly name = "MuserError";
  /** What went wrong, as a short stable word from the list above. */
  readonly code: string;

  /**
   * Made by this package; exported so that programs can tell it by `instanceof`.
   *
   * @param code What went wrong, as a short stable word.
   * @param message The sentence for people.
   * @param options The error that was the reason, as `cause`.
   */
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
