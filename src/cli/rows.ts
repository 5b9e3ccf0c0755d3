import type { Values } from "../formats/formats.ts";
import type { Output, Table } from "../table.ts";
import type { IdBatch } from "./ids.ts";

/** Bytes of rows looked up and written at once: enough that handing them to another thread costs little. */
const BATCH_BYTES = 2 * 1024 * 1024;

/**
 * The rows of all ids, some at a time. Another thread looks the next ones up while the caller writes these, which stay
 * as they are until it asks for more.
 */
export async function* lookUp(
  table: Table<Output>,
  batches: AsyncIterable<IdBatch> | Iterable<IdBatch>,
): AsyncGenerator<{ values: Values; share?: number | undefined }> {
  const { columns, output } = table;
  const most = Math.max(1, Math.floor(BATCH_BYTES / (columns * (output === "f32" ? 4 : 2))));
  const Vector = output === "f32" ? Float32Array : Float16Array;
  let [buffer, other] = [new Vector(most * columns), new Vector(most * columns)];
  for await (const { ids, share } of batches) {
    let ready: Promise<Values> | undefined;
    for (let at = 0; at < ids.length; at += most) {
      const some = ids.subarray(at, at + most);
      const next = table.rowsAsync(some, { into: buffer.subarray(0, some.length * columns) });
      next.catch(() => {}); // where the caller fails first, this failure is not asked for any more
      if (ready !== undefined) yield { values: await ready, share };
      [ready, buffer, other] = [next, other, buffer];
    }
    if (ready !== undefined) yield { values: await ready, share };
  }
}
