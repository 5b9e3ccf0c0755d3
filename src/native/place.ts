import { version } from "../release.ts";

const isMac = Deno.build.os === "darwin";

/** What the native library's file is called. */
export const FILE_NAME = isMac ? "libMuser.dylib" : "libMuser.so";

/** Where setup puts the native library. */
export interface Place {
  /** The library's path. */
  path: string;
  /** The variable of the environment that decided it. */
  variable: string;
}

/** A variable of the environment; `undefined` where it is unset, empty, or not already allowed to be read. */
export function readVariable(name: string): string | undefined {
  return mayRead(name) ? Deno.env.get(name) || undefined : undefined;
}

/** Whether the variable may be read. Only queried: asking could put a question to somebody who needs no variable. */
export function mayRead(name: string): boolean {
  return Deno.permissions.querySync({ name: "env", variable: name }).state === "granted";
}

/**
 * Where setup puts the native library of this version for this platform: in the folder that `MUSER_HOME` names, else
 * in that of a user's data. `undefined` where no variable says which that is.
 */
export function installedPlace(): Place | undefined {
  const own = readVariable("MUSER_HOME");
  if (own !== undefined) return placeIn(own, "MUSER_HOME");
  const data = isMac ? undefined : readVariable("XDG_DATA_HOME");
  // The XDG specification ignores a relative path.
  if (data?.startsWith("/")) return placeIn(`${data}/muser`, "XDG_DATA_HOME");
  const home = readVariable("HOME");
  const folder = isMac ? "Library/Application Support" : ".local/share";
  return home === undefined ? undefined : placeIn(`${home}/${folder}/muser`, "HOME");
}

function placeIn(folder: string, variable: string): Place {
  return { path: `${folder}/${version}/${Deno.build.target}/${FILE_NAME}`, variable };
}
