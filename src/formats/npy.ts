import { binaryEncoder, type Encoder, type Format, type Shape } from "./encoder.ts";

const MAGIC = [0x93, ...new TextEncoder().encode("NUMPY"), 1, 0];

/** NumPy's file format, version 1.0: one array of shape `[rows, columns]`, C order. */
export const npy: Format = {
  counted: true,
  encoder(shape: Shape): Encoder {
    return binaryEncoder(header(shape));
  },
};

// Magic and version (8 bytes), the dictionary's length (2), the dictionary padded so that the values start at a
// multiple of 64.
function header({ rows, columns, type }: Shape): Uint8Array {
  const descr = type === "f32" ? "<f4" : "<f2";
  const dictionary = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`;
  const size = Math.ceil((MAGIC.length + 2 + dictionary.length + 1) / 64) * 64;
  const bytes = new Uint8Array(size).fill(0x20);
  bytes.set(MAGIC);
  new DataView(bytes.buffer).setUint16(MAGIC.length, size - MAGIC.length - 2, true);
  bytes.set(new TextEncoder().encode(dictionary), MAGIC.length + 2);
  bytes[size - 1] = 0x0a;
  return bytes;
}
