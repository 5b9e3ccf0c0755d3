import { Missing, type Timed } from "./turns.ts";

/** A process that answers each line with the microseconds that what it names takes, or with a text why it cannot. */
export class Worker implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #output: AsyncIterator<string>;
  readonly #name: string;
  #text = "";

  /** Starts the process. */
  constructor(name: string, command: string, args: readonly string[], env: Record<string, string> = {}) {
    this.#name = name;
    this.#process = new Deno.Command(command, { args: [...args], env, stdin: "piped", stdout: "piped" }).spawn();
    this.#input = this.#process.stdin.getWriter();
    this.#output = this.#process.stdout.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  }

  /** A task of it. */
  timed(task: string): Timed {
    return async () => {
      const answer = await this.#ask(task);
      if (!(Number(answer) > 0)) throw new Missing(answer);
      return Number(answer);
    };
  }

  async #ask(task: string): Promise<string> {
    await this.#input.write(new TextEncoder().encode(task + "\n")).catch(() => {}); // it says why itself
    while (!this.#text.includes("\n")) {
      const { value, done } = await this.#output.next();
      if (done) throw new Error(`Cannot measure "${task}": the process ${this.#name} ended, its error is above`);
      this.#text += value;
    }
    const [line, ...rest] = this.#text.split("\n");
    this.#text = rest.join("\n");
    return line!;
  }

  /** Ends the process. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#input.close().catch(() => {});
    await this.#process.stdout.cancel().catch(() => {});
    await this.#process.status;
  }
}

/** A worker that cannot be had here: all of its tasks are missing. */
export function missingWorker(reason: string): Pick<Worker, "timed"> {
  return {
    timed: () => () => {
      throw new Missing(reason);
    },
  };
}
