import { MuserError } from "../errors.ts";
import { decodeText } from "../gguf_values.ts";
import { type IsBorder, isWordBorder, joinBorder } from "./borders.ts";
import { buildParts, type Parts } from "./build.ts";
import { ByteDecoder, checkedId, type DecodeRules, TokenDecoder, type TokenIds } from "./decoder.ts";
import { Encoder, type Job } from "./encoder.ts";
import { bytesOfInput } from "./input.ts";
import type { DecodeOptions, EncodeOptions, Encoding, TokenizerOptions } from "./options.ts";
import { Output } from "./output.ts";
import type { PreTokenizer } from "./sets.ts";
import type { TokenizerSource } from "./source.ts";
import { SpecialSplitter, specialTokens } from "./special.ts";
import type { SpecialIds } from "./special_ids.ts";
import { TokenEncoder, transformOf } from "./stream.ts";

/**
 * Builds the tokenizer that a file describes.
 *
 * @param source The metadata of a model.
 * @param options How it departs from what the file says.
 * @returns The tokenizer.
 * @throws {MuserError} `tokenizer` where its kind is not supported, `vocabulary` where the vocabulary is not sound.
 * @throws {RangeError} There is no such pre-tokenizer.
 *
 * @example Cut text as GPT-4o itself does
 * ```ts
 * import { createTokenizer, Model } from "@muser/engine";
 *
 * using model = await Model.open(".muser/models/smollm2.gguf");
 * const tokenizer = createTokenizer(model.metadata, { preTokenizer: "gpt-4o-original" });
 * console.log(tokenizer.encode("नमस्ते"));
 * ```
 */
export function createTokenizer(source: TokenizerSource, options: TokenizerOptions = {}): Tokenizer {
  return new Tokenizer(buildParts(source, options.preTokenizer));
}

/**
 * Text to token ids and back, by the vocabulary of a file.
 *
 * Every text of valid Unicode comes back as it was, or is reported: only U+2581, which sentence-piece vocabularies
 * write for a space, comes back as a space.
 *
 * @example Encode and decode
 * ```ts
 * import { Model } from "@muser/engine";
 *
 * using model = await Model.open(".muser/models/smollm2.gguf");
 * const { tokenizer } = model;
 * const ids = tokenizer.encode("Hello, world!");
 * console.log(ids, tokenizer.decode(ids)); // "Hello, world!"
 * ```
 */
export class Tokenizer {
  /** How tokens are found: by merges of bytes, or by the scores of joined characters. */
  readonly kind: "byte-pair" | "sentence-piece";
  /** How text is cut into pieces before; `undefined` for sentence-piece vocabularies. */
  readonly preTokenizer: PreTokenizer | undefined;
  /** How many tokens there are. The token table may have more rows. */
  readonly size: number;
  /** Ids of tokens with a purpose. */
  readonly special: SpecialIds;
  /** Whether the BOS token is put before a text, unless an option says otherwise. */
  readonly addBos: boolean;
  /** Whether the EOS token is put after a text, unless an option says otherwise. */
  readonly addEos: boolean;
  /** What the file leaves open, in sentences: ids may then differ from those in training. */
  readonly warnings: readonly string[];
  readonly #encoder: Encoder;
  readonly #decoding: DecodeRules;
  readonly #splitters = new Map<string, SpecialSplitter>();
  readonly #isBorder: IsBorder;

  /**
   * Made by {@linkcode createTokenizer}, or `Model.tokenizer`.
   *
   * @param parts What it is made of.
   */
  constructor(parts: Parts) {
    const { rules, kinds, joins } = parts;
    this.kind = parts.kind;
    this.preTokenizer = parts.preTokenizer;
    this.size = rules.tokens.size;
    this.special = parts.ids;
    this.addBos = parts.addBos;
    this.addEos = parts.addEos;
    this.warnings = parts.warnings;
    this.#encoder = new Encoder(rules);
    this.#decoding = { tokens: rules.tokens, kinds, spacePrefix: rules.spacePrefix };
    this.#isBorder = joins ? joinBorder(joins) : isWordBorder;
  }

  /**
   * The ids of a text. Control tokens written in it are text, see {@linkcode EncodeOptions.special}.
   *
   * @param text The text, or its UTF-8.
   * @param options How it is encoded.
   * @returns The ids.
   * @throws {MuserError} `tokenizer` where the text is not valid Unicode, or has a byte that the vocabulary lacks; the
   * message names the byte and its offset.
   * @throws {TypeError} The text is neither a string nor a `Uint8Array`.
   * @throws {RangeError} An option has a value that it cannot have.
   */
  encode(text: string | Uint8Array, options: EncodeOptions = {}): Uint32Array<ArrayBuffer> {
    return this.#encode(text, options, false).take();
  }

  /**
   * The ids of a text, and where in it each token begins.
   *
   * @param text The text, or its UTF-8.
   * @param options How it is encoded.
   * @returns Ids and byte offsets. A token put before the text is at 0; one that stands for a space put before the text
   * too; tokens of a substitute are where the substituted byte is.
   * @throws {MuserError} As {@linkcode Tokenizer.encode}.
   */
  encodeWithOffsets(text: string | Uint8Array, options: EncodeOptions = {}): Encoding {
    const output = this.#encode(text, options, true);
    const offsets = output.offsets();
    return { ids: output.take(), offsets };
  }

  /**
   * How many tokens a text has.
   *
   * @param text The text, or its UTF-8.
   * @param options How it is encoded.
   * @returns The number of ids that `encode` gives.
   * @throws {MuserError} As {@linkcode Tokenizer.encode}.
   */
  count(text: string | Uint8Array, options: EncodeOptions = {}): number {
    return this.#encode(text, options, false).length;
  }

