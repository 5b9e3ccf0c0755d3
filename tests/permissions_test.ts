import { assertEquals, assertMatch } from "@std/assert";
import { openLibrary } from "../src/native/library.ts";
import { version } from "../src/release.ts";
import { smollm2 } from "./support/models.ts";

const library = openLibrary().path;
const module = new URL("../mod.ts", import.meta.url).href;

/** Runs a module with these permissions only; `library` and `path` are there. */
async function run(
  code: string,
  flags: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const text = `import { devices, Model, MuserError } from "${module}";
const library = ${JSON.stringify(library)};
const path = ${JSON.stringify(smollm2.path)};
const told = async (body: () => unknown) => {
  try {
    await body();
    console.log("no error");
  } catch (error) {
    if (!(error instanceof MuserError)) throw error;
    console.log(error.code + "|" + error.message + "|" + (error.cause as Error | undefined)?.name);
  }
};
${code}`;
  const kept = Object.entries(Deno.env.toObject()).filter(([name]) => ["DENO_DIR", "HOME", "PATH"].includes(name));
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-config", "--no-lock", "--no-prompt", "--quiet", ...flags, "-"],
    clearEnv: true,
    env: { ...Object.fromEntries(kept), ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    cwd: "/",
  });
  await using child = command.spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const output = await child.output();
  const decoder = new TextDecoder();
  return { code: output.code, stdout: decoder.decode(output.stdout), stderr: decoder.decode(output.stderr) };
}

const read = `--allow-read=${smollm2.path}`;
const ffi = `--allow-ffi=${library}`;

Deno.test("importing the package needs no permission and does nothing", async () => {
  assertEquals(await run("console.log(typeof Model.open);", []), { code: 0, stdout: "function\n", stderr: "" });
});

Deno.test("everything works with the permission to read the model and to load the library, and no other", async () => {
  const code = `
    using model = await Model.open(path, { library });
    const values = model.embed([5]);
    const half = model.table("token_embd.weight", { output: "f16", scale: 2 }).rows([5]);
    const later = await model.embedAsync([5n], { into: new Float32Array(576) });
    model.check();
    console.log(values[0] === later[0], half.length, model.token(5).id, model.find("a") !== undefined);
    console.log(model.metadata.get("general.architecture"), devices({ library })[0]?.name);`;
  assertEquals(await run(code, [read, ffi]), { code: 0, stdout: "true 576 5 true\nllama cpu\n", stderr: "" });
});

Deno.test("a missing permission to load the library is told as that", async () => {
  const { code, stdout } = await run("await told(() => Model.open(path, { library }));", [read]);
  const message = `Cannot load the native library "${library}": Deno may not load it, run with --allow-ffi=${library}`;
  assertEquals([code, stdout], [0, `permission|${message}|NotCapable\n`]);
});

Deno.test("a missing permission to read the model is told as that, before native code sees the path", async () => {
  const { code, stdout } = await run("await told(() => Model.open(path, { library }));", [ffi]);
  const message = `Cannot open "${smollm2.path}": Deno may not read it, run with --allow-read=${smollm2.path}`;
  assertEquals([code, stdout], [0, `permission|${message}|NotCapable\n`]);
});

Deno.test("a file that needs more than --allow-read is not opened without it", async () => {
  const { code, stdout } = await run(`await told(() => Model.open("/proc/self/environ", { library }));`, [
    "--allow-read",
    ffi,
  ]);
  assertEquals([code, stdout.split("|")[0]], [0, "permission"]);
});

Deno.test("MUSER_LIBRARY names the library where reading it is allowed", async () => {
  const env = { MUSER_LIBRARY: library };
  const code = `console.log(devices()[0]?.name);`;
  assertEquals(await run(code, ["--allow-env=MUSER_LIBRARY", ffi], env), { code: 0, stdout: "cpu\n", stderr: "" });
});

Deno.test("MUSER_LIBRARY is neither read nor asked for without the permission", async () => {
  const env = { MUSER_LIBRARY: "/nowhere/libMuser.so" };
  const { code, stdout } = await run("await told(() => devices());", ["--deny-env"], env);
  // It goes on to the checkout's own library, which it may not load.
  assertEquals(code, 0);
  assertMatch(stdout, /^permission\|Cannot load the native library ".*\/\.muser\/lib\/libMuser\.\w+"/);
});

