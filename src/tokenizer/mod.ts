/** Text to token ids and back, by the vocabulary of a GGUF file. */
export { TokenDecoder, type TokenIds } from "./decoder.ts";
export type { DecodeOptions, EncodeOptions, Encoding, TokenizerOptions } from "./options.ts";
export type { PreTokenizer } from "./sets.ts";
export type { SourceTexts, TokenizerSource } from "./source.ts";
export type { SpecialIds } from "./special_ids.ts";
export { TokenEncoder } from "./stream.ts";
export { createTokenizer, Tokenizer } from "./tokenizer.ts";
