/** A factor for hashes: odd, so that nothing is lost, and not known to who writes a file, so that none is slow to read. */
export function randomFactor(): number {
  return (Math.random() * 2 ** 32) | 1;
}

const byteFactor = randomFactor();

/** A hash of bytes in 32 bits. */
export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, byteFactor) + bytes[at]! + 1) | 0;
  return hash;
}

/** A slot for a hash: the high bits are mixed into the low ones that the mask leaves. */
export function slotOf(hash: number, mask: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) & mask;
}

/** Slots of a table with open addressing for `count` entries: a power of two, at most half of it used. */
export function slotCount(count: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(count, 2) * 2));
}

/** Whether two ranges of `length` bytes hold the same. */
export function equalBytes(
  left: Uint8Array,
  leftStart: number,
  right: Uint8Array,
  rightStart: number,
  length: number,
): boolean {
  for (let at = 0; at < length; at++) if (left[leftStart + at] !== right[rightStart + at]) return false;
  return true;
}
