// Native code reads and writes as much as it is told. What an array says of itself may be anything: anybody may define
// its `length` or exchange its prototype. These are its true properties.
const prototype = Object.getPrototypeOf(Uint8Array.prototype);
const getByteLength = getter<number>("byteLength");
const getBuffer = getter<ArrayBufferLike>("buffer");
const getKind = getter<string | undefined>(Symbol.toStringTag);

function getter<Value>(name: string | symbol): () => Value {
  return Object.getOwnPropertyDescriptor(prototype, name)!.get!;
}

/** Bytes of a typed array. */
export function bytesOf(array: ArrayBufferView): number {
  return getByteLength.call(array);
}

/** Whether the memory of a typed array may become shorter or longer. */
export function isResizable(array: ArrayBufferView): boolean {
  const buffer = getBuffer.call(array);
  return buffer instanceof ArrayBuffer ? buffer.resizable : buffer.growable;
}

/** Name of a typed array's kind, such as `Float32Array`; `undefined` where it is none. */
export function kindOf(array: unknown): string | undefined {
  return getKind.call(array);
}

/** Whether it is a `Uint32Array`. */
export function isUint32Array(array: unknown): array is Uint32Array {
  return kindOf(array) === "Uint32Array";
}
