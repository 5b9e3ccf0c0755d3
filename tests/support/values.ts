/**
 * Values to test with, and their comparison bit by bit.
 * @module
 */

/** `length` bytes that look random and are the same for the same seed. */
export function randomBytes(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(length / 4));
  let state = seed >>> 0;
  for (let i = 0; i < words.length; i++) {
    // A counter with an odd step, mixed by shifts and multiplications: no pattern that a block could repeat.
    state = (state + 0x9e3779b9) >>> 0;
    let word = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
    words[i] = word ^ (word >>> 15);
  }
  return new Uint8Array(words.buffer, 0, length);
}

/** `count` ids below `rows` that look random and are the same for the same seed. */
export function randomIds(count: number, rows: number, seed = 1): Uint32Array<ArrayBuffer> {
  return new Uint32Array(randomBytes(4 * count, seed).buffer).map((word) => word % rows);
}

/**
 * Demands the same bits in both arrays, where every NaN equals every NaN.
 * @throws {Error} Naming the first value that differs, and how many do.
 */
export function assertSameBits(actual: Float32Array, expected: Float32Array, what = "values"): void {
  if (actual.length !== expected.length) {
    throw new Error(`${what}: ${actual.length} instead of ${expected.length} values`);
  }
  let first = -1;
  let count = 0;
  for (let i = 0; i < actual.length; i++) {
    if (Object.is(actual[i], expected[i])) continue;
    if (first < 0) first = i;
    count++;
  }
  if (count > 0) {
    throw new Error(
      `${what}: ${count} of ${actual.length} differ, value ${first} is ${actual[first]}, not ${expected[first]}`,
    );
  }
}
