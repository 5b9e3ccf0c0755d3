import { Failure, messageOf } from "../cli/failure.ts";
import { Progress } from "../cli/progress.ts";
import { count } from "../units.ts";
import type { Source } from "./source.ts";

/** Milliseconds without a byte after which a connection counts as lost. */
const PATIENCE = 30_000;
/** Milliseconds before the first new attempt; the second waits twice as long. */
const PAUSE = 1000;

/**
 * Completes `file` from the source: what is there already is kept, and a lost connection is taken up again.
 *
 * @param file Open for reading and writing; holds the beginning of the source.
 * @param bytes The length of the whole.
 */
export async function download(
  source: Source,
  file: Deno.FsFile,
  bytes: number,
  patience = PATIENCE,
): Promise<void> {
  if (await length(file) > bytes) await file.truncate(0);
  const begin = await length(file);
  using progress = new Progress("bytes", false);
  const show = async (at: number): Promise<void> => await progress.update(Math.max(at - begin, 0), at / bytes);
  for (let attempts = 1; await length(file) < bytes; attempts += 1) {
    try {
      await receive(source, file, bytes, patience, show);
    } catch (error) {
      if (error instanceof Failure || error instanceof Deno.errors.NotCapable) throw error;
      if (attempts >= source.attempts) throw lost(source, await length(file), bytes, error);
      await new Promise((resume) => setTimeout(resume, PAUSE * attempts));
    }
  }
}

/** Reads to the end of the source, which must be that of the whole. */
async function receive(
  source: Source,
  file: Deno.FsFile,
  bytes: number,
  patience: number,
  show: (at: number) => Promise<void>,
): Promise<void> {
  using watch = new Watch(patience);
  const { signal } = watch;
  const rest = await source.open(await length(file), signal);
  let at = rest.at;
  await file.truncate(at);
  await file.seek(at, Deno.SeekMode.Start);
  // Deno's fetch can miss a signal that is given just as the answer comes: the pipe hears it in any case.
  for await (const chunk of rest.body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal })) {
    watch.restart();
    at += chunk.length;
    if (at > bytes) break;
    await writeAll(file, chunk);
    await show(at);
  }
  if (at > bytes) {
    await file.truncate(0);
    throw new Failure(
      `Cannot use ${source.name}: it has more than ${count(bytes)} bytes, name another file with --from`,
    );
  }
  if (at < bytes) throw new Error("it ends early");
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
}

async function length(file: Deno.FsFile): Promise<number> {
  return (await file.stat()).size;
}

function lost(source: Source, at: number, bytes: number, cause: unknown): Failure {
  const state = at === 0 ? "" : ` after ${count(at)} of ${count(bytes)} bytes`;
  const help = "run the same command again to continue or name another place with --from";
  return new Failure(`Cannot read ${source.name}: ${reasonOf(cause)}${state}, ${help}`, { cause });
}

/** What a connection died of, without the address, which has been told. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return messageOf(cause).replace(/^error .* for url \(.*?\): /, "").replace(/ \(os error \d+\)$/, "");
}

/** Gives a connection up that brings nothing for too long. */
class Watch implements Disposable {
  readonly #control = new AbortController();
  readonly #patience: number;
  #timer: ReturnType<typeof setTimeout>;

  constructor(patience: number) {
    this.#patience = patience;
    this.#timer = this.#start();
  }

  get signal(): AbortSignal {
    return this.#control.signal;
  }

  restart(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#start();
  }

  #start(): ReturnType<typeof setTimeout> {
    const silence = new Error(`nothing came for ${this.#patience / 1000} seconds`);
    return setTimeout(() => this.#control.abort(silence), this.#patience);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
