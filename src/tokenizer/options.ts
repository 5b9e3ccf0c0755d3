import type { PreTokenizer } from "./sets.ts";

/** How text is encoded. */
export interface EncodeOptions {
  /**
   * Which tokens are found as they are written: `user`, the default, those that the vocabulary calls user-defined, such
   * as runs of spaces; `none`; or `all`, with the control tokens.
   *
   * With `user` and `none`, `<|im_end|>` in a text is eight characters and never the token, so that a text cannot end a
   * turn or begin another. Use `all` only for text that you wrote yourself, and put control tokens around the text of
   * others by their ids.
   */
  special?: "none" | "user" | "all";
  /**
   * Whether the BOS token is put before. Left out: as the file says, and not again where the text begins with it.
   */
  bos?: boolean;
  /** Whether the EOS token is put after. Left out: as the file says. */
  eos?: boolean;
  /**
   * What is done with bytes that are not valid UTF-8: `error`, the default, reports the first; `replace` encodes U+FFFD
   * for each; `keep` encodes each as the token of that byte. Halves of surrogate pairs in a string can be replaced,
   * not kept.
   */
  invalid?: "error" | "replace" | "keep";
  /**
   * What is done with a byte that the vocabulary has no token for: `error`, the default, reports the first; `replace`
   * encodes U+FFFD; `unknown` encodes the unknown token.
   */
  missing?: "error" | "replace" | "unknown";
}

/** How ids are decoded. */
export interface DecodeOptions {
  /** Whether control tokens and the unknown token give no text; `true` where left out. */
  skipSpecial?: boolean;
}

/** Ids with their places in the text. */
export interface Encoding {
  /** The token ids. */
  readonly ids: Uint32Array<ArrayBuffer>;
  /** Where each token begins, in bytes of the text's UTF-8. */
  readonly offsets: Float64Array<ArrayBuffer>;
}

/** Options of `createTokenizer`. */
export interface TokenizerOptions {
  /**
   * How text is cut into pieces, for byte-pair vocabularies. Left out: as `tokenizer.ggml.pre` says, with the pieces of
   * llama.cpp.
   */
  preTokenizer?: PreTokenizer;
}
