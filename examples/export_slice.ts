// Writes the rows FIRST to END - 1 of a table as a NumPy file: f32, shape [END - FIRST, columns]. Rows are written a
// chunk at a time, so a slice of any size takes a few megabytes of memory.
//
//   deno run --allow-read=MODEL --allow-write=OUTPUT --allow-ffi=LIBRARY examples/export_slice.ts MODEL FIRST END OUTPUT [TENSOR]
//
// LIBRARY is the native library: .muser/lib/libMuser.so in a checkout, libMuser.dylib on a Mac.
// The command `muser embed --format npy` does the same for ids in any order.
import { Model, type Table } from "@muser/engine";

const CHUNK = 1024;

const [path, first, end, output, tensor] = Deno.args;
if (path === undefined || output === undefined) {
  console.error("export_slice.ts MODEL FIRST END OUTPUT [TENSOR]");
  Deno.exit(2);
}

using model = await Model.open(path);
const table = model.table(tensor);
const [from, to] = [Number(first), Number(end)];
if (!(Number.isInteger(from) && Number.isInteger(to) && 0 <= from && from <= to && to <= table.rowCount)) {
  console.error(`Cannot export rows ${first} to ${end}: "${table.name}" has ${table.rowCount} rows`);
  Deno.exit(1);
}
using file = await Deno.open(output, { write: true, create: true, truncate: true });
const writer = file.writable.getWriter();
await writer.write(header(to - from, table.columns));
for (const values of slices(table, from, to)) await writer.write(new Uint8Array(values.buffer));
await writer.close();

/** The rows `from` to `to` - 1, some at a time. */
function* slices(table: Table, from: number, to: number): Generator<Float32Array<ArrayBuffer>> {
  for (let at = from; at < to; at += CHUNK) {
    yield table.rows(Array.from({ length: Math.min(CHUNK, to - at) }, (_, i) => at + i));
  }
}

/** What stands before the values in a file of NumPy's format 1.0; its length is a multiple of 64. */
function header(rows: number, columns: number): Uint8Array<ArrayBuffer> {
  const shape = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`;
  const length = Math.ceil((10 + shape.length + 1) / 64) * 64;
  const text = shape.padEnd(length - 11) + "\n";
  const magic = "\x93NUMPY\x01\x00" + String.fromCharCode(text.length % 256, text.length >> 8);
  return Uint8Array.from(magic + text, (character) => character.charCodeAt(0));
}
