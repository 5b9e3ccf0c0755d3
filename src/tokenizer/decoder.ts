import { CONTROL, type TokenTable, UNKNOWN, USER_DEFINED } from "./tokens.ts";

/** Token ids in a row. */
export type TokenIds = ArrayLike<number | bigint>;

/** What decoding needs to know about a vocabulary. */
export interface DecodeRules {
  readonly tokens: TokenTable;
  /** The kind of each token. */
  readonly kinds: Uint8Array;
  /** Whether text that begins, or follows a special token, has a space before it that is not its own. */
  readonly spacePrefix: boolean;
}

const SPACE = 0x20;

/** Turns ids into bytes, however they are divided. */
export class ByteDecoder {
  readonly #rules: DecodeRules;
  readonly #skipSpecial: boolean;
  /** Whether the next text has a space before it that is not its own. */
  #prefixed: boolean;
  #position = 0;

  constructor(rules: DecodeRules, skipSpecial: boolean) {
    this.#rules = rules;
    this.#skipSpecial = skipSpecial;
    this.#prefixed = rules.spacePrefix;
  }

  /** The bytes of further ids. */
  decode(ids: TokenIds): Uint8Array<ArrayBuffer> {
    const { bytes, starts, lengths } = this.#rules.tokens;
    let output = new Uint8Array(ids.length * 8);
    let length = 0;
    for (let at = 0; at < ids.length; at++) {
      const id = checkedId(ids[at], this.#position++, this.#rules);
      const end = starts[id]! + lengths[id]!;
      let next = this.#textStart(id);
      if (length + end - next > output.length) {
        const larger = new Uint8Array(output.length * 2 + end - next);
        larger.set(output);
        output = larger;
      }
      // Tokens are short: a loop is quicker than a copy of each.
      while (next < end) output[length++] = bytes[next++]!;
    }
    return output.slice(0, length);
  }

  /** Where the text of a token begins among the bytes of all: after a space that is not its own; at its end if it has none. */
  #textStart(id: number): number {
    const { tokens, kinds, spacePrefix } = this.#rules;
    const start = tokens.starts[id]!;
    const length = tokens.lengths[id]!;
    const kind = kinds[id]!;
    if (kind === CONTROL || kind === UNKNOWN || kind === USER_DEFINED && tokens.mergeable[id] === 0) {
      this.#prefixed = spacePrefix;
      return this.#skipSpecial && kind !== USER_DEFINED ? start + length : start;
    }
    const prefixed = this.#prefixed && length > 0 && tokens.bytes[start] === SPACE;
    this.#prefixed = false;
    return prefixed ? start + 1 : start;
  }
}

/** An id, proven to be in the vocabulary. */
export function checkedId(id: unknown, position: number | undefined, { tokens }: DecodeRules): number {
  const place = position === undefined ? "" : ` at position ${position}`;
  if (typeof id !== "number" && typeof id !== "bigint") {
    throw new TypeError(`Cannot decode the id${place}: it is a ${typeof id}, use numbers or bigints`);
  }
  const number = Number(id);
  if (Number.isInteger(number) && number >= 0 && number < tokens.size) return number;
  const state = Number.isInteger(number) ? `the vocabulary has ${tokens.size} tokens` : "it is no integer";
  throw new RangeError(`Cannot decode id ${id}${place}: ${state}, use ids from 0 to ${tokens.size - 1}`);
}

/**
 * Turns ids into text as they come: a character whose bytes are spread over several tokens is held back until it is
 * whole, so no text is ever given that a later token would change.
 *
 * @example Print tokens as a model gives them
 * ```ts
 * import { Model } from "@muser/engine";
 *
 * using model = await Model.open(".muser/models/smollm2.gguf");
 * const decoder = model.tokenizer.decoder();
 * let text = "";
 * for (const id of model.tokenizer.encode("a 😀")) text += decoder.push(id);
 * console.log(text + decoder.end()); // "a 😀"
 * ```
 */
export class TokenDecoder {
  readonly #bytes: ByteDecoder;
  readonly #text = new TextDecoder("utf-8", { ignoreBOM: true });

  /**
   * Made by `Tokenizer.decoder`.
   *
   * @param rules The vocabulary.
   * @param skipSpecial Whether control tokens give no text.
   */
  constructor(rules: DecodeRules, skipSpecial: boolean) {
    this.#bytes = new ByteDecoder(rules, skipSpecial);
  }

  /**
   * The text that is certain after one more id, or several.
   *
   * @param ids An id or ids in a row.
   * @returns The text that follows what was given before; often empty.
   * @throws {RangeError} An id is not in the vocabulary.
   */
  push(ids: number | bigint | TokenIds): string {
    const list = typeof ids === "object" ? ids : [ids];
    return this.#text.decode(this.#bytes.decode(list), { stream: true });
  }

  /**
   * Ends the text; the decoder may be used for another one after.
   *
   * @returns What was held back, as U+FFFD because it was no whole character; `""` mostly.
   */
  end(): string {
    return this.#text.decode();
  }
}
