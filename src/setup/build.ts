import { Failure } from "../cli/failure.ts";
import { Progress } from "../cli/progress.ts";
import { FILE_NAME } from "../native/place.ts";
import { toPath } from "../paths.ts";
import { version } from "../release.ts";
import { hashOf, sha256 } from "./hash.ts";
import { placeCopy } from "./install.ts";
import { assertAllowed, attempt, type Permission } from "./permissions.ts";
import { sources } from "./sources.ts";

const ACTION = "build the native library";
/** Files that are fetched at once. */
const AT_ONCE = 8;
/** The package, or the checkout. */
const root = new URL("../../", import.meta.url);
const isCheckout = root.protocol === "file:";

/**
 * Builds the native library from the sources in the package and puts it at `target`; in a checkout, without a target,
 * where `Model.open` looks first.
 *
 * @returns The library's path; `undefined` where the build has failed and said why.
 */
export async function build(target: string | undefined): Promise<string | undefined> {
  const shell: Permission = { name: "run", command: "sh" };
  if (isCheckout) {
    const folder = toPath(root, `Cannot ${ACTION}`);
    assertAllowed(ACTION, [shell]);
    return await runBuild(folder) ? await place(`${folder}.muser/lib/${FILE_NAME}`, target) : undefined;
  }
  const folder = `${target}.source/`;
  assertAllowed(ACTION, [shell, { name: "net", host: root.host }]);
  await attempt(ACTION, () => fetchSources(folder));
  if (!await runBuild(folder)) return undefined;
  const path = await place(`${folder}.muser/lib/${FILE_NAME}`, target);
  await attempt(ACTION, () => Deno.remove(folder, { recursive: true }));
  return path;
}

async function place(built: string, target: string | undefined): Promise<string> {
  if (target !== undefined) await placeCopy(built, target);
  return target ?? built;
}

/** Runs the script that a checkout is built with, too; it says what it does and why it fails. */
async function runBuild(folder: string): Promise<boolean> {
  const command = new Deno.Command("sh", { args: [`${folder}scripts/build`], stdin: "null", stdout: "null" });
  return await attempt(ACTION, async () => (await command.spawn().status).success);
}

/** Brings the sources into the folder. Those that are there already are kept. */
async function fetchSources(folder: string): Promise<void> {
  const files = Object.entries(sources);
  if (files.length === 0) {
    throw new Failure(`Cannot ${ACTION}: version ${version} was published without its sources, build it in a checkout`);
  }
  for (const path in sources) await Deno.mkdir(folder + path.slice(0, path.lastIndexOf("/")), { recursive: true });
  using progress = new Progress("files", false);
  for (let at = 0; at < files.length; at += AT_ONCE) {
    await Promise.all(files.slice(at, at + AT_ONCE).map(([path, sum]) => fetchSource(path, sum, folder + path)));
    await progress.update(at, at / files.length);
  }
}

async function fetchSource(path: string, sum: string, target: string): Promise<void> {
  if (await hashOf(target) === sum) return;
  const url = new URL(path, root);
  const response = await fetch(url);
  const bytes = await response.bytes();
  const found = await sha256(bytes);
  if (!response.ok || found !== sum) {
    const state = response.ok
      ? `its SHA-256 is ${found} and this package needs ${sum}`
      : `it answers ${response.status}`;
    throw new Failure(`Cannot use ${url.href}: ${state}, check what stands between this machine and ${url.host}`);
  }
  await Deno.writeFile(target, bytes);
}
