// Native code reads and writes as much as it is told. What an array says of itself may be anything: anybody may define
// its `length` or exchange its prototype. These are its true properties.
const views = Object.getPrototypeOf(Uint8Array.prototype);
const getByteLength = getter<number>(views, "byteLength");
const getBuffer = getter<ArrayBufferLike>(views, "buffer");
const getKind = getter<string | undefined>(views, Symbol.toStringTag);
const getResizable = getter<boolean>(ArrayBuffer.prototype, "resizable");
const getGrowable = getter<boolean>(SharedArrayBuffer.prototype, "growable");

function getter<Value>(prototype: object, name: string | symbol): () => Value {
  return Object.getOwnPropertyDescriptor(prototype, name)!.get!;
}

/** Bytes of a typed array. */
export function bytesOf(array: ArrayBufferView): number {
  return getByteLength.call(array);
}

/** Whether the memory of a typed array may become shorter or longer. */
export function isResizable(array: ArrayBufferView): boolean {
  const buffer = getBuffer.call(array);
  // Each kind of memory refuses the other's getter. What the memory says of its kind only saves a refusal, which takes
  // microseconds.
  const [first, second] = buffer instanceof ArrayBuffer ? [getResizable, getGrowable] : [getGrowable, getResizable];
  try {
    return first.call(buffer);
  } catch {
    return second.call(buffer);
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
