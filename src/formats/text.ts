import { type Encoder, type Format, NOTHING, type Shape, type Values } from "./encoder.ts";
import { shortest16, shortest32 } from "./shortest.ts";

/** One row a line, values separated by spaces, as the shortest decimals that read back to the same value. */
export const text: Format = {
  counted: false,
  encoder({ columns, type }: Shape): Encoder {
    const decimal = type === "f32" ? shortest32 : shortest16;
    return {
      start: () => NOTHING,
      rows: (values) => new TextEncoder().encode(lines(values, columns, decimal)),
      end: () => NOTHING,
      lost: () => 0,
    };
  },
};

function lines(values: Values, columns: number, decimal: (value: number) => string): string {
  let text = "";
  for (let at = 0; at < values.length; at += columns) {
    text += Array.from(values.subarray(at, at + columns), decimal).join(" ") + "\n";
  }
  return text;
}