Deno.test("where no library is found every place is named, with the remedy", async () => {
  const copy = await Deno.makeTempDir();
  try {
    await copyModules(copy);
    const text =
      `import { devices } from "${copy}/mod.ts"; try { devices(); } catch (error) { console.log(error.message); }`;
    for (
      const [flags, clause] of [
        [["--allow-env=MUSER_LIBRARY"], "MUSER_LIBRARY is not set"],
        [[], "MUSER_LIBRARY may not be read without --allow-env=MUSER_LIBRARY"],
      ] as const
    ) {
      await Deno.writeTextFile(`${copy}/main.ts`, text);
      const { stdout } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "--no-config", "--no-lock", "--no-prompt", "--allow-ffi", ...flags, `${copy}/main.ts`],
        env: { MUSER_LIBRARY: "" },
      }).output();
      const message = new TextDecoder().decode(stdout).trim();
      assertEquals(
        message.startsWith(`Cannot load the native library: the option "library" is not given, ${clause}, "`),
        true,
      );
      assertMatch(
        message,
        /\.muser\/lib\/libMuser\.\w+" cannot be loaded \(.*\), the folder of setup .* build it with `deno task build`$/,
      );
    }
  } finally {
    await Deno.remove(copy, { recursive: true });
  }
});

Deno.test("as a remote module the package looks for no checkout and says what to do", async () => {
  const root = new URL("../", import.meta.url);
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const { pathname } = new URL(request.url);
    const text = await Deno.readTextFile(new URL(`.${pathname}`, root));
    return new Response(text, { headers: { "content-type": "text/typescript" } });
  });
  const host = `127.0.0.1:${server.addr.port}`;
  const code = `
    const remote = await import("http://${host}/mod.ts");
    console.log(remote.devices({ library })[0].name);
    try {
      remote.devices();
    } catch (error) {
      console.log(error.code, error.message);
    }`;
  const folder = await Deno.makeTempDir();
  try {
    const { stdout } = await run(code, [`--allow-import=${host}`, "--deny-env", ffi], { DENO_DIR: folder });
    const message =
      'Cannot load the native library: the option "library" is not given, MUSER_LIBRARY may not be read ' +
      `without --allow-env=MUSER_LIBRARY, http://${host}/src/native/library.ts is not in a checkout, ` +
      `the folder of setup is not known without --allow-env=HOME, ` +
      `install it with \`deno run --allow-all jsr:@muser/engine@${version}/setup\` and run with --allow-env=HOME`;
    assertEquals(stdout, `cpu\nlibrary ${message}\n`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** The modules alone, without a library beside them. */
async function copyModules(target: string): Promise<void> {
  const root = new URL("../", import.meta.url);
  await Deno.copyFile(new URL("mod.ts", root), `${target}/mod.ts`);
  const folders = ["src"];
  for (const folder of folders) {
    await Deno.mkdir(`${target}/${folder}`);
    for await (const { name, isDirectory } of Deno.readDir(new URL(folder, root))) {
      const path = `${folder}/${name}`;
      if (isDirectory) folders.push(path);
      else await Deno.copyFile(new URL(path, root), `${target}/${path}`);
    }
  }
}

Deno.test("a missing permission for the cache is told as that, and nothing is written", async () => {
  const folder = await Deno.makeTempDir({ prefix: "muser-test-" });
  try {
    const cache = `${folder}/kernels`;
    const open = `await told(() => Model.open(path, { library, cache: ${JSON.stringify(cache)} }));`;
    const message = `Cannot use the folder "${cache}": Deno may not read and write there, ` +
      `run with --allow-read=${cache} --allow-write=${cache}`;
    const denied = await run(open, [read, ffi, `--allow-read=${cache}`]);
    assertEquals(denied, { code: 0, stdout: `permission|${message}|NotCapable\n`, stderr: "" });
    assertEquals([...Deno.readDirSync(folder)], []);
    const both = [`--allow-read=${smollm2.path},${cache}`, `--allow-write=${cache}`];
    assertEquals((await run(open, [ffi, ...both])).stdout, "no error\n");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
