import { count, size } from "../units.ts";
import type { TensorFacts } from "../facts.ts";
import { AddressSpace, type Extent } from "./address_space.ts";
import { type Html, markup, oneLine } from "./html.ts";
import { type Box, drawing, item, pathOf, short } from "./marks.ts";
import { typeShares } from "./type_colours.ts";

/** What is marked in the map. */
export interface Marked {
  /** The table: its name. */
  table?: string;
  /** Rows of it. */
  rows?: readonly number[];
  /** Bytes of one of its rows. */
  rowBytes?: number;
}

const WIDTH = 1000;
const PITCH = 18;
/** Where the lines are; the offsets stand left of them, the layers right. */
const LINE: Box = { x: 70, y: 18, width: 830, height: 13 };
/** What is narrower is drawn as a hairline. */
const HAIRLINE = 1.5;
const MARKED = "marked table";

/** The map: the whole file in lines, every tensor to scale and coloured by type. */
export function drawFileMap(tensors: readonly TensorFacts[], marked: Marked): Html {
  const space = new AddressSpace(tensors);
  const colours = new Map(typeShares(tensors).map(({ type, colour }) => [type, colour]));
  const description = `Map of the file: ${count(tensors.length)} tensors in their order, to scale, coloured by type`;
  const headers = space.headers.map(({ start, end }) =>
    item(
      pathOf(space.boxes(start, end, LINE, PITCH)),
      `Header\n${size(end - start)}: metadata and the list of tensors`,
      "header",
    )
  );
  return drawing(description, WIDTH, LINE.y + space.lines * PITCH, [
    axis(space, marked.table),
    ...headers,
    ...space.extents.map((extent) => drawTensor(space, extent, colours.get(extent.tensor.type) ?? "", marked.table)),
    ...rowMarks(space, marked),
  ]);
}

function drawTensor(space: AddressSpace, { tensor, start, end }: Extent, colour: string, table?: string): Html {
  const boxes = space.boxes(start, Math.max(end, start + 1), LINE, PITCH);
  const thin = boxes.reduce((sum, { width }) => sum + width, 0) < HAIRLINE;
  const outline = tensor.name === table ? " table" : "";
  const { x, y } = boxes[0]!;
  const path = thin ? `M${short(x)} ${short(y)}v${LINE.height}` : pathOf(boxes.map(inset));
  return item(path, tensorTitle(tensor), `${thin ? "thin " : ""}${colour}${outline}`);
}

/** A gap between neighbours of one colour, which works on any paper. */
function inset(box: Box): Box {
  const gap = Math.min(0.8, box.width / 4);
  return { ...box, x: box.x + gap / 2, width: box.width - gap };
}

/** A tensor's name, and in a second line what it is. */
export function tensorTitle({ name, type, dimensions, bytes, offset }: TensorFacts): string {
  const shape = dimensions.map(count).join(" × ");
  return `${oneLine(name)}\n${type}, ${shape}, ${size(bytes)} at ${count(offset)}`;
}

function axis(space: AddressSpace, table: string | undefined): Html {
  const labels = Array.from({ length: space.lines }, (_, line) => {
    const y = LINE.y + line * PITCH + LINE.height - 3;
    const content = lineContent(space, line, table);
    return markup`<text x="${LINE.x - 8}" y="${y}" class="end">${round(line * space.lineBytes)}</text>
<text x="${LINE.x + LINE.width + 8}" y="${y}" class="${content === MARKED ? "strong" : ""}">${content}</text>`;
  });
  return markup`<g aria-hidden="true"><text x="${LINE.x}" y="9">${round(space.lineBytes)} a line</text>${labels}</g>`;
}

/** A size without the decimal that a power of two does not need. */
function round(bytes: number): string {
  return size(bytes).replace(".0 ", " ");
}

/** What begins in a line: the table, or else the layers by their usual names `blk.N.…`. */
function lineContent(space: AddressSpace, line: number, table: string | undefined): string {
  const here = space.extents.filter(({ start }) => Math.floor(start / space.lineBytes) === line);
  if (here.some(({ tensor }) => tensor.name === table)) return MARKED;
  const layers = here.flatMap(({ tensor }) => /^blk\.(\d+)\./.exec(tensor.name)?.[1] ?? []).map(Number);
  return layersText([...new Set(layers)]);
}

/** `layers 3–5`, or each where they do not follow one another: many files sort their names as text. */
function layersText(layers: readonly number[]): string {
  if (layers.length < 2) return layers.map((layer) => `layer ${layer}`).join("");
  if (layers.every((layer, index) => layer === layers[0]! + index)) return `layers ${layers[0]}–${layers.at(-1)}`;
  return `layers ${layers.slice(0, 3).join(", ")}${layers.length > 3 ? ", …" : ""}`;
}

function rowMarks(space: AddressSpace, { table, rows = [], rowBytes = 0 }: Marked): Html[] {
  const tensor = space.extents.find((extent) => extent.tensor.name === table);
  if (tensor === undefined || rows.length === 0) return [];
  const places = new Set(rows.map((row) => {
    const [box] = space.boxes(tensor.start + row * rowBytes, tensor.start + row * rowBytes + 1, LINE, PITCH);
    return `M${short(Math.round(box!.x * 2) / 2)} ${short(box!.y - 2)}v${LINE.height + 4}`;
  }));
  const title = `${count(rows.length)} chosen ${rows.length === 1 ? "row" : "rows"}\n${oneLine(table!)}, ${
    size(rowBytes)
  } each`;
  return [item([...places].join(""), title, "mark")];
}
