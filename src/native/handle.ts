import { MuserError } from "../errors.ts";

/** What is needed to give a native object back once its handle is gone. */
interface Held<Pointer> {
  pointer: Pointer;
  release: (pointer: Pointer) => void;
}

// The safety net for handles that nobody closed.
const forgotten = new FinalizationRegistry<Held<unknown>>(({ pointer, release }) => release(pointer));

/**
 * Owns one native object and gives it back exactly once. `close()` marks it at once, so that no call can begin; the
 * object goes when the last call in flight has ended.
 */
export class Handle<Pointer> {
  readonly #label: string;
  readonly #release: (pointer: Pointer) => void;
  readonly #released: PromiseWithResolvers<void> = Promise.withResolvers();
  #pointer: Pointer | undefined;
  #closing: Pointer | undefined;
  #calls = 0;

  /**
   * @param label What it is, for messages: `model "a.gguf"`.
   * @param pointer The native object.
   * @param release Gives the object back; must not refer to this handle.
   */
  constructor(label: string, pointer: Pointer, release: (pointer: Pointer) => void) {
    this.#label = label;
    this.#pointer = pointer;
    this.#release = release;
    forgotten.register(this, { pointer, release: release as (pointer: unknown) => void }, this);
  }

  /** The native object, for a call that ends before anything else can run; throws `closed` after `close()`. */
  get pointer(): Pointer {
    const pointer = this.#pointer;
    if (pointer === undefined) {
      throw new MuserError("closed", `Cannot use ${this.#label}: it is closed, open the model again`);
    }
    return pointer;
  }

  /** Fulfilled once the native object has been given back. */
  get released(): Promise<void> {
    return this.#released.promise;
  }

  /** Runs a call that may outlast a `close()`; keeps the native object until it has ended. */
  async call<Result>(start: (pointer: Pointer) => Promise<Result>): Promise<Result> {
    const pointer = this.pointer;
    this.#calls++;
    try {
      return await start(pointer);
    } finally {
      this.#calls--;
      this.#releaseWhenIdle();
    }
  }

  /** Lets no further call begin, and gives the native object back when none is in flight. Safe to repeat. */
  close(): void {
    if (this.#pointer === undefined) return;
    this.#closing = this.#pointer;
    this.#pointer = undefined;
    this.#releaseWhenIdle();
  }

  #releaseWhenIdle(): void {
    const pointer = this.#closing;
    if (pointer === undefined || this.#calls > 0) return;
    this.#closing = undefined;
    forgotten.unregister(this);
    this.#release(pointer);
    this.#released.resolve();
  }
}
