// Native code reads and writes as much as it is told. What an array says of itself may be anything: anybody may define
// its `length` or exchange its prototype. These are its true properties.
const views = Object.getPrototypeOf(Uint8Array.prototype);
const getByteLength = getter<number>(views, "byteLength");
const getBuffer = getter<ArrayBufferLike>(views, "buffer");
const getKind = getter<string | undefined>(views, Symbol.toStringTag);
const isOwnedResizable = getter<boolean>(ArrayBuffer.prototype, "resizable");
const getOwnedLength = getter<number>(ArrayBuffer.prototype, "byteLength");
const isSharedGrowable = getter<boolean>(SharedArrayBuffer.prototype, "growable");
const getSharedLength = getter<number>(SharedArrayBuffer.prototype, "byteLength");

function getter<Value>(prototype: object, name: string | symbol): () => Value {
  return Object.getOwnPropertyDescriptor(prototype, name)!.get!;
}

/** Bytes of a typed array. */
export function bytesOf(array: ArrayBufferView): number {
  return getByteLength.call(array);
}

/** Whether the memory of a typed array may become shorter or longer. */
export function isResizable(array: ArrayBufferView): boolean {
  return ofMemory(array, isOwnedResizable, isSharedGrowable);
}

/** Whether a typed array is all that its memory is for. */
export function isWhole(array: ArrayBufferView): boolean {
  return ofMemory(array, getOwnedLength, getSharedLength) === bytesOf(array);
}

/** What the getter of the memory's kind says; each kind refuses the other's. */
function ofMemory<Value>(array: ArrayBufferView, owned: () => Value, shared: () => Value): Value {
  const buffer = getBuffer.call(array);
  try {
    return owned.call(buffer);
  } catch {
    return shared.call(buffer);
  }
}

/** Name of a typed array's kind, such as `Float32Array`; `undefined` where it is none. */
export function kindOf(array: unknown): string | undefined {
  return getKind.call(array);
}

/** Whether it is a `Uint32Array`. */
export function isUint32Array(array: unknown): array is Uint32Array {
  return kindOf(array) === "Uint32Array";
}
