const symbols = {
  sched_getcpu: { parameters: [], result: "i32" },
  sched_getaffinity: { parameters: ["i32", "usize", "buffer"], result: "i32" },
  sched_setaffinity: { parameters: ["i32", "usize", "buffer"], result: "i32" },
} as const;

/** As many cores as Linux's own mask has. */
const CORES = 1024;

/**
 * Keeps this thread on one core, for what takes turns with another process there: two cores may differ in their clock
 * and in who shares their units, and would make of that a difference between the contenders. Linux only.
 */
export class Core implements Disposable {
  readonly #library: Deno.DynamicLibrary<typeof symbols>;
  readonly #all = new Uint8Array(CORES / 8);
  /** Its number. */
  readonly number: number;

  private constructor(library: Deno.DynamicLibrary<typeof symbols>) {
    this.#library = library;
    this.number = library.symbols.sched_getcpu();
    library.symbols.sched_getaffinity(0, BigInt(this.#all.length), this.#all);
    const one = new Uint8Array(this.#all.length);
    one[this.number >> 3] = 1 << (this.number & 7);
    this.#stayOn(one);
  }

  /** The core that the thread is on; `undefined` where the system has no such thing. */
  static current(): Core | undefined {
    return Deno.build.os === "linux" ? new Core(Deno.dlopen("libc.so.6", symbols)) : undefined;
  }

  #stayOn(cores: Uint8Array<ArrayBuffer>): void {
    this.#library.symbols.sched_setaffinity(0, BigInt(cores.length), cores);
  }

  /** Lets the thread go. */
  [Symbol.dispose](): void {
    this.#stayOn(this.#all);
    this.#library.close();
  }
}
