import { MuserError } from "../errors.ts";

const encoder = new TextEncoder();

/** UTF-8 of what a caller gives as text, see {@linkcode utf8Input}. */
export function bytesOfInput(text: string | Uint8Array, invalid: "error" | "replace" | "keep"): Uint8Array {
  if (typeof text === "string") return utf8Input(text, invalid, 0);
  if (text instanceof Uint8Array) return text;
  throw new TypeError(
    `Cannot encode text: it is ${text === null ? "null" : `a ${typeof text}`}, use a string or a Uint8Array`,
  );
}

/** UTF-8 of a text that begins `offset` bytes into a whole; halves of surrogate pairs become U+FFFD where allowed. */
export function utf8Input(text: string, invalid: "error" | "replace" | "keep", offset: number): Uint8Array {
  if (invalid === "replace" || text.isWellFormed()) return encoder.encode(text);
  const at = loneSurrogate(text);
  const code = text.charCodeAt(at).toString(16).toUpperCase();
  const place = offset + encoder.encode(text.slice(0, at)).length;
  throw new MuserError(
    "tokenizer",
    `Cannot encode text: U+${code} at offset ${place} is half of a surrogate pair, ` +
      'pass { invalid: "replace" } to encode U+FFFD instead',
  );
}

function loneSurrogate(text: string): number {
  return text.search(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/);
}
