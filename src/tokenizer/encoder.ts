import { MuserError } from "../errors.ts";
import { LONGEST_CACHED, PieceCache } from "./cache.ts";
import { hashOf } from "./hash.ts";
import { Merger } from "./merger.ts";
import type { Output } from "./output.ts";
import { findSpaceMark, replaceInvalid, rewriteSpaces, type Rewriting } from "./rewriting.ts";
import type { Scan } from "./scan/common.ts";
import type { SpecialSplitter } from "./special.ts";
import type { Symbols } from "./symbols.ts";
import type { TokenTable } from "./tokens.ts";
import { announcedLength, findInvalid, utf8Of } from "./utf8.ts";

/** What is known about a vocabulary's way of cutting and merging. */
export interface Rules {
  readonly tokens: TokenTable;
  readonly symbols: Symbols;
  /** How text is cut into pieces; each stage cuts the pieces of the one before. */
  readonly stages: readonly Scan[];
  /** A piece that is a token as it stands is not built by merges. */
  readonly ignoreMerges: boolean;
  /** Whether spaces are written as U+2581. */
  readonly spaceMarks: boolean;
  /** Whether a space is put before text that begins, or follows a special token. */
  readonly spacePrefix: boolean;
  readonly unknown: number | undefined;
  /** Special tokens that swallow the white space before or after them. */
  readonly stripLeft: ReadonlySet<number>;
  readonly stripRight: ReadonlySet<number>;
}

/** One text on its way to ids, which may come in parts. */
export interface Job {
  readonly output: Output;
  readonly splitter: SpecialSplitter;
  readonly invalid: "error" | "replace" | "keep";
  readonly missing: "error" | "replace" | "unknown";
  /** The token that is left out where the text begins with it: BOS, if it was added. */
  readonly known: number | undefined;
  /** Where the next part begins in the whole text, in bytes. */
  offset: number;
  /** Whether anything of the text has been encoded. */
  begun: boolean;
  /** Whether the text so far ends with a special token, or is empty. */
  afterSpecial: boolean;
  /** Whether white space that comes next is swallowed. */
  stripping: boolean;
}

/** Symbols that are merged at once; a longer piece is merged in windows. */
const WINDOW = 4096;
/** Tokens at the end of a window that are likely to change with what follows. */
const MARGIN = 8;

/** Turns text into ids: special tokens, then pieces, then merges. */
export class Encoder {
  readonly #rules: Rules;
  readonly #merger: Merger;
  readonly #cache = new PieceCache();
  /** Where the bytes that are encoded begin in the whole text. */
  #base = 0;
  /** The changed copies that are encoded, the innermost last, and where each begins in the one before. */
  readonly #copies: { copy: Rewriting; base: number }[] = [];
  /** The tokens of U+FFFD. */
  #replacement: readonly number[] | undefined;

  constructor(rules: Rules) {
    this.#rules = rules;
    this.#merger = new Merger(rules.symbols);
  }

  /** Encodes the next part of a text. */
  encode(text: Uint8Array, job: Job): void {
    this.#base = job.offset;
    this.#copies.length = 0; // an error may have left some
    if (job.invalid !== "replace" || findInvalid(text, 0, text.length) === text.length) {
      this.#encodeKept(text, job);
    } else {
      this.#encodeCopy(replaceInvalid(text), job, (bytes) => this.#split(bytes, 0, bytes.length, job));
    }
    job.offset += text.length;
  }

