/**
 * Byte-pair vocabularies write every byte as a printable character: itself where it is printable in Latin-1, else one
 * from U+0100 on, in the order of the bytes.
 */
const byteOf = new Int16Array(0x144).fill(-1);
for (let byte = 0, next = 0x100; byte < 0x100; byte++) {
  const printable = byte > 0x20 && byte < 0x7f || byte > 0xa0 && byte !== 0xad;
  byteOf[printable ? byte : next++] = byte;
}

/** Decodes a text of this alphabet, if all of its characters are: a `DecodeText`. */
export function decodeAlphabet(
  text: Uint8Array,
  start: number,
  end: number,
  output: Uint8Array,
  position: number,
): number {
  for (let at = start; at < end;) {
    const first = text[at++]!;
    // Characters of the alphabet have one byte, or two of which the first is C2 to C5.
    const character = first < 0x80 ? first : (first & 0x1f) << 6 | text[at++]! & 0x3f;
    const byte = first < 0x80 || first >= 0xc2 && first <= 0xc5 ? byteOf[character] ?? -1 : -1;
    if (byte < 0) return -1;
    output[position++] = byte;
  }
  return position;
}

/** The mark that sentence-piece vocabularies write for a space, U+2581, in UTF-8. */
export const SPACE_MARK: readonly [number, number, number] = [0xe2, 0x96, 0x81];

/** Whether U+2581 begins at `at`. */
export function isSpaceMark(text: Uint8Array, at: number): boolean {
  return text[at] === SPACE_MARK[0] && text[at + 1] === SPACE_MARK[1] && text[at + 2] === SPACE_MARK[2];
}

/** Decodes a text whose spaces are marks, if it has no true space, which text to be merged has not: a `DecodeText`. */
export function decodeSpaceMarks(
  text: Uint8Array,
  start: number,
  end: number,
  output: Uint8Array,
  position: number,
): number {
  for (let at = start; at < end; at++) {
    const byte = text[at]!;
    if (byte === 0x20) return -1;
    const mark = byte === SPACE_MARK[0] && at + 2 < end && isSpaceMark(text, at);
    output[position++] = mark ? 0x20 : byte;
    if (mark) at += 2;
  }
  return position;
}
