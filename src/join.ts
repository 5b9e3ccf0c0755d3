/** Arrays one after another, in a new one: bytes where `Elements` is left out. */
export function join(arrays: readonly Uint8Array[]): Uint8Array<ArrayBuffer>;
export function join(arrays: readonly Uint32Array[], Elements: Uint32ArrayConstructor): Uint32Array<ArrayBuffer>;
export function join(
  arrays: readonly (Uint8Array | Uint32Array)[],
  Elements: Uint8ArrayConstructor | Uint32ArrayConstructor = Uint8Array,
): Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> {
  const all = new Elements(arrays.reduce((length, array) => length + array.length, 0));
  let at = 0;
  for (const array of arrays) {
    all.set(array, at);
    at += array.length;
  }
  return all;
}
