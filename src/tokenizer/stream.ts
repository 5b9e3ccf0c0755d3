import { MuserError } from "../errors.ts";
import type { Encoder, Job } from "./encoder.ts";
import { bytesOfInput, utf8Input } from "./input.ts";
import type { IsBorder } from "./borders.ts";

/** What a stream of text is encoded with. */
export interface StreamRules {
  readonly encoder: Encoder;
  readonly isBorder: IsBorder;
  /** The token after the text, if any. */
  readonly eos: number | undefined;
}

/** Bytes from a border on that tell whether it is one. */
const LOOK_AHEAD = 4;
/** What ends the bytes that belong to one that is not valid UTF-8, and all lower bytes do. */
const SPACE = 0x20;

/**
 * Turns text into ids as it comes. The ids are those of the whole text: it is cut only where that changes nothing, and
 * what is not certain yet is held back.
 *
 * @example Encode a file of any size
 * ```ts
 * import { Model } from "@muser/engine";
 *
 * using model = await Model.open(".muser/models/smollm2.gguf");
 * const encoder = model.tokenizer.encoder();
 * let count = 0;
 * using file = await Deno.open("deno.json");
 * for await (const chunk of file.readable) count += encoder.push(chunk).length;
 * console.log(count + encoder.end().length);
 * ```
 */
export class TokenEncoder {
  readonly #rules: StreamRules;
  readonly #job: Job;
  #ended = false;
  /** Text that has come and is not encoded yet. */
  #buffer = new Uint8Array(2 ** 16);
  #length = 0;
  /** Up to here the buffer has no border. */
  #searched = 0;
  /** The first half of a surrogate pair whose second half has not come yet. */
  #half = "";
  #offsets = new Float64Array(0);

  /**
   * Made by `Tokenizer.encoder`.
   *
   * @param rules How it cuts and encodes.
   * @param job The text that it encodes.
   */
  constructor(rules: StreamRules, job: Job) {
    this.#rules = rules;
    this.#job = job;
  }

  /** Where each of the ids given last begins, in bytes of the whole text's UTF-8. */
  get offsets(): Float64Array<ArrayBuffer> {
    return this.#offsets;
  }

  /**
   * The ids that are certain after more text.
   *
   * @param text What follows the text given before; it may end within a character.
   * @returns The ids that follow those given before; often none.
   * @throws {MuserError} `tokenizer` as `Tokenizer.encode`; `closed` after `end()`.
   */
  push(text: string | Uint8Array): Uint32Array<ArrayBuffer> {
    this.#take(text);
    this.#encode(this.#findBorder());
    return this.#give();
  }

  /**
   * Ends the text.
   *
   * @returns The last ids.
   * @throws {MuserError} `tokenizer` as `Tokenizer.encode`; `closed` where it has ended before.
   */
  end(): Uint32Array<ArrayBuffer> {
    const half = this.#half;
    this.#half = "";
    this.#take(utf8Input(half, this.#job.invalid, this.#job.offset + this.#length));
    this.#ended = true;
    this.#encode(this.#length);
    if (this.#rules.eos !== undefined) this.#job.output.push(this.#rules.eos, this.#job.offset);
    return this.#give();
  }

  #take(text: string | Uint8Array): void {
    if (this.#ended) throw new MuserError("closed", "Cannot encode text: the encoder has ended, make another one");
    this.#append(bytesOfInput(typeof text === "string" ? this.#utf8Of(text) : text, this.#job.invalid));
  }

  #give(): Uint32Array<ArrayBuffer> {
    this.#offsets = this.#job.output.offsets();
    return this.#job.output.take();
  }

  #utf8Of(text: string): Uint8Array {
    const whole = this.#half + text;
    const open = /[\uD800-\uDBFF]$/.test(whole) ? whole.length - 1 : whole.length;
    this.#half = whole.slice(open);
    return utf8Input(whole.slice(0, open), this.#job.invalid, this.#job.offset + this.#length);
  }

  #append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(length, this.#buffer.length * 2));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = length;
  }

  /** The last border in the buffer; 0 where there is none. */
  #findBorder(): number {
    const { splitter } = this.#job;
    const limit = this.#length - Math.max(splitter.longest, LOOK_AHEAD);
    for (let at = limit; at > this.#searched; at--) {
      if (
        this.#rules.isBorder(this.#buffer, at, this.#length) && !splitter.spans(this.#buffer, at, 0, this.#length) &&
        (this.#job.invalid !== "keep" || this.#buffer[at]! <= SPACE || this.#buffer[at - 1]! <= SPACE)
      ) return at;
    }
    this.#searched = Math.max(this.#searched, limit);
    return 0;
  }

  /** Encodes the buffer up to a place, and keeps the rest. */
  #encode(end: number): void {
    if (end === 0) return;
    this.#rules.encoder.encode(this.#buffer.subarray(0, end), this.#job);
    this.#buffer.copyWithin(0, end, this.#length);
    this.#length -= end;
    this.#searched = 0;
  }
}

/** A stream that gives what is not empty. */
export function transformOf<Input, Output extends { readonly length: number }>(
  push: (chunk: Input) => Output,
  end: () => Output,
): TransformStream<Input, Output> {
  const give = (output: Output, controller: TransformStreamDefaultController<Output>) => {
    if (output.length > 0) controller.enqueue(output);
  };
  return new TransformStream({
    transform: (chunk, controller) => give(push(chunk), controller),
    flush: (controller) => give(end(), controller),
  });
}
