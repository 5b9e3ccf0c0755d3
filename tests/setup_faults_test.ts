import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { Failure } from "../src/cli/failure.ts";
import { ABI_VERSION } from "../src/native/symbols.ts";
import { version } from "../src/release.ts";
import { download } from "../src/setup/download.ts";
import { sourceOf } from "../src/setup/source.ts";
import { findCompiler } from "./support/compiler.ts";
import { type Fault, type ReleaseServer, serveRelease } from "./support/release_server.ts";
import { makeUser, type Outcome, publishPackage, releaseBytes, releaseName, type User } from "./support/user.ts";

const bytes = releaseBytes.length;
const compiler = await findCompiler();
const count = (value: number): string => value.toLocaleString("en-US");

/** Runs setup, which reads from the release and may do everything. */
async function setup(user: User, release: ReleaseServer, faults: Fault[], args: string[] = []): Promise<Outcome> {
  release.requests.length = 0;
  release.faults.splice(0, Infinity, ...faults);
  return await user.setup(["--allow-all"], ["--from", release.url, ...args]);
}

/** What is in the folder of the library. */
function folderOf({ library }: User): string[] {
  return [...Deno.readDirSync(library.replace(/\/[^/]*$/, ""))].map(({ name }) => name);
}

Deno.test("what can go wrong in setup", async (test) => {
  await using registry = await publishPackage([releaseName]);
  await using release = serveRelease({ [releaseName]: releaseBytes });
  using others = await makeUser(registry);
  const newUser = (): Promise<User> => makeUser(registry, `${others.home}/cache`);
  const url = release.url + releaseName;

  await test.step("a wrong hash ends in one line and leaves nothing", async () => {
    using user = await newUser();
    const { code, stdout, stderr } = await setup(user, release, [{ alter: 5_000_000 }]);
    assertEquals([code, stdout, folderOf(user)], [1, "", []]);
    assertMatch(
      stderr,
      /^muser: Cannot use http:\S+: its SHA-256 is [0-9a-f]{64} and this package needs [0-9a-f]{64}, name the file libMuser-\S+ with --from\n$/,
    );
    assertStringIncludes(stderr, url);
  });

  await test.step("a cut download goes on where it ended", async () => {
    using user = await newUser();
    const { code } = await setup(user, release, [{ cutAfter: 1_000_000 }, { cutAfter: 2_000_000 }]);
    assertEquals(code, 0);
    assertEquals(release.requests.map((request) => request.replace(/ bytes=\d+-$/, " on")), [
      releaseName,
      `${releaseName} on`,
      `${releaseName} on`,
    ]);
    assertEquals(await Deno.readFile(user.library), releaseBytes);
  });

  await test.step("a download that is cut again and again ends in one line, and the next run goes on", async () => {
    using user = await newUser();
    const cuts = [{ cutAfter: 1_000_000 }, { cutAfter: 1_000_000 }, { cutAfter: 1_000_000 }];
    const first = await setup(user, release, cuts);
    assertEquals([first.code, first.stdout], [1, ""]);
    const [, there] = /^muser: Cannot read \S+: .+ after ([\d,]+) of [\d,]+ bytes, run .+\n$/.exec(first.stderr) ?? [];
    assertEquals(folderOf(user).length, 1);

    const second = await setup(user, release, []);
    assertEquals([second.code, release.requests], [0, [`${releaseName} bytes=${there!.replaceAll(",", "")}-`]]);
    assertEquals(await Deno.readFile(user.library), releaseBytes);
    assertEquals(folderOf(user).length, 1);
  });

  await test.step("a host that sends no parts starts again, and one that is busy is asked again", async () => {
    using user = await newUser();
    const { code } = await setup(user, release, [{ cutAfter: 1_000_000 }, { ignoreRange: true, cutAfter: 10 }, {
      status: 503,
    }, {}]);
    assertEquals(code, 0);
    assertEquals(await Deno.readFile(user.library), releaseBytes);
  });

  await test.step("a file that is not there, too short or too long ends in one line", async () => {
    using user = await newUser();
    const missing = await setup(user, release, [{ status: 404 }]);
    assertEquals(
      [missing.code, missing.stderr],
      [
        1,
        `muser: Cannot download ${url}: the server answers 404 Not Found, check the address or name another place with --from\n`,
      ],
    );
    const paths = { short: releaseBytes.subarray(0, 100), long: new Uint8Array(bytes + 1) };
    for (const [name, content] of Object.entries(paths)) await Deno.writeFile(`${user.home}/${name}`, content);
    const short = await user.setup(["--allow-all"], ["--from", `${user.home}/short`]);
    assertEquals(
      [short.code, short.stderr],
      [
        1,
        `muser: Cannot read "${user.home}/short": it ends early after 100 of ${
          count(bytes)
        } bytes, run the same command again to continue or name another place with --from\n`,
      ],
    );
    const long = await user.setup(["--allow-all"], ["--from", `${user.home}/long`]);
    assertEquals(
      [long.code, long.stderr],
      [
        1,
        `muser: Cannot use "${user.home}/long": it has more than ${
          count(bytes)
        } bytes, name another file with --from\n`,
      ],
    );
    const none = await user.setup(["--allow-all"], ["--from", `${user.home}/none`]);
    assertEquals(
      none.stderr,
      `muser: Cannot read "${user.home}/none": there is no such file or folder, check the path\n`,
    );
  });

  await test.step("a host that cannot be reached ends in one line", async () => {
    using user = await newUser();
    const gone = serveRelease({});
    await gone[Symbol.asyncDispose]();
    const { code, stderr } = await user.setup(["--allow-all"], ["--from", gone.url]);
    assertEquals(code, 1);
    assertMatch(stderr, /^muser: Cannot read http:\S+: .*Connection refused, run the same command again .*\n$/);
  });

  await test.step("a host that sends elsewhere needs the permission for that, too", async () => {
    using user = await newUser();
    await using detour = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      () => Response.redirect(url),
    );
    const host = `127.0.0.1:${detour.addr.port}`;
    const flags = ["--allow-env=HOME", `--allow-read=${user.home}`, `--allow-write=${user.home}`];
    const args = ["--from", `http://${host}/`];
    const denied = await user.setup([...flags, `--allow-net=${host}`], args);
    assertEquals(
      [denied.code, denied.stderr],
      [1, `muser: Cannot install "${user.library}": Deno may not do so, run with --allow-net=${release.host}\n`],
    );
    assertEquals((await user.setup([...flags, `--allow-net=${host},${release.host}`], args)).code, 0);
  });

  await test.step("a folder that cannot be written to ends in one line", async () => {
    using user = await newUser();
    await Deno.writeTextFile(`${user.home}/file`, "");
    const { code, stderr } = await setup(user, release, [], ["--to", `${user.home}/file/folder`]);
    assertEquals(code, 1);
    assertMatch(stderr, /^muser: Cannot install "\S+\/file\/folder\/libMuser\.\w+": .*ot a directory.*\n$/);
  });

  await test.step({
    name: "a library of another version of the package is told as that",
    ignore: compiler === undefined,
    fn: async () => {
      using user = await newUser();
      await Deno.writeTextFile(`${user.project}/old.c`, "unsigned muser_abi_version(void) { return 99; }\n");
      const args = ["-shared", "-fPIC", "-w", "-o", `${user.project}/old.so`, `${user.project}/old.c`];
      assertEquals((await new Deno.Command(compiler!, { args }).output()).success, true);
      await Deno.writeTextFile(
        `${user.project}/app.ts`,
        'import { devices } from "jsr:@muser/engine"; try { devices(); } catch (error) { console.log(error.message); }',
      );
      const { stdout } = await user.deno(["run", "--allow-all", "app.ts"], { MUSER_LIBRARY: `${user.project}/old.so` });
      assertEquals(
        stdout,
        `Cannot use the native library "${user.project}/old.so": its interface has version 99 and this package needs ` +
          `${ABI_VERSION}, install it with \`deno run --allow-all jsr:@muser/engine@${version}/setup\`\n`,
      );
    },
  });

  await test.step("a bar is drawn on a terminal and nowhere else", async () => {
    using user = await newUser();
    const piped = await setup(user, release, [{ duration: 2000 }], ["--to", `${user.home}/piped`]);
    assertEquals([piped.code, /[█░]|%/.test(piped.stderr)], [0, false]);
    release.faults.push({ duration: 2000 });
    const line = `"${Deno.execPath()}" run -A jsr:@muser/engine/setup --from ${release.url} --to "${user.home}/shown"`;
    const args = Deno.build.os === "darwin" ? ["-q", "/dev/null", "sh", "-c", line] : ["-qec", line, "/dev/null"];
    const shown = await new Deno.Command("script", {
      args,
      cwd: user.project,
      env: { HOME: user.home, DENO_DIR: `${others.home}/cache`, JSR_URL: registry.url },
      stdin: "null",
    }).output();
    assertMatch(new TextDecoder().decode(shown.stdout), /█+░+ \d+ %, [\d,]+ bytes, [\d,]+\/s/);
  });
});