  /** Encodes a changed copy of the text; tokens and errors get the places of the text itself. */
  #encodeCopy(copy: Rewriting, job: Job, encode: (bytes: Uint8Array) => void): void {
    const first = job.output.length;
    const base = this.#base;
    this.#base = 0;
    this.#copies.push({ copy, base });
    encode(copy.bytes);
    this.#copies.pop();
    this.#base = base;
    copy.restore(job.output, first, base);
  }

  /** Encodes text in which bytes that are not valid UTF-8 become the tokens of these bytes. */
  #encodeKept(text: Uint8Array, job: Job): void {
    for (let at = 0; at < text.length;) {
      const bad = findInvalid(text, at, text.length);
      if (bad < text.length && job.invalid === "error") throw invalidError(text[bad]!, this.#base + bad);
      this.#split(text, at, bad, job);
      at = bad;
      // As many bytes as the first one announces, up to white space.
      const stop = Math.min(text.length, bad + announcedLength(text[bad] ?? 0));
      for (; at < stop && (at === bad || text[at]! > 0x20); at++) this.#byte(text[at]!, this.#base + at, job);
    }
  }

  #split(text: Uint8Array, start: number, end: number, job: Job): void {
    const { stripLeft, stripRight } = this.#rules;
    let textStart = start;
    let textEnd = start;
    job.splitter.split(text, start, end, (token, from, to) => {
      if (token < 0) {
        textEnd = to; // after text, too: tokens that overlap leave some over
        return;
      }
      if (stripLeft.has(token)) { while (textEnd > textStart && isSpace(text[textEnd - 1])) textEnd--; }
      this.#text(text, textStart, textEnd, job);
      textStart = textEnd = to;
      if (token !== job.known || job.begun) job.output.push(token, this.#base + from);
      job.begun = job.afterSpecial = true;
      job.stripping = stripRight.has(token);
    });
    this.#text(text, textStart, textEnd, job);
  }

  /** Encodes text between special tokens. */
  #text(text: Uint8Array, start: number, end: number, job: Job): void {
    if (job.stripping) { while (start < end && isSpace(text[start])) start++; }
    if (start === end) return;
    job.stripping = false;
    job.begun = true;
    const { spacePrefix, spaceMarks } = this.#rules;
    const prefix = spacePrefix && job.afterSpecial;
    job.afterSpecial = false;
    if (!prefix && !(spaceMarks && findSpaceMark(text, start, end) < end)) {
      this.#pieces(text, start, end, 0, job);
      return;
    }
    const copy = rewriteSpaces(text, start, end, prefix);
    this.#encodeCopy(copy, job, (bytes) => this.#pieces(bytes, 0, bytes.length, 0, job));
  }

  #pieces(text: Uint8Array, start: number, end: number, stage: number, job: Job): void {
    const { stages } = this.#rules;
    const scan = stages[stage]!;
    const last = stage + 1 === stages.length;
    for (let at = start; at < end;) {
      const stop = scan(text, at, end);
      if (last) this.#piece(text, at, stop, job);
      else this.#pieces(text, at, stop, stage + 1, job);
      at = stop;
    }
  }

  #piece(text: Uint8Array, start: number, end: number, job: Job): void {
    const { tokens, ignoreMerges, symbols } = this.#rules;
    const { output } = job;
    const length = end - start;
    const hash = length <= LONGEST_CACHED ? hashOf(text, start, end) : 0;
    if (
      length <= LONGEST_CACHED &&
      this.#cache.emit(text, start, end, hash, this.#base + start, tokens.lengths, output)
    ) return;
    const whole = ignoreMerges ? tokens.find(text, start, end) : -1;
    if (whole >= 0) {
      output.push(whole, this.#base + start);
      return;
    }
    const merger = this.#merger;
    merger.count = 0;
    const stop = symbols.fill(merger, text, start, end, WINDOW);
    if (stop < end) return this.#long(text, start, end, job);
    merger.merge();
    const { count } = merger;
    if (this.#emit(merger.count, start, job) && length <= LONGEST_CACHED) {
      this.#cache.add(text, start, end, hash, merger.symbols, count);
    }
  }

  /**
   * Encodes a piece of any length in windows. Tokens in a row are those of the whole piece where each two neighbours
   * are the tokens of their own text. Neighbours in a window are; so are those at a cut where the next window begins
   * with the token that the one before had there.
   */
  #long(text: Uint8Array, start: number, end: number, job: Job): void {
    const first = job.output.length;
    for (let window = WINDOW; !this.#windows(text, start, end, window, job); window *= 2) job.output.length = first;
  }

  /** Encodes a piece in windows of `size` symbols; gives up where two do not agree. */
  #windows(text: Uint8Array, start: number, end: number, size: number, job: Job): boolean {
    const merger = this.#merger;
    let expected = -1;
    for (let at = start;;) {
      merger.count = 0;
      const stop = this.#rules.symbols.fill(merger, text, at, end, size);
      merger.merge();
      if (expected >= 0 && merger.symbols[0] !== expected) return false;
      if (stop === end) {
        this.#emit(merger.count, at, job);
        return true;
      }
      const kept = merger.count - Math.min(MARGIN, merger.count >> 1);
      if (kept === merger.count) return false;
      expected = merger.symbols[kept]!;
      this.#emit(kept, at, job);
      for (let symbol = 0; symbol < kept; symbol++) at += merger.lengths[symbol]!;
    }
  }

  /** Adds the first `count` merged symbols to the output; tells whether all are tokens. */
  #emit(count: number, start: number, job: Job): boolean {
    const { symbols, tokens } = this.#rules;
    let offset = this.#base + start;
    let known = true;
    for (let at = 0; at < count; at++) {
      const symbol = this.#merger.symbols[at]!;
      if (symbol < tokens.size) {
        job.output.push(symbol, offset);
      } else {
        known = false;
        symbols.bytesOf(symbol).forEach((byte, index) => this.#byte(byte, offset + index, job));
      }
      offset += this.#merger.lengths[at]!;
    }
    return known;
  }

  /** Adds the token of a byte. */
  #byte(byte: number, offset: number, job: Job): void {
    const token = this.#rules.symbols.byteTokens[byte]!;
    if (token >= 0) {
      job.output.push(token, offset);
      return;
    }
    for (const id of this.#substitutes(byte, offset, job)) job.output.push(id, offset);
  }

  /** The tokens for a byte that the vocabulary lacks. */
  #substitutes(byte: number, offset: number, { missing }: Job): readonly number[] {
    const { unknown } = this.#rules;
    if (missing === "unknown" && unknown !== undefined) return [unknown];
    if (missing === "replace") this.#replacement ??= this.#merged(utf8Of(0xfffd));
    if (missing === "replace" && this.#replacement!.length > 0) return this.#replacement!;
    const place = this.#copies.reduceRight((at, { copy, base }) => base + copy.placeOf(at), offset);
    throw missingError(byte, place, missing);
  }

  /** The tokens of a short text; none where the vocabulary lacks one of its bytes. */
  #merged(text: Uint8Array): readonly number[] {
    const { symbols, tokens } = this.#rules;
    const merger = new Merger(symbols); // the other one may be in use
    symbols.fill(merger, text, 0, text.length, text.length);
    merger.merge();
    const merged = [...merger.symbols.subarray(0, merger.count)];
    const ids = merged.flatMap((symbol) =>
      symbol < tokens.size ? [symbol] : [...symbols.bytesOf(symbol)].map((byte) => symbols.byteTokens[byte]!)
    );
    return ids.includes(-1) ? [] : ids;
  }
}

function missingError(byte: number, offset: number, missing: Job["missing"]): MuserError {
  const state = `the vocabulary has no token for byte ${hex(byte)} at offset ${offset}`;
  const fix = {
    error: 'pass { missing: "replace" } to encode U+FFFD instead',
    replace: "and none for U+FFFD, take the character out",
    unknown: 'and no unknown token, pass { missing: "replace" } to encode U+FFFD instead',
  }[missing];
  return new MuserError("tokenizer", `Cannot encode text: ${state}, ${fix}`);
}

function invalidError(byte: number, offset: number): MuserError {
  const state = `byte ${hex(byte)} at offset ${offset} is not valid UTF-8`;
  const fix = 'pass { invalid: "replace" } to encode U+FFFD instead or { invalid: "keep" } to keep the byte';
  return new MuserError("tokenizer", `Cannot encode text: ${state}, ${fix}`);
}

function hex(byte: number): string {
  return `0x${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}

/** White space as C has it, which is what strips. */
function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte !== undefined && byte >= 0x09 && byte <= 0x0d;
}
