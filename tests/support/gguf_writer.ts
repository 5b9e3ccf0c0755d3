/**
 * Builds small GGUF files in memory, sound ones and, where a field is given by hand, broken ones.
 *
 * ```ts
 * const file = writeGGUF({
 *   metadata: { "general.architecture": text("llama"), "llama.embedding_length": u32(64) },
 *   tensors: [{ name: "token_embd.weight", type: 0, dimensions: [64, 3], bytes: new Uint8Array(64 * 3 * 4) }],
 * });
 * ```
 * @module
 */
import { ByteWriter } from "./byte_writer.ts";

/** A metadata value: its type's number in the file, and its bytes. Any number and any bytes make a fault. */
export interface Value {
  type: number;
  bytes: Uint8Array;
}

/** A tensor's record and its data. */
export interface TensorSpec {
  name: string | Uint8Array;
  /** The number of its type in the file. */
  type: number;
  /** Fastest first, as in the file: columns, then rows. */
  dimensions: readonly (number | bigint)[];
  /** What stands in the data section; left out: nothing. */
  bytes?: Uint8Array;
  /** Where the record says that the data is. Default: where the writer puts it. */
  offset?: number | bigint;
}

/** A whole file. Every field has the default of a sound file. */
export interface FileSpec {
  magic?: string;
  version?: number;
  /** Writes all but the magic in the other byte order. */
  bigEndian?: boolean;
  /** Pairs instead of an object allow a key twice, or one that is no text. */
  metadata?: Record<string, Value> | readonly (readonly [string | Uint8Array, Value])[];
  tensors?: readonly TensorSpec[];
  /** The counts that the header states. Default: the true ones. */
  metadataCount?: number | bigint;
  tensorCount?: number | bigint;
  /** Where tensors start: multiples of this. Default: `general.alignment` where it is a u32, else 32. */
  alignment?: number;
  /** Leaves out the padding after the last tensor. */
  noLastPadding?: boolean;
}

const number = (type: number, size: number, set: (view: DataView<ArrayBuffer>) => void): Value => {
  const view = new DataView(new ArrayBuffer(size));
  set(view);
  return { type, bytes: new Uint8Array(view.buffer) };
};

export const u8 = (value: number): Value => number(0, 1, (view) => view.setUint8(0, value));
export const i8 = (value: number): Value => number(1, 1, (view) => view.setInt8(0, value));
export const u16 = (value: number): Value => number(2, 2, (view) => view.setUint16(0, value, true));
export const i16 = (value: number): Value => number(3, 2, (view) => view.setInt16(0, value, true));
export const u32 = (value: number): Value => number(4, 4, (view) => view.setUint32(0, value, true));
export const i32 = (value: number): Value => number(5, 4, (view) => view.setInt32(0, value, true));
export const f32 = (value: number): Value => number(6, 4, (view) => view.setFloat32(0, value, true));
export const bool = (value: boolean): Value => number(7, 1, (view) => view.setUint8(0, Number(value)));
export const u64 = (value: bigint): Value => number(10, 8, (view) => view.setBigUint64(0, value, true));
export const i64 = (value: bigint): Value => number(11, 8, (view) => view.setBigInt64(0, value, true));
export const f64 = (value: number): Value => number(12, 8, (view) => view.setFloat64(0, value, true));

/** A string; bytes may be no UTF-8. `length` states another length than the true one. */
export function text(value: string | Uint8Array, length?: bigint): Value {
  return { type: 8, bytes: new ByteWriter().string(value, length).bytes() };
}

/** An array of the values, which share a type. `count` and `element` state others than the true ones. */
export function array(values: readonly Value[], element = values[0]?.type ?? 4, count = BigInt(values.length)): Value {
  const writer = new ByteWriter().u32(element).u64(count);
  for (const value of values) writer.raw(value.bytes);
  return { type: 9, bytes: writer.bytes() };
}

/** The file's bytes. */
export function writeGGUF(spec: FileSpec = {}): Uint8Array<ArrayBuffer> {
  const metadata = pairs(spec.metadata ?? []);
  const tensors = spec.tensors ?? [];
  const alignment = spec.alignment ?? statedAlignment(metadata);
  const writer = new ByteWriter(spec.bigEndian);
  writer.raw(new TextEncoder().encode(spec.magic ?? "GGUF")).u32(spec.version ?? 3);
  writer.u64(spec.tensorCount ?? tensors.length).u64(spec.metadataCount ?? metadata.length);
  for (const [key, value] of metadata) writer.string(key).u32(value.type).raw(value.bytes);

  let next = 0;
  for (const tensor of tensors) {
    writer.string(tensor.name).u32(tensor.dimensions.length);
    for (const dimension of tensor.dimensions) writer.u64(dimension);
    writer.u32(tensor.type).u64(tensor.offset ?? next);
    next += padded(tensor.bytes?.length ?? 0, alignment);
  }
  for (const tensor of tensors) writer.pad(alignment).raw(tensor.bytes ?? new Uint8Array());
  if (!spec.noLastPadding) writer.pad(alignment);
  return writer.bytes();
}

/** Writes the file into a new folder of its own, which `using` takes away again. */
export function temporaryGGUF(spec: FileSpec | Uint8Array, name = "model.gguf"): { path: string } & Disposable {
  const folder = Deno.makeTempDirSync({ prefix: "muser-test-" });
  const path = `${folder}/${name}`;
  Deno.writeFileSync(path, spec instanceof Uint8Array ? spec : writeGGUF(spec));
  return { path, [Symbol.dispose]: () => Deno.removeSync(folder, { recursive: true }) };
}

function pairs(metadata: NonNullable<FileSpec["metadata"]>): readonly (readonly [string | Uint8Array, Value])[] {
  return Array.isArray(metadata) ? metadata : Object.entries(metadata);
}

function statedAlignment(metadata: readonly (readonly [string | Uint8Array, Value])[]): number {
  const value = metadata.find(([key]) => key === "general.alignment")?.[1];
  return value?.type === 4 ? new DataView(value.bytes.slice().buffer).getUint32(0, true) : 32;
}

function padded(size: number, alignment: number): number {
  return alignment > 0 ? Math.ceil(size / alignment) * alignment : size;
}
