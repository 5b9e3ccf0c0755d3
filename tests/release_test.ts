import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { muser } from "./cli/muser.ts";
import { fakeSwift } from "./support/fake_swift.ts";
import { pythonPath } from "./support/oracle.ts";
import { copyPackage, releaseName } from "./support/user.ts";

/** A copy of the package, in which releases are made; gone once disposed of. */
async function makeCheckout() {
  const folder = await Deno.makeTempDir({ prefix: "muser-release-" });
  await copyPackage(folder);
  const env = await fakeSwift(folder);
  return {
    folder,
    async release(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
      const command = new Deno.Command(pythonPath(), { args: [`${folder}/scripts/release`, ...args], env });
      const { code, stdout, stderr } = await command.output();
      const decoder = new TextDecoder();
      return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
    },
    [Symbol.dispose]: () => Deno.removeSync(folder, { recursive: true }),
  };
}

async function sumOf(path: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", await Deno.readFile(path))).toHex();
}

Deno.test("a release has a library that loads, and the package has its hash and those of its sources", async () => {
  using checkout = await makeCheckout();
  const dist = `${checkout.folder}/dist`;
  const path = `${dist}/${releaseName}`;

  const library = await checkout.release("library", dist);
  assertEquals([library.code, library.stdout], [0, `${await sumOf(path)}  ${path}\n`]);
  assertEquals(JSON.parse((await muser(["devices", "--json", "--library", path])).out)[0].name, "cpu");
  assertMatch(await Deno.readTextFile(`${checkout.folder}/builds`), /^build -c release --product Muser/);

  assertEquals(await checkout.release("pin", dist), { code: 0, stdout: "", stderr: "" });
  const { version, libraries } = await import(`file://${checkout.folder}/src/release.ts`);
  assertEquals(version, JSON.parse(await Deno.readTextFile(`${checkout.folder}/deno.json`)).version);
  const { size } = await Deno.stat(path);
  assertEquals(libraries, {
    [Deno.build.target]: { name: releaseName, bytes: size, sha256: await sumOf(path) },
  });

  const { sources } = await import(`file://${checkout.folder}/src/setup/sources.ts`);
  for (const [source, sum] of Object.entries(sources)) {
    assertEquals(await sumOf(`${checkout.folder}/${source}`), sum, source);
  }
  const format = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--check", `--config=${checkout.folder}/deno.json`, "src/release.ts", "src/setup/sources.ts"],
    cwd: checkout.folder,
  });
  assertEquals((await format.output()).code, 0);
});

Deno.test("a library that needs a newer glibc than the README says is not released", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  using checkout = await makeCheckout();
  const readme = `${checkout.folder}/README.md`;
  await Deno.writeTextFile(readme, (await Deno.readTextFile(readme)).replace(/glibc 2\.\d+/, "glibc 2.17"));
  const { code, stderr } = await checkout.release("library", `${checkout.folder}/dist`);
  assertEquals(code, 1);
  assertMatch(stderr, /muser: Cannot release \S+: it needs glibc 2\.\d+, build it on a system with glibc 2\.17\n$/);
});

Deno.test("a library of another version is not pinned", async () => {
  using checkout = await makeCheckout();
  await Deno.mkdir(`${checkout.folder}/dist`);
  await Deno.writeTextFile(`${checkout.folder}/dist/libMuser-9.9.9-x86_64-unknown-linux-gnu.so`, "");
  const { code, stderr } = await checkout.release("pin", `${checkout.folder}/dist`);
  assertEquals(code, 1);
  assertStringIncludes(stderr, "its name is not that of a library of version");
});

Deno.test("scripts/release reset takes back what was pinned", async () => {
  using checkout = await makeCheckout();
  const files = ["src/release.ts", "src/setup/sources.ts"].map((path) => `${checkout.folder}/${path}`);
  assertEquals((await checkout.release("reset")).code, 0);
  const before = files.map((path) => Deno.readTextFileSync(path));
  await Deno.mkdir(`${checkout.folder}/dist`);
  assertEquals((await checkout.release("pin", `${checkout.folder}/dist`)).code, 0);
  assertEquals(await checkout.release("reset"), { code: 0, stdout: "", stderr: "" });
  assertEquals(files.map((path) => Deno.readTextFileSync(path)), before);
  assertEquals((await checkout.release("everything")).code, 2);
});
