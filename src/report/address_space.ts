import type { TensorFacts } from "../facts.ts";
import type { Box } from "./marks.ts";

/** Lines of a map, at most. */
const LINES = 32;
/** Bytes of a line, at least: a file of a few bytes gets no line for each. */
const LEAST = 64;

/** A tensor's place when all files of the model lie one behind the other. */
export interface Extent {
  tensor: TensorFacts;
  start: number;
  end: number;
}

/** All bytes of a model, wrapped into lines of equal length. */
export class AddressSpace {
  /** The tensors in the order of their places. */
  readonly extents: readonly Extent[];
  /** Bytes before the first tensor of each file: magic, metadata, names. */
  readonly headers: readonly { start: number; end: number }[];
  /** Bytes of a line: a power of two, so that the lines begin at round numbers. */
  readonly lineBytes: number;
  /** Lines that hold something. */
  readonly lines: number;
  readonly #files: readonly number[];

  /** @param tensors The tensors of all files. */
  constructor(tensors: readonly TensorFacts[]) {
    const files: number[] = [];
    const extents: Extent[] = [];
    const headers: { start: number; end: number }[] = [];
    let end = 0;
    for (let shard = 0; shard <= tensors.reduce((last, { shard }) => Math.max(last, shard), 0); shard++) {
      const start = end;
      files.push(start);
      const own = tensors.filter((tensor) => tensor.shard === shard).sort((left, right) => left.offset - right.offset);
      if (own[0] !== undefined) headers.push({ start, end: start + own[0].offset });
      for (const tensor of own) {
        end = Math.max(end, start + tensor.offset + tensor.bytes);
        extents.push({ tensor, start: start + tensor.offset, end: start + tensor.offset + tensor.bytes });
      }
    }
    this.#files = files;
    this.extents = extents;
    this.headers = headers;
    this.lineBytes = Math.max(LEAST, 2 ** Math.ceil(Math.log2(Math.max(1, end) / LINES)));
    this.lines = Math.max(1, Math.ceil(end / this.lineBytes));
  }

  /** Where a byte of a file is. */
  address(shard: number, offset: number): number {
    return (this.#files[shard] ?? 0) + offset;
  }

  /** The boxes of a range, one a line, where a line is `width` long, `height` high and `pitch` below the one before. */
  boxes(start: number, end: number, { x, y, width, height }: Box, pitch: number): Box[] {
    const boxes: Box[] = [];
    const scale = width / this.lineBytes;
    for (let at = start; at < end;) {
      const line = Math.floor(at / this.lineBytes);
      const stop = Math.min(end, (line + 1) * this.lineBytes);
      boxes.push({
        x: x + (at - line * this.lineBytes) * scale,
        y: y + line * pitch,
        width: (stop - at) * scale,
        height,
      });
      at = stop;
    }
    return boxes;
  }
}