Deno.test("a library that this system cannot load is not installed", async () => {
  const notHere = new TextEncoder().encode("a library for some other system, and of some length");
  await using registry = await publishPackage([releaseName], notHere);
  await using release = serveRelease({ [releaseName]: notHere });
  using user = await makeUser(registry);
  const { code, stderr } = await setup(user, release, []);
  assertEquals([code, folderOf(user)], [1, []]);
  assertMatch(stderr, /^muser: Cannot use http:\S+: [^"]+, build the library with --build\n$/);
});

Deno.test("a connection that brings nothing any more is given up and taken up again", async () => {
  await using release = serveRelease({ file: releaseBytes.slice(0, 5000) });
  const path = await Deno.makeTempFile();
  using file = await Deno.open(path, { read: true, write: true });
  release.faults.push({ stallAfter: 1000 });
  await download(sourceOf(release.url, "file"), file, 5000, 1500);
  assertEquals([release.requests, await Deno.readFile(path)], [
    ["file", "file bytes=1000-"],
    releaseBytes.slice(0, 5000),
  ]);

  release.faults.push({ stallAfter: 1000 }, { stallAfter: 1 }, { stallAfter: 1 });
  await file.truncate(0);
  await assertRejects(
    () => download(sourceOf(release.url, "file"), file, 5000, 1500),
    Failure,
    "nothing came for 1.5 seconds after 1,002 of 5,000 bytes, run the same command again",
  );
  await Deno.remove(path);
});
