import { assertEquals, assertLessOrEqual, assertMatch, assertStringIncludes } from "@std/assert";
import { fileURLToPath } from "node:url";
import { smollm2 } from "./support/models.ts";
import { type Outcome, runMuser, runScript } from "./support/muser.ts";
import { pythonPath } from "./support/oracle.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const library = `${root}.muser/lib/libMuser.${Deno.build.os === "darwin" ? "dylib" : "so"}`;
const noObjdump = !isProgram("objdump");

Deno.test("scripts/setup is silent where everything is there", async () => {
  assertEquals(await runScript("setup", ["--tests"]), { code: 0, stdout: "", stderr: "" });
});

Deno.test("scripts/setup refuses an option that it does not have", async () => {
  const { code, stderr } = await runScript("setup", ["--all"]);

  assertEquals([code, stderr], [2, "muser: Cannot set up: unknown option --all, use --tests or nothing\n"]);
});

Deno.test("a machine without Python or Swift is told so in one line", async () => {
  using checkout = await copyOfScripts();
  const setup = await checkout.run("setup", []);
  const build = await checkout.run("build", []);

  assertEquals(setup.code, 1);
  assertEquals(setup.stderr, "muser: Cannot set up: python3 is not on the PATH, install Python 3.10 or newer\n");
  assertEquals(build.code, 1);
  assertMatch(build.stderr, /^muser: Cannot build the native library: swift is not on the PATH, .*\n$/);
});

Deno.test("scripts/muser writes data to standard output and nothing else", async () => {
  const { code, stdout, stderr } = await runMuser(["embed", smollm2.path, "0", "--format", "json"]);

  assertEquals([code, stderr], [0, ""]);
  assertEquals(typeof JSON.parse(stdout), "object");
});

Deno.test("scripts/muser ends with the command's status", async () => {
  assertEquals((await runMuser(["embed", smollm2.path, "1.5"])).code, 2);
  assertEquals((await runMuser(["inspect", `${root}README.md`])).code, 1);
});

Deno.test("scripts/muser may write only where an output is asked for", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const { code, stderr } = await runMuser(["embed", smollm2.path, "0", "--format=raw", `--output=${folder}/row.raw`]);
    assertEquals([code, stderr], [0, ""]);
    assertEquals((await Deno.stat(`${folder}/row.raw`)).size, 4 * 576);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the library stays in memory when Deno lets go of it, and needs nothing beside it", {
  ignore: Deno.build.os !== "linux" || noObjdump,
}, async () => {
  const headers = await outputOf("objdump", ["-p", library]);
  const needed = [...headers.matchAll(/NEEDED +(\S+?)\.so/g)].map(([, name]) => name!);

  assertMatch(headers, /FLAGS_1 +0x0*8\b/); // DF_1_NODELETE
  assertEquals(needed.filter((name) => !/^(libc|libm|libgcc_s|libstdc\+\+|ld-linux.*)$/.test(name)), []);
});

Deno.test("the library needs no newer glibc than the README says", {
  ignore: !onDebian12() || noObjdump, // what is built on a newer system may need more: releases are built on Debian 12
}, async () => {
  const stated = /glibc 2\.(\d+)/.exec(await Deno.readTextFile(`${root}README.md`))![1]!;
  const symbols = await outputOf("objdump", ["-T", library]);
  const versions = [...symbols.matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor));

  assertLessOrEqual(Math.max(...versions), Number(stated));
});

Deno.test("the offline configuration is deno.json with the stand-ins linked", async () => {
  using checkout = await copyOfScripts();
  await checkout.python("offline_config", "1");
  const offline = JSON.parse(await Deno.readTextFile(`${checkout.path}/deno.offline.json`));
  const { tasks, ...own } = JSON.parse(await Deno.readTextFile(`${root}deno.json`));

  assertEquals(offline, {
    ...own,
    links: ["./tests/offline/assert", "./tests/offline/cli"],
    lock: false,
    tasks: offline.tasks,
  });
  assertEquals(Object.keys(offline.tasks), Object.keys(tasks));
  assertStringIncludes(offline.tasks.check.command, "deno check --config deno.offline.json");

  await checkout.python("offline_config", "0");
  assertEquals([...Deno.readDirSync(checkout.path)].some(({ name }) => name === "deno.offline.json"), false);
});

