import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fileURLToPath } from "node:url";
import { libraries, version } from "../src/release.ts";
import { littleModel, VALUES } from "./cli/muser.ts";
import { writeGGUF } from "./support/gguf_writer.ts";
import { serveRelease } from "./support/release_server.ts";
import { makeUser, publishPackage, releaseBytes, releaseName, type User } from "./support/user.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const command = `deno run --allow-all jsr:@muser/engine@${version}/setup`;
const row = `${JSON.stringify([...VALUES.slice(6, 9)])}\n`;

/** A program that shows the row of token 2, or else what is wrong. */
async function writeProgram({ project }: User): Promise<void> {
  await Deno.writeFile(`${project}/little.gguf`, writeGGUF(littleModel()));
  const text = `import { Model } from "jsr:@muser/engine";
    try {
      using model = await Model.open("little.gguf");
      console.log(JSON.stringify([...model.embed([2])]));
    } catch (error) {
      console.log(error.code, error.message);
    }`;
  await Deno.writeTextFile(`${project}/app.ts`, text);
}

/** What setup may do, and nothing else. */
function permissions({ home }: User, host?: string): string[] {
  return ["--allow-env=HOME", `--allow-read=${home}`, `--allow-write=${home}`, ...host ? [`--allow-net=${host}`] : []];
}

/** The files below a folder, by their paths in it. */
function filesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesIn(`${folder}/${name}`).map((path) => `${name}/${path}`) : [name]
  );
}

Deno.test("with Deno and a release alone, adding, setting up and running reach a first row", async () => {
  await using registry = await publishPackage([releaseName]);
  await using release = serveRelease({ [releaseName]: releaseBytes });
  using user = await makeUser(registry);
  await writeProgram(user);
  const run = ["run", "--no-prompt", "--allow-env=HOME", "--allow-read=little.gguf"];
  const ffi = `--allow-ffi=${user.library.split(`/${version}/`)[0]}`; // as the README says

  const added = await user.deno(["add", "--quiet", "jsr:@muser/engine"]);
  assertEquals([added.code, added.stdout], [0, ""]);

  // Neither adding nor importing brings a library; every place and the remedy are named.
  const before = await user.deno([...run, ffi, "app.ts"]);
  const places =
    'library Cannot load the native library: the option "library" is not given, MUSER_LIBRARY may not be ' +
    `read without --allow-env=MUSER_LIBRARY, ${registry.url}/@muser/engine/${version}/src/native/library.ts is not in ` +
    `a checkout, "${user.library}" cannot be loaded (`;
  assertEquals(before.stdout.slice(0, places.length), places);
  assertStringIncludes(before.stdout, `), install it with \`${command}\`\n`);
  assertEquals([filesIn(user.home), release.requests], [[], []]);

  // Setup as the project has it: of the version that was added.
  const allowed = permissions(user, release.host);
  const setup = await user.deno(["run", "--no-prompt", ...allowed, "@muser/engine/setup", "--from", release.url]);
  assertEquals(setup, {
    code: 0,
    stdout: `${user.library}\n`,
    stderr: `muser: ${releaseName} is installed\n` +
      `muser: run programs with --allow-env=HOME --allow-ffi=${user.library}\n`,
  });
  assertEquals(filesIn(user.home), [user.library.slice(user.home.length + 1)]);

  assertEquals(await user.deno([...run, ffi, "app.ts"]), { code: 0, stdout: row, stderr: "" });
  const denied = await user.deno([...run, "app.ts"]);
  assertStringIncludes(denied.stdout, `permission Cannot load the native library "${user.library}": Deno may not`);
  const again = await user.setup(allowed, ["--from", release.url]);
  assertStringIncludes(again.stderr, `muser: ${releaseName} is there already\n`);
  assertEquals(release.requests, [releaseName]);
});

