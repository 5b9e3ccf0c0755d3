/** A count with its digits in groups: `202,048`. */
export function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** A size for people: `612 B`, `28.7 MiB`. */
export function size(bytes: number): string {
  let value = bytes;
  for (const unit of ["B", "KiB", "MiB", "GiB"]) {
    if (value < 1024) return unit === "B" ? `${bytes} B` : `${value.toFixed(1)} ${unit}`;
    value /= 1024;
  }
  return `${value.toFixed(1)} TiB`;
}

/** A part of a whole: `4.5 %`. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? "0.0 %" : `${(part / whole * 100).toFixed(1)} %`;
}

/** A count and its noun: `1 tensor`, `2 tensors`. */
export function plural(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}
