import { releaseBytes, releaseName } from "./user.ts";

/** The library's name where it is built and installed. */
export const fileName = releaseName.replace(/-.*\./, ".");

/**
 * Makes a `swift` that is quick: it proves that the sources are there and takes the library of the tests for what they
 * make. What it was told goes to `builds` in the folder.
 *
 * @returns The variables that put it on the PATH.
 */
export async function fakeSwift(folder: string): Promise<{ PATH: string }> {
  await Deno.mkdir(`${folder}/bin`);
  await Deno.writeFile(`${folder}/bin/${fileName}`, releaseBytes);
  const text = `#!/bin/sh
case "$*" in *--show-bin-path*) echo "$PWD/built"; exit ;; esac
[ -f Package.swift ] && [ -f Sources/Muser/Exports.swift ] && [ -f ../shaders/types.h ] || exit 1
echo "$@" >>"${folder}/builds"
mkdir -p built && cp "${folder}/bin/${fileName}" built/
`;
  await Deno.writeTextFile(`${folder}/bin/swift`, text, { mode: 0o755 });
  return { PATH: `${folder}/bin:${Deno.env.get("PATH")}` };
}
