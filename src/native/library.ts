import { MuserError } from "../errors.ts";
import { toPath } from "../paths.ts";
import { ABI_VERSION, type Symbols, symbols } from "./symbols.ts";

/** The native library, opened. */
export interface Library {
  readonly path: string;
  readonly symbols: Symbols;
}

const VARIABLE = "MUSER_LIBRARY";
const FILE_NAME = Deno.build.os === "darwin" ? "libMuser.dylib" : "libMuser.so";
const opened = new Map<string, Library>();

/**
 * Opens the native library, once a path. It is the one that `option` names, else the one that `MUSER_LIBRARY` names
 * (where reading it is already allowed), else the one that was built in this checkout.
 */
export function openLibrary(option?: string | URL): Library {
  const { path, tried } = locate(option);
  if (path === undefined) throw notFound(tried);
  const known = opened.get(path);
  if (known) return known;
  const library = { path, symbols: load(path, tried) };
  opened.set(path, library);
  return library;
}

/** The path to open, and what was found in the places that come before it, as clauses of a message. */
function locate(option?: string | URL): { path?: string; tried: string[] } {
  if (option !== undefined) return { path: toPath(option, "Cannot load the native library"), tried: [] };
  const tried = [`the option "library" is not given`];
  // Only queried: asking could put a question to somebody who needs no variable.
  if (Deno.permissions.querySync({ name: "env", variable: VARIABLE }).state === "granted") {
    const path = Deno.env.get(VARIABLE);
    if (path) return { path, tried: [] };
    tried.push(`${VARIABLE} is not set`);
  } else {
    tried.push(`${VARIABLE} may not be read without --allow-env=${VARIABLE}`);
  }
  const built = new URL(`../../.muser/lib/${FILE_NAME}`, import.meta.url);
  if (built.protocol === "file:") return { path: toPath(built, "Cannot load the native library"), tried };
  tried.push(`${import.meta.url} is not in a checkout`);
  return { tried };
}

function load(path: string, tried: string[]): Symbols {
  let library;
  try {
    library = Deno.dlopen(path, symbols);
  } catch (cause) {
    throw cause instanceof Deno.errors.NotCapable
      ? notAllowed(path, cause)
      : notFound([...tried, state(path, cause)], cause);
  }
  const version = library.symbols.muser_abi_version();
  if (version === ABI_VERSION) return library.symbols;
  library.close();
  throw new MuserError(
    "library",
    `Cannot use the native library "${path}": its interface has version ${version} and this package needs ` +
      `${ABI_VERSION}, build it anew with \`deno task build\``,
  );
}

function state(path: string, cause: unknown): string {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return `"${path}" cannot be loaded (${reason.replace(/^Could not open library: /, "").trim()})`;
}

function notAllowed(path: string, cause: Error): MuserError {
  const message = `Cannot load the native library "${path}": Deno may not load it, run with --allow-ffi=${path}`;
  return new MuserError("permission", message, { cause });
}

function notFound(tried: string[], cause?: unknown): MuserError {
  const fix = "build it in a checkout with `deno task build`" +
    (tried.length > 1 ? ` and name it with "library" or ${VARIABLE} elsewhere` : " or name another file");
  return new MuserError("library", `Cannot load the native library: ${tried.join(", ")}, ${fix}`, { cause });
}
