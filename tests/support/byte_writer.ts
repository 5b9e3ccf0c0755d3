const encoder = new TextEncoder();

/** Bytes written one after another, numbers in one byte order. */
export class ByteWriter {
  #chunks: Uint8Array[] = [];
  #length = 0;
  readonly #littleEndian: boolean;

  constructor(bigEndian = false) {
    this.#littleEndian = !bigEndian;
  }

  raw(bytes: Uint8Array): this {
    this.#chunks.push(bytes);
    this.#length += bytes.length;
    return this;
  }

  u32(value: number): this {
    const view = new DataView(new ArrayBuffer(4));
    view.setUint32(0, value, this.#littleEndian);
    return this.raw(new Uint8Array(view.buffer));
  }

  /** Negative values wrap: -1 is the largest u64. */
  u64(value: number | bigint): this {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt(value), this.#littleEndian);
    return this.raw(new Uint8Array(view.buffer));
  }

  /** A u64 length, the true one unless given, and the bytes. */
  string(value: string | Uint8Array, length?: bigint): this {
    const bytes = typeof value === "string" ? encoder.encode(value) : value;
    return this.u64(length ?? bytes.length).raw(bytes);
  }

  /** Zeros up to the next multiple; none where it is 0. */
  pad(multiple: number): this {
    const rest = multiple > 0 ? this.#length % multiple : 0;
    return rest === 0 ? this : this.raw(new Uint8Array(multiple - rest));
  }

  bytes(): Uint8Array<ArrayBuffer> {
    const whole = new Uint8Array(this.#length);
    let at = 0;
    for (const chunk of this.#chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    return whole;
  }
}
