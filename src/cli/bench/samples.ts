/** Ids in all batches together: enough rows for most caches to be too small, few enough to be read at once. */
const IDS = 16_384;

/** Batches of `width` random ids below `rows`, to be used by turns; the same for the same arguments. */
export function idBatches(rows: number, width: number): Uint32Array<ArrayBuffer>[] {
  const count = Math.max(2, Math.floor(IDS / width));
  const ids = new Uint32Array(count * width);
  let state = 1;
  for (let index = 0; index < ids.length; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // The upper bits of such a number are the random ones.
    ids[index] = Math.floor(state / 2 ** 32 * rows);
  }
  return Array.from({ length: count }, (_, batch) => ids.subarray(batch * width, (batch + 1) * width));
}