Deno.test("setup of a published package", async (test) => {
  await using registry = await publishPackage([releaseName]);
  await using release = serveRelease({ [releaseName]: releaseBytes });
  using others = await makeUser(registry);
  const newUser = (): Promise<User> => makeUser(registry, `${others.home}/cache`);

  await test.step("reads a file or a folder without a network", async () => {
    using user = await newUser();
    await Deno.mkdir(`${user.home}/stick`);
    await Deno.writeFile(`${user.home}/stick/${releaseName}`, releaseBytes);
    for (const from of [`${user.home}/stick/`, `${user.home}/stick/${releaseName}`, `file://${user.home}/stick/`]) {
      const { code, stdout } = await user.setup(permissions(user), ["--from", from, "--to", `${user.home}/native`]);
      assertEquals([code, stdout], [0, `${user.home}/native/${releaseName.replace(/-.*\./, ".")}\n`]);
      assertEquals(await Deno.readFile(stdout.trim()), releaseBytes);
      await Deno.remove(stdout.trim());
    }
  });

  await test.step("names every permission that is missing at once", async () => {
    using user = await newUser();
    const unknown = await user.setup([], []);
    assertEquals(
      unknown.stderr,
      "muser: Cannot install the native library: Deno may not do all that it takes, run with --allow-env=HOME " +
        "--allow-read --allow-write --allow-net=github.com,release-assets.githubusercontent.com\n",
    );
    const known = await user.setup(["--allow-env=HOME"], ["--from", release.url]);
    const folder = user.library.replace(/\/[^/]*$/, "");
    assertEquals(
      [known.code, known.stdout, known.stderr],
      [
        1,
        "",
        "muser: Cannot install the native library: Deno may not do all that it takes, run with " +
        `--allow-read=${folder} --allow-write=${folder} --allow-net=${release.host}\n`,
      ],
    );
    const path = `${user.home}/${releaseName}`;
    const file = await user.setup(["--allow-env=HOME", `--allow-write=${user.home}`, "--allow-net"], ["--from", path]);
    assertStringIncludes(file.stderr, `run with --allow-read=${folder},${path}\n`);
    const stick = await user.setup(permissions(user), ["--from", "/nowhere/lib"]);
    assertStringIncludes(stick.stderr, "run with --allow-read=/nowhere/lib\n");
    const elsewhere = await user.setup(permissions(user), ["--to", "a, b", "--from", path]);
    assertStringIncludes(elsewhere.stderr, "run with --allow-read='a,, b' --allow-write='a,, b'\n");
    assertEquals(filesIn(user.home), []);
  });

  await test.step("puts the library where MUSER_HOME or XDG_DATA_HOME say, and Model.open finds it there", async () => {
    using user = await newUser();
    await writeProgram(user);
    for (const [variable, folder] of [["MUSER_HOME", "/a"], ["XDG_DATA_HOME", "/b/muser"]] as const) {
      if (variable === "XDG_DATA_HOME" && Deno.build.os === "darwin") continue;
      const env = { [variable]: user.home + folder.replace("/muser", "") };
      const { stdout, stderr } = await user.setup(["--allow-all"], ["--from", release.url], env);
      assertEquals(stdout, `${user.home}${folder}/${version}/${Deno.build.target}/${user.library.split("/").at(-1)}\n`);
      assertStringIncludes(stderr, `muser: run programs with --allow-env=${variable} --allow-ffi=${stdout}`);
      const flags = [`--allow-env=${variable}`, "--allow-read=little.gguf", `--allow-ffi=${stdout.trim()}`];
      assertEquals((await user.deno(["run", "--no-prompt", ...flags, "app.ts"], env)).stdout, row);
    }
  });

  await test.step("never writes into a library that is there", async () => {
    using user = await newUser();
    await Deno.mkdir(`${user.home}/native`);
    const path = `${user.home}/native/${user.library.split("/").at(-1)}`;
    await Deno.writeTextFile(path, "in use");
    using inUse = await Deno.open(path);
    const { stderr } = await user.setup(permissions(user, release.host), [
      "--from",
      release.url,
      "--to",
      `${user.home}/native/`,
    ]);
    assertMatch(stderr, /: give Model\.open its path as the option "library" and run programs with --allow-ffi=\S+\n$/);
    assertEquals(new TextDecoder().decode(await new Response(inUse.readable).bytes()), "in use");
    assertEquals(await Deno.readFile(path), releaseBytes);
  });

  await test.step("run several times at once downloads once", async () => {
    using user = await newUser();
    release.requests.length = 0;
    release.faults.push({ duration: 1000 });
    const runs = [1, 2, 3].map(() => user.setup(permissions(user, release.host), ["--from", release.url]));
    assertEquals((await Promise.all(runs)).map(({ code }) => code), [0, 0, 0]);
    assertEquals(release.requests, [releaseName]);
    assertEquals(filesIn(user.home), [user.library.slice(user.home.length + 1)]);
  });

  await test.step("refuses a wrong command line with status 2", async () => {
    using user = await newUser();
    for (
      const [args, message] of [
        [["there"], 'Unexpected argument "there"'],
        [["--form", "x"], "Unknown option --form, did you mean --from?"],
        [["--from"], "Option --from needs a value: FILE|URL"],
        [["--from", "ftp://host/x"], "Option --from cannot read ftp: addresses, use http, https or a path"],
        [["--from", "http://["], 'Option --from has "http://[", which is no address'],
        [["--build", "--from", "x"], "Options --build and --from exclude each other"],
      ] as const
    ) {
      const { code, stderr } = await user.setup([], args);
      assertEquals([code, stderr], [2, `muser: ${message}\nSee: deno run jsr:@muser/engine@${version}/setup --help\n`]);
    }
    const help = await user.setup([], ["--help"]);
    assertEquals([help.code, help.stderr], [0, ""]);
    for (const option of ["--from FILE|URL", "--to FOLDER", "--build"]) assertStringIncludes(help.stdout, option);
  });
});

Deno.test("an unreleased version and an unknown platform are told as that, with the way to build", async () => {
  await using unreleased = await publishPackage([]);
  await using elsewhere = await publishPackage([`libMuser-${version}-sparc-sun-solaris.so`]);
  for (
    const [registry, state] of [[unreleased, "has not been released yet"], [
      elsewhere,
      `is released for sparc-sun-solaris, not for ${Deno.build.target}`,
    ]] as const
  ) {
    using user = await makeUser(registry);
    const { code, stderr } = await user.setup(["--allow-all"], []);
    assertEquals(
      [code, stderr],
      [
        1,
        `muser: Cannot install the native library: version ${version} ${state}, build it with --build (which needs Swift 6.3)\n`,
      ],
    );
  }
});

Deno.test("src/release.ts has the version of deno.json, and that version's libraries", async () => {
  assertEquals(version, JSON.parse(await Deno.readTextFile(`${root}deno.json`)).version);
  for (const { name } of Object.values(libraries)) assertStringIncludes(name, `libMuser-${version}-`);
});
