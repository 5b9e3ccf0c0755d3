/** What a {@linkcode DeviceBuffer} holds: `u32` ids or `f32` values. */
export type ElementKind = "u32" | "f32";

/** Memory on a session's device: `[capacity, columns]` elements. It lives as long as its session. */
export interface DeviceBuffer<Kind extends ElementKind = ElementKind> {
  /** What the session calls it. */
  readonly number: number;
  /** What it holds. */
  readonly kind: Kind;
  /** Elements a row. */
  readonly columns: number;
}

/** A buffer's width in words. */
export function sizeOf({ columns }: DeviceBuffer): string {
  return `${columns} column${columns === 1 ? "" : "s"}`;
}
