import { Missing, type Timed } from "./turns.ts";

interface Process {
  child: Deno.ChildProcess;
  input: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  output: AsyncIterator<string>;
}

/**
 * A process that answers each line with the microseconds that what it names takes, or with a text why it cannot. It is
 * started when it is first asked.
 */
export class Worker implements AsyncDisposable {
  readonly #command: string | undefined;
  readonly #args: readonly string[];
  readonly #env: Record<string, string>;
  #process: Process | undefined;
  #text = "";

  /**
   * @param command The program; `undefined` where there is no compiler for it.
   * @param args Its arguments.
   * @param env What it finds in its environment beside what this process does.
   */
  constructor(command: string | undefined, args: readonly string[], env: Record<string, string> = {}) {
    this.#command = command;
    this.#args = args;
    this.#env = env;
  }

  /** A task of it. */
  timed(task: string): Timed {
    return async () => {
      const answer = await this.#ask(this.#process ??= this.#start(), task);
      if (!(Number(answer) > 0)) throw new Missing(answer);
      return Number(answer);
    };
  }

  #start(): Process {
    if (this.#command === undefined) throw new Missing("there is no C++ compiler here, CXX may name one");
    const child = spawn(
      new Deno.Command(this.#command, {
        args: [...this.#args],
        env: this.#env,
        stdin: "piped",
        stdout: "piped",
      }),
    );
    const output = child.stdout.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    return { child, input: child.stdin.getWriter(), output };
  }

  async #ask({ input, output }: Process, task: string): Promise<string> {
    await input.write(new TextEncoder().encode(task + "\n")).catch(() => {}); // it has said why
    while (!this.#text.includes("\n")) {
      const { value, done } = await output.next();
      if (done) throw new Error(`Cannot measure "${task}": ${this.#command} ended, its error is above`);
      this.#text += value;
    }
    const end = this.#text.indexOf("\n");
    const line = this.#text.slice(0, end);
    this.#text = this.#text.slice(end + 1);
    return line;
  }

  /** Ends the process. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#process) return;
    await this.#process.input.close().catch(() => {});
    while (!(await this.#process.output.next()).done);
    await this.#process.child.status;
  }
}

function spawn(command: Deno.Command): Deno.ChildProcess {
  try {
    return command.spawn();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw new Missing("its program is not here");
    throw error;
  }
}
