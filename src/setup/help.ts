import { facts } from "../cli/layout.ts";
import type { Option } from "../cli/options.ts";
import { bold } from "../cli/style.ts";
import { version } from "../release.ts";

/** The options of setup. */
export const options: readonly Option[] = [
  {
    name: "from",
    value: "FILE|URL",
    path: true,
    summary: "Read the library there; with / at the end, the folder of it",
  },
  { name: "to", value: "FOLDER", path: true, summary: "Put the library there" },
  { name: "build", summary: "Build the library from the sources in the package; needs Swift 6.3" },
  { name: "help", summary: "Show this help" },
];

/** What `--help` shows. */
export function help(): string {
  const list = options.map(({ name, value, summary }) => [`--${name} ${value ?? ""}`.trimEnd(), summary] as const);
  return `${bold("deno run --allow-all jsr:@muser/engine/setup [OPTION…]")}
Installs the native library of @muser/engine ${version} for this machine and writes its path.

${facts(list)}
The library comes from the release of this version and is used only if it has the SHA-256 that the package states,
wherever it comes from. A download that was cut is continued. Without --to it is put where Model.open finds it, in
  MUSER_HOME, else XDG_DATA_HOME/muser or HOME/.local/share/muser, on a Mac HOME/Library/Application Support/muser
and there in a folder for each version and platform.

Instead of --allow-all: --allow-env=HOME, --allow-read and --allow-write for that folder, and
  --allow-net=github.com,release-assets.githubusercontent.com
or for --from its host, or --allow-read for its file; for --build --allow-net for the host of this module, and --allow-run=sh.
Exit status: 0 done, 1 the work failed, 2 wrong usage.
`;
}
