import { join } from "../join.ts";

/**
 * An image of one byte a pixel as a `data:` address, for a page that asks for nothing from elsewhere.
 *
 * @param width Pixels in a line.
 * @param pixels Numbers of colours, line by line.
 * @param palette The colours, at most 256, red, green, blue and opacity from 0 to 255.
 */
export function pngAddress(
  width: number,
  pixels: Uint8Array<ArrayBuffer>,
  palette: readonly (readonly [number, number, number, number])[],
): string {
  const height = pixels.length / width;
  const header = new Uint8Array([...word(width), ...word(height), 8, 3, 0, 0, 0]);
  const pieces = [
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk("IHDR", header),
    chunk("PLTE", Uint8Array.from(palette.flatMap(([red, green, blue]) => [red, green, blue]))),
    chunk("tRNS", Uint8Array.from(palette, ([, , , opacity]) => opacity)),
    chunk("IDAT", stored(lines(width, height, pixels))),
    chunk("IEND", new Uint8Array()),
  ];
  return `data:image/png;base64,${join(pieces).toBase64()}`;
}

/** Each line behind a zero: it is as it is, not a difference to the line above. */
function lines(width: number, height: number, pixels: Uint8Array): Uint8Array<ArrayBuffer> {
  const filtered = new Uint8Array(height * (width + 1));
  for (let y = 0; y < height; y++) filtered.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return filtered;
}

/** A zlib stream that compresses nothing: rows of a model are noise, which hardly gets smaller. */
function stored(bytes: Uint8Array<ArrayBuffer>): Uint8Array {
  const most = 0xffff;
  const pieces: Uint8Array[] = [Uint8Array.of(0x78, 0x01)];
  for (let at = 0; at < bytes.length; at += most) {
    const piece = bytes.subarray(at, at + most);
    const [low, high] = [piece.length & 0xff, piece.length >> 8];
    pieces.push(Uint8Array.of(at + most >= bytes.length ? 1 : 0, low, high, low ^ 0xff, high ^ 0xff), piece);
  }
  return join([...pieces, Uint8Array.from(word(adler(bytes)))]);
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const named = join([new TextEncoder().encode(name), data]);
  return join([Uint8Array.from(word(data.length)), named, Uint8Array.from(word(crc(named)))]);
}

function adler(bytes: Uint8Array): number {
  let [low, high] = [1, 0];
  for (const byte of bytes) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  return high * 65536 + low;
}

function crc(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return ~value;
}

function word(value: number): number[] {
  return [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
}
