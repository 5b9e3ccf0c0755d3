import { binaryEncoder, type Encoder, type Format, type Shape } from "./encoder.ts";

/** A safetensors file with one tensor, named like the tensor that the rows come from, of shape `[rows, columns]`. */
export const safetensors: Format = {
  counted: true,
  encoder(shape: Shape): Encoder {
    return binaryEncoder(header(shape));
  },
};

// The length of the JSON text (u64), then the text, padded with spaces so that the values start at a multiple of 8.
function header({ name, rows, columns, type }: Shape): Uint8Array {
  const bytes = rows * columns * (type === "f32" ? 4 : 2);
  const tensor = { dtype: type.toUpperCase(), shape: [rows, columns], data_offsets: [0, bytes] };
  const text = new TextEncoder().encode(JSON.stringify(Object.fromEntries([[name, tensor]])));
  const padded = Math.ceil(text.length / 8) * 8;
  const header = new Uint8Array(8 + padded).fill(0x20);
  new DataView(header.buffer).setBigUint64(0, BigInt(padded), true);
  header.set(text, 8);
  return header;
}
