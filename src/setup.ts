/**
 * Installs the native library that the package works with: one command, once a version. Importing the package never
 * downloads or writes anything.
 *
 * ```sh
 * deno run --allow-all jsr:@muser/engine/setup
 * ```
 *
 * @module
 */
import { ClosedPipe, Failure, messageOf, UsageError } from "./cli/failure.ts";
import { type Arguments, parseArguments } from "./cli/options.ts";
import { print } from "./cli/output.ts";
import { say, write } from "./cli/say.ts";
import { FILE_NAME, installedPlace, type Place } from "./native/place.ts";
import { libraries, type ReleasedFile, version } from "./release.ts";
import { build } from "./setup/build.ts";
import { help, options } from "./setup/help.ts";
import { install } from "./setup/install.ts";
import { assertAllowed, flags, isAllowed, notAllowed, type Permission } from "./setup/permissions.ts";
import { sourceOf } from "./setup/source.ts";

const ACTION = "install the native library";

/**
 * Installs the native library and writes its path to standard output, everything else to standard error.
 *
 * @example Ask what it can do, as `deno run jsr:@muser/engine/setup --help` does
 * ```ts
 * import { main } from "@muser/engine/setup";
 *
 * const status = await main(["--help"]);
 * console.log(status); // 0
 * ```
 *
 * @param args What follows the program's name on the command line; `["--help"]` tells more.
 * @returns The exit status: 0 done, 1 the work failed, 2 wrong usage.
 */
export async function main(args: readonly string[]): Promise<number> {
  try {
    const input = parseArguments(args, options);
    if (input.has("help")) await print(help());
    return input.has("help") || await run(input) ? 0 : 1;
  } catch (error) {
    return report(error);
  }
}

function report(error: unknown): number {
  if (error instanceof ClosedPipe) return 0;
  say(messageOf(error));
  if (!(error instanceof UsageError)) return 1;
  write(`See: deno run jsr:@muser/engine@${version}/setup --help\n`);
  return 2;
}

/** Whether it went well; where it did not, that has been said. */
async function run(input: Arguments): Promise<boolean> {
  if (input.operands.length > 0) throw new UsageError(`Unexpected argument "${input.operands[0]}"`);
  if (input.has("build") && input.has("from")) throw new UsageError("Options --build and --from exclude each other");
  return input.has("build") ? await runBuild(input.value("to")) : await runInstall(input);
}

async function runInstall(input: Arguments): Promise<boolean> {
  const file = released();
  const source = sourceOf(input.value("from"), file.name);
  const place = placeOf(input.value("to"), source.permissions);
  assertAllowed(ACTION, [...permissionsFor(place), ...source.permissions]);
  const isNew = await install(source, file, place.path);
  say(`${file.name} ${isNew ? "is installed" : "is there already"}`);
  await tell(place, place.variable !== undefined);
  return true;
}

async function runBuild(to: string | undefined): Promise<boolean> {
  // A checkout has a place of its own, which is found without any variable.
  const inCheckout = to === undefined && import.meta.url.startsWith("file:");
  const place = inCheckout ? undefined : placeOf(to);
  if (place) assertAllowed(ACTION, permissionsFor(place));
  const path = await build(place?.path);
  if (path !== undefined) await tell(place ?? { path }, to === undefined);
  return path !== undefined;
}

function released(): ReleasedFile {
  const file = libraries[Deno.build.target];
  if (file) return file;
  const known = Object.keys(libraries).join(", ");
  const state = known === "" ? "has not been released yet" : `is released for ${known}, not for ${Deno.build.target}`;
  throw new Failure(`Cannot ${ACTION}: version ${version} ${state}, build it with --build (which needs Swift 6.3)`);
}

/**
 * Where the library goes. Only a folder that `--to` names comes without the variable that leads to it.
 *
 * @param others What else the work takes, so that it is told together with what is missing here.
 */
function placeOf(to: string | undefined, others: readonly Permission[] = []): Partial<Place> & { path: string } {
  if (to !== undefined) return { path: `${to.replace(/(?<=.)\/+$/, "")}/${FILE_NAME}` };
  const home: Permission = { name: "env", variable: "HOME" };
  if (installedPlace() === undefined && !isAllowed(home)) {
    throw notAllowed(ACTION, [home, { name: "read" }, { name: "write" }, ...others]);
  }
  const place = installedPlace();
  if (place === undefined) throw new Failure(`Cannot ${ACTION}: HOME is not set, name a folder with --to`);
  return place;
}

function permissionsFor({ path }: { path: string }): Permission[] {
  const folder = path.slice(0, -FILE_NAME.length - 1);
  return [{ name: "read", path: folder }, { name: "write", path: folder }];
}

/** Says how to use what is at the place. */
async function tell({ path, variable }: Partial<Place> & { path: string }, isFound = true): Promise<void> {
  const needed = [...variable === undefined ? [] : [{ name: "env", variable }], { name: "ffi", path }];
  const open = isFound ? "" : 'give Model.open its path as the option "library" and ';
  say(`${open}run programs with ${flags(needed)}`);
  await print(`${path}\n`);
}

if (import.meta.main) Deno.exit(await main(Deno.args));
