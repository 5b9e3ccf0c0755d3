/**
 * Rows of GGUF tensors as numbers: token ids in, vectors out. A model file is mapped, never expanded; rows are
 * dequantised on the CPU or a GPU to the same bits everywhere.
 *
 * @example Look up the vectors of two tokens
 * ```ts
 * import { Model } from "@muser/engine";
 *
 * using model = await Model.open(".muser/models/smollm2.gguf");
 * const vectors = model.embed([42, 7]); // Float32Array, [2, 576] row by row
 * console.log(vectors.length, model.token(42).text);
 * ```
 *
 * @module
 */
export { type DeviceFacts, devices, type LibraryOptions } from "./src/devices.ts";
export { MuserError } from "./src/errors.ts";
export type { Ids } from "./src/ids.ts";
export {
  Metadata,
  type MetadataType,
  type MetadataValue,
  type Scalar,
  type ScalarArray,
  StringArray,
} from "./src/metadata.ts";
export type { ModelFacts, TensorFacts } from "./src/facts.ts";
export { type EmbedOptions, Model, type OpenOptions, type TableOptions } from "./src/model.ts";
export { CommandList, type RMSNormOptions, type Step } from "./src/commands.ts";
export type { DeviceBuffer, ElementKind } from "./src/device_buffer.ts";
export { Session } from "./src/session.ts";
export type { ReadOptions, RunOptions, SessionOptions, Statistics, SubmitOptions } from "./src/session_options.ts";
export { type Output, type RowsOptions, Table, type Vectors } from "./src/table.ts";
export {
  createTokenizer,
  type DecodeOptions,
  type EncodeOptions,
  type Encoding,
  type PreTokenizer,
  type SourceTexts,
  type SpecialIds,
  TokenDecoder,
  TokenEncoder,
  type TokenIds,
  Tokenizer,
  type TokenizerOptions,
  type TokenizerSource,
} from "./src/tokenizer/mod.ts";
export { type TypeFacts, types } from "./src/types.ts";
export { type Token, type TokenKind, Vocabulary } from "./src/vocabulary.ts";
