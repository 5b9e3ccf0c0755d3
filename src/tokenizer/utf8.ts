/** Code point of the character at `at`, which must be valid UTF-8. */
export function codePointAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return first;
  const second = bytes[at + 1]! & 0x3f;
  if (first < 0xe0) return (first & 0x1f) << 6 | second;
  const third = bytes[at + 2]! & 0x3f;
  if (first < 0xf0) return (first & 0x0f) << 12 | second << 6 | third;
  return (first & 0x07) << 18 | second << 12 | third << 6 | bytes[at + 3]! & 0x3f;
}

/** Bytes of a character, as its first byte announces them. */
export function announcedLength(first: number): number {
  return first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** UTF-8 of a code point. */
export function utf8Of(codePoint: number): Uint8Array {
  return new TextEncoder().encode(String.fromCodePoint(codePoint));
}

/** Whether a byte continues a character. */
export function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Where the first byte lies that is not part of valid UTF-8; `end` where all is valid. */
export function findInvalid(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end;) {
    if (bytes[at]! < 0x80) {
      at++;
      continue;
    }
    const length = validLength(bytes, at, end);
    if (length === 0) return at;
    at += length;
  }
  return end;
}

/** Bytes of the valid character at `at`; 0 where there is none. */
export function validLength(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at] ?? 0xff;
  const length = announcedLength(first);
  if (length === 1 || first > 0xf4 || first < 0xc2 || at + length > end) return first < 0x80 ? 1 : 0;
  for (let next = at + 1; next < at + length; next++) if (!isContinuation(bytes[next])) return 0;
  const second = bytes[at + 1]!;
  // Too long a form, a surrogate, or above U+10FFFF: told by the second byte.
  if (first === 0xe0 && second < 0xa0 || first === 0xed && second > 0x9f) return 0;
  if (first === 0xf0 && second < 0x90 || first === 0xf4 && second > 0x8f) return 0;
  return length;
}
