const prototype = Object.getPrototypeOf(Uint8Array.prototype);
const getByteLength: () => number = Object.getOwnPropertyDescriptor(prototype, "byteLength")!.get!;

/**
 * Bytes of a typed array. Native code reads and writes as much as it is told, and an array's own `length`, which anybody
 * may define, can say anything.
 */
export function bytesOf(array: ArrayBufferView): number {
  return getByteLength.call(array);
}
