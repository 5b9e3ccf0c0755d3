import { binaryEncoder, type Encoder, type Format, NOTHING } from "./encoder.ts";

/** Little-endian values, row after row, and nothing else. */
export const raw: Format = {
  counted: false,
  encoder(): Encoder {
    return binaryEncoder(NOTHING);
  },
};
