import { Failure } from "../cli/failure.ts";
import { libraryFault } from "../native/library.ts";
import type { ReleasedFile } from "../release.ts";
import { download } from "./download.ts";
import { hashOf } from "./hash.ts";
import { attempt } from "./permissions.ts";
import type { Source } from "./source.ts";

/**
 * Puts a file of the release at `target`: read into a part beside it, which takes its name once its hash is right.
 *
 * @returns Whether there was anything to do.
 */
export async function install(source: Source, file: ReleasedFile, target: string): Promise<boolean> {
  return await attempt(`install "${target}"`, async () => {
    await Deno.mkdir(folderOf(target), { recursive: true });
    if (await hashOf(target) === file.sha256) return false;
    const path = `${target}.${file.sha256.slice(0, 12)}.part`;
    using part = await openPart(path);
    // Another setup may have done it meanwhile.
    const isNeeded = await hashOf(target) !== file.sha256;
    if (isNeeded) await fill(path, part, source, file);
    if (isNeeded) await Deno.rename(path, target);
    else await Deno.remove(path);
    return isNeeded;
  });
}

/** Puts a copy of the file at `target`, never writing into what is there. */
export async function placeCopy(path: string, target: string): Promise<void> {
  await attempt(`install "${target}"`, async () => {
    await Deno.mkdir(folderOf(target), { recursive: true });
    const part = `${target}.${crypto.randomUUID().slice(0, 8)}.part`;
    try {
      await Deno.copyFile(path, part);
      await Deno.rename(part, target);
    } catch (error) {
      await Deno.remove(part).catch(() => {});
      throw error;
    }
  });
}

/** Fills the part and proves it; one that is wrong is taken away. */
async function fill(path: string, part: Deno.FsFile, source: Source, file: ReleasedFile): Promise<void> {
  await download(source, part, file.bytes);
  await part.sync();
  const found = await hashOf(path);
  const fault = found === file.sha256
    ? faultHere(path)
    : `its SHA-256 is ${found} and this package needs ${file.sha256}`;
  if (fault === undefined) return;
  await Deno.remove(path);
  const help = found === file.sha256 ? "build the library with --build" : `name the file ${file.name} with --from`;
  throw new Failure(`Cannot use ${source.name}: ${fault}, ${help}`);
}

/** Why the library does not load, where Deno may try. */
function faultHere(path: string): string | undefined {
  const isAllowed = Deno.permissions.querySync({ name: "ffi", path }).state === "granted";
  return isAllowed ? libraryFault(path) : undefined;
}

/** Opens the part for this process alone; waits for another setup that is at work on it. */
async function openPart(path: string): Promise<Deno.FsFile> {
  for (;;) {
    const file = await Deno.open(path, { read: true, write: true, create: true });
    await file.lock(true);
    // The one waited for may have given this file its final name: then it must not be written to.
    const [own, there] = await Promise.all([file.stat(), Deno.stat(path).catch(() => undefined)]);
    if (own.ino === there?.ino) return file;
    file.close();
  }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0)) || "/";
}
