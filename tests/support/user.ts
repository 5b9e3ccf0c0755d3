/**
 * Somebody who uses the package as it is on JSR: a project, a home and a cache of its own, and no checkout.
 * @module
 */
import { fileURLToPath } from "node:url";
import { openLibrary } from "../../src/native/library.ts";
import { pythonPath } from "./oracle.ts";
import { type Registry, serveRegistry } from "./registry.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { version, publish } = JSON.parse(Deno.readTextFileSync(`${root}deno.json`));

/** The library's name in the release of this version. */
export const releaseName = `libMuser-${version}-${Deno.build.target}.${Deno.build.os === "darwin" ? "dylib" : "so"}`;

/** The library that the tests run with, as the file of the release. */
export const releaseBytes = Deno.readFileSync(openLibrary().path);

/** A registry to which this tree was published, with the libraries of these names as those of its release. */
export async function publishPackage(libraries: readonly string[], bytes = releaseBytes): Promise<Registry> {
  const folder = await Deno.makeTempDir({ prefix: "muser-package-" });
  try {
    await copyPackage(folder);
    await Deno.mkdir(`${folder}/dist`);
    for (const name of libraries) await Deno.writeFile(`${folder}/dist/${name}`, bytes);
    await succeed(pythonPath(), [`${folder}/scripts/release`, "pin", `${folder}/dist`], {});
    const registry = await serveRegistry(["assert", "cli"].map((name) => `${root}tests/offline/${name}`));
    const args = [
      "publish",
      "--allow-dirty",
      "--no-check",
      "--no-lock",
      "--token",
      "any",
      `--config=${folder}/deno.json`,
    ];
    await succeed(Deno.execPath(), args, { JSR_URL: registry.url, DENO_DIR: `${folder}/cache` });
    return registry;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Copies what is published, and the script that makes a release of it, into the folder. */
export async function copyPackage(folder: string): Promise<void> {
  for (const path of [...publish.include, "scripts/release"]) await copy(path, folder);
}

async function copy(path: string, folder: string): Promise<void> {
  if ((await Deno.stat(root + path)).isFile) {
    await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    return await Deno.copyFile(root + path, `${folder}/${path}`);
  }
  for await (const { name } of Deno.readDir(root + path)) await copy(`${path}/${name}`, folder);
}

async function succeed(program: string, args: string[], env: Record<string, string>): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args, env, cwd: "/" }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** How a command ended. */
export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** One that is gone once disposed of. */
export interface User extends Disposable {
  home: string;
  project: string;
  /** Where setup puts the library without being told. */
  library: string;
  /** Runs Deno in the project. */
  deno(args: readonly string[], env?: Record<string, string>): Promise<Outcome>;
  /** Runs setup with these permissions and arguments. */
  setup(permissions: readonly string[], args: readonly string[], env?: Record<string, string>): Promise<Outcome>;
}

/** A user of the registry whose cache, where one is given, others have used before. */
export async function makeUser(registry: Registry, cache?: string): Promise<User> {
  const folder = await Deno.makeTempDir({ prefix: "muser-user-" });
  const [home, project] = [`${folder}/home`, `${folder}/project`];
  await Deno.mkdir(home);
  await Deno.mkdir(project);
  await Deno.writeTextFile(`${project}/deno.json`, "{}");
  const data = Deno.build.os === "darwin" ? "Library/Application Support" : ".local/share";
  const file = `libMuser.${Deno.build.os === "darwin" ? "dylib" : "so"}`;
  const own = { HOME: home, DENO_DIR: cache ?? `${folder}/cache`, JSR_URL: registry.url, NO_COLOR: "1" };
  const deno = (args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> =>
    run(args, project, { PATH: Deno.env.get("PATH")!, ...own, ...env });
  return {
    home,
    project,
    library: `${home}/${data}/muser/${version}/${Deno.build.target}/${file}`,
    deno,
    setup: (permissions, args, env) =>
      deno(["run", "--quiet", "--no-prompt", ...permissions, "jsr:@muser/engine/setup", ...args], env),
    [Symbol.dispose]: () => Deno.removeSync(folder, { recursive: true }),
  };
}

async function run(args: readonly string[], cwd: string, env: Record<string, string>): Promise<Outcome> {
  const command = new Deno.Command(Deno.execPath(), { args: [...args], cwd, env, clearEnv: true, stdin: "null" });
  const { code, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