Deno.test("scripts/count_tests adds up what each kind of runner says", async () => {
  using checkout = await copyOfScripts();
  const logs = {
    "11-types": ["Check mod.ts\n", "0"],
    "12-deno": ["a gpu test ... ignored (0ms)\nok | 12 passed (3 steps) | 0 failed | 1 ignored (2s)\n", "0"],
    "13-swift": [
      '✘ Test "one" failed after 0.1 seconds with 1 issue.\n✘ Test run with 5 tests in 2 suites failed\n',
      "1",
    ],
    "14-kernels": ["skipped: no emulator for arm64\n40 passed, 0 failed, 2 skipped\n", "0"],
    "15-lint": ["error: something\n", "1"],
  };
  await Deno.mkdir(`${checkout.path}/logs`);
  for (const [name, [text, status]] of Object.entries(logs)) {
    await Deno.writeTextFile(`${checkout.path}/logs/${name}.txt`, text!);
    await Deno.writeTextFile(`${checkout.path}/logs/${name}.status`, status!);
  }
  const { code, stdout } = await checkout.python("count_tests", "", `${checkout.path}/logs`);

  assertEquals(code, 1);
  assertStringIncludes(stdout, "deno: a gpu test ... ignored (0ms)\nkernels: skipped: no emulator for arm64\n");
  assertStringIncludes(stdout, "failed: swift, lint\n57 passed, 2 failed, 3 skipped\n");
});

/** A checkout with nothing but the scripts, and a machine that has neither Python nor Swift on its PATH. */
async function copyOfScripts() {
  const path = await Deno.makeTempDir();
  const files = ["deno.json", "tests/offline/assert/deno.json", "tests/offline/cli/deno.json"];
  for (const { name } of Deno.readDirSync(`${root}scripts`)) files.push(`scripts/${name}`);
  for (const folder of ["scripts", "tests/offline/assert", "tests/offline/cli", "programs"]) {
    await Deno.mkdir(`${path}/${folder}`, { recursive: true });
  }
  for (const file of files) await Deno.copyFile(`${root}${file}`, `${path}/${file}`);
  for (
    const name of [
      "dirname",
      "uname",
      "cat",
      "find",
      "cksum",
      "sort",
      "sha256sum",
      "shasum",
      "cut",
      "mkdir",
      "rm",
      "ls",
    ]
  ) {
    for (const folder of ["/usr/bin", "/bin"]) {
      if (exists(`${folder}/${name}`)) {
        await Deno.symlink(`${folder}/${name}`, `${path}/programs/${name}`).catch(() => {});
      }
    }
  }
  return {
    path,
    run: (name: string, args: string[]) => outcome(`${path}/scripts/${name}`, args, { PATH: `${path}/programs` }),
    python: (name: string, offline: string, ...args: string[]) =>
      outcome(pythonPath(), [`${path}/scripts/${name}`, ...args], { MUSER_OFFLINE: offline }),
    [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }),
  };
}

async function outcome(program: string, args: string[], env: Record<string, string>): Promise<Outcome> {
  const { code, stdout, stderr } = await new Deno.Command(program, { args, env }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

async function outputOf(program: string, args: string[]): Promise<string> {
  return (await outcome(program, args, {})).stdout;
}

function onDebian12(): boolean {
  return exists("/etc/os-release") && Deno.readTextFileSync("/etc/os-release").includes("VERSION_CODENAME=bookworm");
}

function isProgram(name: string): boolean {
  return (Deno.env.get("PATH") ?? "").split(":").some((folder) => exists(`${folder}/${name}`));
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}
