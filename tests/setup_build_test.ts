import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { version } from "../src/release.ts";
import { fakeSwift, fileName } from "./support/fake_swift.ts";
import { makeUser, publishPackage, releaseBytes } from "./support/user.ts";

Deno.test("setup --build builds from the sources that travel in the package", async (test) => {
  await using registry = await publishPackage([]);
  const files = registry.files("@muser/engine");
  const sources = [...files.keys()].filter((path) => /^\/(swift|shaders|scripts)\//.test(path));
  const host = new URL(registry.url).host;

  await test.step("with the permissions that --help names", async () => {
    using user = await makeUser(registry);
    const flags = ["--allow-env=HOME", `--allow-read=${user.home}`, `--allow-write=${user.home}`];
    const env = await fakeSwift(user.home);
    const denied = await user.setup(flags, ["--build"], env);
    assertEquals([denied.code, denied.stderr], [
      1,
      "muser: Cannot build the native library: Deno may not do all that it takes, run with --allow-run=sh " +
      `--allow-net=${host}\n`,
    ]);

    const { code, stdout, stderr } = await user.setup(
      [...flags, `--allow-net=${host}`, "--allow-run=sh"],
      ["--build"],
      env,
    );
    assertEquals([code, stdout], [0, `${user.library}\n`]);
    assertMatch(stderr, /^muser: building the native library .*\nmuser: +done in \d+ s\nmuser: run programs with /);
    assertEquals(await Deno.readFile(user.library), releaseBytes);
    assertMatch(await Deno.readTextFile(`${user.home}/builds`), /^build -c release --product Muser.*\n$/);
    // The sources have gone.
    assertEquals([...Deno.readDirSync(user.library.replace(/\/[^/]*$/, ""))].map(({ name }) => name), [fileName]);
  });

  await test.step("and a failed build says why, in one line", async () => {
    using user = await makeUser(registry);
    const programs = `${user.home}/programs`;
    await Deno.mkdir(programs);
    for (const name of ["sh", "dirname", "uname"]) {
      await Deno.symlink((await whereIs(name))!, `${programs}/${name}`);
    }
    const { code, stdout, stderr } = await user.setup(["--allow-all"], ["--build"], { PATH: programs });
    assertEquals([code, stdout], [1, ""]);
    assertEquals(
      stderr,
      "muser: Cannot build the native library: swift is not on the PATH, install Swift 6.3 or newer\n",
    );
  });

  await test.step("after each was proven by its hash", async () => {
    using user = await makeUser(registry);
    const path = "/shaders/types.h";
    const text = files.get(path)!;
    files.set(path, new TextEncoder().encode("something else"));
    const { code, stderr } = await user.setup(["--allow-all"], ["--build"], await fakeSwift(user.home));
    files.set(path, text);

    assertEquals(code, 1);
    const pattern =
      /^muser: Cannot use \S+\/shaders\/types\.h: its SHA-256 is [0-9a-f]{64} and this package needs [0-9a-f]{64}, .*\n$/;
    assertMatch(stderr, pattern);
    assertStringIncludes(stderr, `${registry.url}/@muser/engine/${version}${path}`);
    assertEquals(await Deno.stat(`${user.home}/builds`).catch(() => "none"), "none");
  });

  await test.step("of which none is forgotten", () => {
    const listed = new TextDecoder().decode(files.get("/src/setup/sources.ts"));
    assertEquals(
      [...listed.matchAll(/^ {2}"(.+)": "[0-9a-f]{64}",$/gm)].map(([, path]) => `/${path}`),
      sources.toSorted(),
    );
  });
});

/** The program's path, where the PATH has it. */
async function whereIs(name: string): Promise<string | undefined> {
  for (const folder of Deno.env.get("PATH")!.split(":")) {
    if ((await Deno.stat(`${folder}/${name}`).catch(() => undefined))?.isFile) return `${folder}/${name}`;
  }
}
