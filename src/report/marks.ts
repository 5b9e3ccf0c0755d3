import { type Html, markup } from "./html.ts";

/** A rectangle of a picture. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The path of one or more boxes. */
export function pathOf(boxes: readonly Box[]): string {
  return boxes.map(({ x, y, width, height }) =>
    `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`
  )
    .join("");
}

/** A part of a picture that tells what it is: to a pointer, to the keyboard and to a screen reader. */
export function item(path: string, title: string, className: string): Html {
  return markup`<path class="item ${className}" role="img" d="${path}"><title>${title}</title></path>
`;
}

/** A picture made of items. `description` says what it shows to who cannot see it. */
export function drawing(description: string, width: number, height: number, content: readonly Html[]): Html {
  return markup`<svg viewBox="0 0 ${width} ${short(height)}" role="group" aria-label="${description}">${content}</svg>`;
}

/** A number with as many digits as can be seen. */
export function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** A value of a row for people: four digits. */
export function valueText(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(4))).replaceAll("-", "−") : String(value);
}
