import { MuserError } from "../errors.ts";
import { toPath } from "../paths.ts";
import { version as packageVersion } from "../release.ts";
import { FILE_NAME, installedPlace, mayRead, readVariable } from "./place.ts";
import { ABI_VERSION, type Symbols, symbols } from "./symbols.ts";

/** The native library, opened. */
export interface Library {
  readonly path: string;
  readonly symbols: Symbols;
}

const VARIABLE = "MUSER_LIBRARY";
const opened = new Map<string, Library>();

/**
 * Opens the native library, once a path. It is the one that `option` names, else the one that `MUSER_LIBRARY` names,
 * else the one that was built in this checkout, else the one that setup has installed. Variables of the environment
 * count where reading them is already allowed.
 */
export function openLibrary(option?: string | URL): Library {
  const tried: string[] = [];
  let lastCause: unknown;
  for (const path of candidates(option, tried)) {
    const known = opened.get(path);
    if (known) return known;
    try {
      const library = { path, symbols: load(path) };
      opened.set(path, library);
      return library;
    } catch (cause) {
      if (cause instanceof MuserError) throw cause;
      lastCause = cause;
      tried.push(`"${path}" cannot be loaded (${reason(path, cause)})`);
    }
  }
  const named = tried.length === 1;
  const fix = named ? " or name another file" : isCheckout || installedPlace() ? "" : " and run with --allow-env=HOME";
  const message = `Cannot load the native library: ${tried.join(", ")}, ${remedy()}${fix}`;
  throw new MuserError("library", message, { cause: lastCause });
}

/**
 * Why the file cannot be the native library of this package on this system, `undefined` where it can.
 * Deno must be allowed to load it.
 */
export function libraryFault(path: string): string | undefined {
  try {
    load(path);
  } catch (cause) {
    if (cause instanceof MuserError) throw cause;
    return reason(path, cause);
  }
}

const root = new URL("../../", import.meta.url);
const isCheckout = root.protocol === "file:";

/** The paths to try, in order. Places that have none are told in `tried`, as clauses of a message. */
function* candidates(option: string | URL | undefined, tried: string[]): Generator<string, void> {
  if (option !== undefined) return yield toPath(option, "Cannot load the native library");
  const named = readVariable(VARIABLE);
  if (named !== undefined) return yield named;
  tried.push(`the option "library" is not given`);
  tried.push(
    mayRead(VARIABLE) ? `${VARIABLE} is not set` : `${VARIABLE} may not be read without --allow-env=${VARIABLE}`,
  );
  if (isCheckout) yield toPath(new URL(`.muser/lib/${FILE_NAME}`, root), "Cannot load the native library");
  else tried.push(`${import.meta.url} is not in a checkout`);
  const installed = installedPlace();
  if (installed) yield installed.path;
  else tried.push("the folder of setup is not known without --allow-env=HOME");
}

function load(path: string): Symbols {
  // Alone first: an older library lacks other symbols and would be refused for that.
  const { muser_abi_version } = symbols;
  const first = open(path, { muser_abi_version });
  const version = first.symbols.muser_abi_version();
  try {
    if (version === ABI_VERSION) return open(path, symbols).symbols;
  } finally {
    first.close();
  }
  throw new MuserError(
    "library",
    `Cannot use the native library "${path}": its interface has version ${version} and this package needs ` +
      `${ABI_VERSION}, ${remedy()}`,
  );
}

function open<Interface extends Deno.ForeignLibraryInterface>(
  path: string,
  symbols: Interface,
): Deno.DynamicLibrary<Interface> {
  try {
    return Deno.dlopen(path, symbols);
  } catch (cause) {
    throw cause instanceof Deno.errors.NotCapable ? notAllowed(path, cause) : cause;
  }
}

function reason(path: string, cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return message.replace(/^(Could not open library: )+/, "").replace(`${path}: `, "").trim();
}

function notAllowed(path: string, cause: Error): MuserError {
  const message = `Cannot load the native library "${path}": Deno may not load it, run with --allow-ffi=${path}`;
  return new MuserError("permission", message, { cause });
}

/** The command that puts the right library where it is found. */
function remedy(): string {
  return isCheckout
    ? "build it with `deno task build`"
    : `install it with \`deno run --allow-all jsr:@muser/engine@${packageVersion}/setup\``;
}
