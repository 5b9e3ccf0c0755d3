import { dim } from "./style.ts";
import { count } from "../units.ts";

/** Milliseconds of work before the bar appears. */
const PATIENCE = 1000;
/** Milliseconds between two pauses. */
const INTERVAL = 100;
const WIDTH = 24;

/** A progress bar on standard error, shown only on a terminal and for work that takes longer than a second. */
export class Progress implements Disposable {
  readonly #noun: string;
  readonly #visible: boolean;
  readonly #begin = performance.now();
  #paused = this.#begin;
  #drawn = false;

  /**
   * @param noun What is counted, such as "rows".
   * @param toTerminal Whether the data itself goes to a terminal, where a bar would stand in its way.
   */
  constructor(noun: string, toTerminal: boolean) {
    this.#noun = noun;
    this.#visible = Deno.stderr.isTerminal() && !toTerminal;
  }

  /**
   * Says how far the work is. Every now and then this waits for a moment, so that signals are heard.
   *
   * @param done How many are done.
   * @param share The part of the whole that this is, from 0 to 1; left out where the whole is not known.
   */
  async update(done: number, share?: number): Promise<void> {
    const now = performance.now();
    if (now - this.#paused < INTERVAL) return;
    this.#paused = now;
    await new Promise((resume) => setTimeout(resume));
    if (this.#visible && now - this.#begin > PATIENCE) this.#draw(done, share, now - this.#begin);
  }

  #draw(done: number, share: number | undefined, elapsed: number): void {
    const rate = `${count(Math.round(done / elapsed * 1000))}/s`;
    const text = share === undefined
      ? `${count(done)} ${this.#noun}, ${rate}`
      : `${bar(share)} ${Math.floor(share * 100)} %, ${count(done)} ${this.#noun}, ${rate}`;
    this.#write(`\r${dim(text, Deno.stderr)}\x1b[K`);
    this.#drawn = true;
  }

  #write(text: string): void {
    Deno.stderr.writeSync(new TextEncoder().encode(text));
  }

  /** Takes the bar away. */
  [Symbol.dispose](): void {
    if (this.#drawn) this.#write("\r\x1b[K");
  }
}

function bar(share: number): string {
  const filled = Math.round(Math.min(share, 1) * WIDTH);
  return "█".repeat(filled) + "░".repeat(WIDTH - filled);
}