  /**
   * Encodes text that comes in parts, such as a file of any size.
   *
   * @param options How it is encoded.
   * @returns An encoder for one text.
   */
  encoder(options: EncodeOptions = {}): TokenEncoder {
    const { job, eos } = this.#job(options, true);
    return new TokenEncoder({ encoder: this.#encoder, isBorder: this.#isBorder, eos }, job);
  }

  /**
   * {@linkcode Tokenizer.encoder} as a stream.
   *
   * @param options How text is encoded.
   * @returns A stream from text to ids.
   */
  encodeStream(options: EncodeOptions = {}): TransformStream<string | Uint8Array, Uint32Array<ArrayBuffer>> {
    const encoder = this.encoder(options);
    return transformOf((text) => encoder.push(text), () => encoder.end());
  }

  /**
   * The text of ids.
   *
   * @param ids Token ids in a row.
   * @param options Whether control tokens are text too.
   * @returns The text; bytes that are no valid UTF-8 become U+FFFD, see {@linkcode Tokenizer.decodeBytes}.
   * @throws {RangeError} An id is not in the vocabulary.
   * @throws {TypeError} An id is no number.
   */
  decode(ids: TokenIds, options: DecodeOptions = {}): string {
    return decodeText(this.decodeBytes(ids, options));
  }

  /**
   * The bytes of ids: the UTF-8 of the text, or whatever else the tokens stand for.
   *
   * @param ids Token ids in a row.
   * @param options Whether control tokens are text too.
   * @returns The bytes.
   * @throws {RangeError} An id is not in the vocabulary.
   * @throws {TypeError} An id is no number.
   */
  decodeBytes(ids: TokenIds, options: DecodeOptions = {}): Uint8Array<ArrayBuffer> {
    return new ByteDecoder(this.#decoding, options.skipSpecial ?? true).decode(ids);
  }

  /**
   * Decodes ids that come one after another, such as a model's answer.
   *
   * @param options Whether control tokens are text too.
   * @returns A decoder for one text.
   */
  decoder(options: DecodeOptions = {}): TokenDecoder {
    return new TokenDecoder(this.#decoding, options.skipSpecial ?? true);
  }

  /**
   * {@linkcode Tokenizer.decoder} as a stream.
   *
   * @param options Whether control tokens are text too.
   * @returns A stream from ids to text.
   */
  decodeStream(options: DecodeOptions = {}): TransformStream<number | TokenIds, string> {
    const decoder = this.decoder(options);
    return transformOf((ids) => decoder.push(ids), () => decoder.end());
  }

  /**
   * The text that one token stands for. A token may hold a part of a character, which shows as U+FFFD: use
   * {@linkcode Tokenizer.decode} for several tokens.
   *
   * @param id The token's id.
   * @returns Its text, with spaces as spaces.
   * @throws {RangeError} The id is not in the vocabulary.
   */
  piece(id: number): string {
    return decodeText(this.bytes(id));
  }

  /**
   * The bytes that one token stands for.
   *
   * @param id The token's id.
   * @returns A copy of its bytes.
   * @throws {RangeError} The id is not in the vocabulary.
   */
  bytes(id: number): Uint8Array<ArrayBuffer> {
    return this.#decoding.tokens.bytesOf(checkedId(id, undefined, this.#decoding)).slice();
  }

  #encode(text: string | Uint8Array, options: EncodeOptions, withOffsets: boolean): Output {
    const { job, eos } = this.#job(options, withOffsets);
    this.#encoder.encode(bytesOfInput(text, job.invalid), job);
    if (eos !== undefined) job.output.push(eos, job.offset);
    return job.output;
  }

  #job(options: EncodeOptions, withOffsets: boolean): { job: Job; eos: number | undefined } {
    const { special = "user", invalid = "error", missing = "error" } = options;
    const { bos } = this.special;
    const output = new Output(withOffsets);
    const added = this.#wanted("bos", options.bos ?? this.addBos);
    if (added !== undefined) output.push(added, 0);
    const job = {
      output,
      splitter: this.#splitter(oneOf(special, "special", ["none", "user", "all"])),
      invalid: oneOf(invalid, "invalid", ["error", "replace", "keep"]),
      missing: oneOf(missing, "missing", ["error", "replace", "unknown"]),
      known: options.bos === undefined && this.addBos ? bos : undefined,
      offset: 0,
      begun: false,
      afterSpecial: true,
      stripping: false,
    };
    return { job, eos: this.#wanted("eos", options.eos ?? this.addEos) };
  }

  #wanted(name: "bos" | "eos", wanted: boolean): number | undefined {
    if (!wanted) return undefined;
    const id = this.special[name];
    if (id !== undefined) return id;
    const key = `tokenizer.ggml.${name}_token_id`;
    throw new MuserError(
      "tokenizer",
      `Cannot add the ${name.toUpperCase()} token: the file has no ${key}, pass { ${name}: false }`,
    );
  }

  #splitter(special: "none" | "user" | "all"): SpecialSplitter {
    const known = this.#splitters.get(special);
    if (known) return known;
    const splitter = new SpecialSplitter(this.#decoding.tokens, specialTokens(this.#decoding, special));
    this.#splitters.set(special, splitter);
    return splitter;
  }
}

function oneOf<Value extends string>(value: Value, name: string, values: readonly Value[]): Value {
  if (values.includes(value)) return value;
  const list = values.map((each) => `"${each}"`).join(", ");
  throw new RangeError(`Cannot encode text: there is no ${name} "${value}", use ${list}`);
}
