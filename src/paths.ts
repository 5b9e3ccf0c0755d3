import { MuserError } from "./errors.ts";

/** The path that a string or a `file:` URL names; `action` begins the error of any other URL. */
export function toPath(source: string | URL, action: string): string {
  if (typeof source === "string") return source;
  if (!(source instanceof URL)) {
    throw new TypeError(`${action}: its place is ${String(source)}, use a path or a file URL`);
  }
  if (source.protocol !== "file:") throw new TypeError(`${action} ${source.href}: it is no file URL, use a local file`);
  // A percent sign that begins no escape stands for itself, as in Deno's own functions.
  return decodeURIComponent(source.pathname.replace(/%(?![0-9A-Fa-f]{2})/g, "%25"));
}

/**
 * Proves that `path` is a file which this program may read. Native code knows nothing of Deno's permissions, so this
 * asks for exactly what `Deno.open` would need.
 */
export async function assertReadable(path: string): Promise<void> {
  try {
    // Only a regular file is opened here: opening a pipe would wait for its other end.
    const { isFile, isDirectory } = await Deno.stat(path);
    if (!isFile) {
      const kind = isDirectory ? "a directory" : "a pipe or a device";
      throw new MuserError("not-a-file", `Cannot open "${path}": it is ${kind}, name a GGUF file`);
    }
    (await Deno.open(path)).close();
  } catch (error) {
    throw error instanceof MuserError ? error : readFailure(path, error);
  }
}

/** Makes a folder where there is none, and proves that this program may read and write what is in it. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await Deno.mkdir(path, { recursive: true });
    for await (const _ of Deno.readDir(path)) break;
  } catch (cause) {
    const isForbidden = cause instanceof Deno.errors.NotCapable;
    const state = isForbidden
      ? `Deno may not read and write there, run with --allow-read=${path} --allow-write=${path}`
      : `${cause instanceof Error ? cause.message : cause}, name another folder`;
    const code = isForbidden || cause instanceof Deno.errors.PermissionDenied ? "permission" : "io";
    throw new MuserError(code, `Cannot use the folder "${path}": ${state}`, { cause });
  }
}

function readFailure(path: string, cause: unknown): MuserError {
  const [code, state] = explain(path, cause);
  return new MuserError(code, `Cannot open "${path}": ${state}`, { cause });
}

/** The code and the second half of the message for an error of Deno's file functions. */
function explain(path: string, cause: unknown): [code: string, state: string] {
  if (cause instanceof Deno.errors.NotFound) return ["not-found", "there is no such file, check the path"];
  if (cause instanceof Deno.errors.NotCapable) {
    return ["permission", `Deno may not read it, run with --allow-read=${path}`];
  }
  if (cause instanceof Deno.errors.PermissionDenied) {
    return ["permission", "the system denies reading it, check its permissions"];
  }
  return ["io", `${cause instanceof Error ? cause.message : cause}, check the path`];
}
