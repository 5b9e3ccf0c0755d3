import { ClosedPipe, failure } from "./failure.ts";
import { onInterrupt } from "./interrupt.ts";

/** Where a command writes its data, piece by piece. Disposing of it before `finish()` undoes what can be undone. */
export interface Output extends Disposable {
  /** Whether people see it as it is written. */
  readonly terminal: boolean;
  /** Writes all of `bytes`. */
  write(bytes: Uint8Array): Promise<void>;
  /** Says that everything has been written. */
  finish(): void;
}

/** What `--output PATH` means: a file, or without a path, with `-` and with its own name standard output. */
export function openOutput(path = "-"): Output {
  return path === "-" || path === "/dev/stdout" ? standardOutput() : fileOutput(path);
}

/** Standard output. A reader that has gone makes `write` throw `ClosedPipe`. */
export function standardOutput(): Output {
  return {
    terminal: Deno.stdout.isTerminal(),
    write: (bytes) => writeAll(Deno.stdout, bytes, "standard output"),
    finish(): void {},
    [Symbol.dispose](): void {},
  };
}

/** Writes a text to standard output. */
export async function print(text: string): Promise<void> {
  await standardOutput().write(new TextEncoder().encode(text));
}

/**
 * A file. What is written goes to a file beside it, which takes its name when everything is there; so the name never
 * stands for half a file. A pipe or device is written to directly.
 */
function fileOutput(path: string): Output {
  const target = resolve(path);
  if (target === undefined) return openDirectly(path);
  const temporary = `${target}.${crypto.randomUUID().slice(0, 8)}.partial`;
  let exists = false;
  const abandon = (): void => {
    if (exists) Deno.removeSync(temporary);
    exists = false;
  };
  using cleanup = new DisposableStack();
  cleanup.defer(abandon);
  cleanup.defer(onInterrupt(abandon)); // before the file exists, so that no signal finds it unwatched
  const file = cleanup.use(attempt(path, () => Deno.openSync(temporary, { write: true, createNew: true })));
  exists = true;
  const end = cleanup.move();
  return {
    terminal: false,
    write: (bytes) => writeAll(file, bytes, `"${path}"`),
    finish(): void {
      attempt(path, () => Deno.renameSync(temporary, target));
      exists = false;
    },
    [Symbol.dispose]: () => end.dispose(),
  };
}

/** The file that `path` leads to, through links; `undefined` where it leads to a pipe or device. */
function resolve(path: string): string | undefined {
  return attempt(path, () => {
    try {
      const target = Deno.realPathSync(path);
      const { isFile, isDirectory } = Deno.statSync(target);
      if (isDirectory) throw new Deno.errors.IsADirectory();
      return isFile ? target : undefined;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return path;
      throw error;
    }
  });
}

function openDirectly(path: string): Output {
  const file = attempt(path, () => Deno.openSync(path, { write: true }));
  return {
    terminal: false,
    write: (bytes) => writeAll(file, bytes, `"${path}"`),
    finish(): void {},
    [Symbol.dispose]: () => file.close(),
  };
}

function attempt<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw failure(`write "${path}"`, error);
  }
}

interface SyncWriter {
  writeSync(bytes: Uint8Array): number;
}

/** Synchronous writes: handing each to another thread costs more than a pipe takes to swallow it. */
async function writeAll(writer: SyncWriter, bytes: Uint8Array, name: string): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writer.writeSync(bytes.subarray(at));
    } catch (error) {
      if (error instanceof Deno.errors.BrokenPipe) throw new ClosedPipe();
      // Another program may have made the pipe that it shares with this one non-blocking.
      if (!(error instanceof Deno.errors.WouldBlock)) throw failure(`write to ${name}`, error);
      await new Promise((resume) => setTimeout(resume, 1));
    }
  }
}
