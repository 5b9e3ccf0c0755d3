import { fileURLToPath } from "node:url";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Model, MuserError } from "../../mod.ts";
import { temporaryGGUF, u16, writeGGUF } from "../support/gguf_writer.ts";
import { runProgram } from "./process.ts";

const library = fileURLToPath(new URL("../../.muser/lib/libMuser.so", import.meta.url));
const isLinux = Deno.build.os === "linux";

function model(): { path: string } & Disposable {
  return temporaryGGUF({
    tensors: [{ name: "token_embd.weight", type: 0, dimensions: [4, 2], bytes: new Uint8Array(32) }],
  });
}

/** Whether strace is there and may trace, which some containers forbid. */
function canTrace(): boolean {
  try {
    return new Deno.Command("strace", { args: ["-qq", "-o", "/dev/null", "true"], stderr: "null" }).outputSync()
      .success;
  } catch {
    return false;
  }
}

/**
 * The calls of a trace, with those put together that another thread's call has split. Of a thread that ends with the
 * process the tracer may know nothing but that it has let go of it.
 */
function callsOf(trace: string): string[] {
  const begun = new Map<string, string>();
  return trace.split("\n").flatMap((line) => {
    if (/^\d+ +\?\?\?\( <detached \.\.\.>$/.test(line)) return [];
    const [, thread = "", begin] = /^(\d+) +(.*) <unfinished \.\.\.>$/.exec(line) ?? [];
    if (begin !== undefined) {
      begun.set(thread, begin);
      return [];
    }
    return [line.replace(/^(\d+) +<\.\.\. \w+ resumed>/, (_, thread: string) => begun.get(thread) ?? "")];
  });
}

/** Both parts of a split model in a folder of their own. */
function splitModel(): { first: string; second: string } & Disposable {
  const folder = Deno.makeTempDirSync({ prefix: "muser-test-" });
  const paths = [1, 2].map((part) => `${folder}/m-0000${part}-of-00002.gguf`);
  for (const [index, path] of paths.entries()) {
    const name = index ? "other.weight" : "token_embd.weight";
    Deno.writeFileSync(
      path,
      writeGGUF({
        metadata: { "split.no": u16(index), "split.count": u16(2) },
        tensors: [{ name, type: 0, dimensions: [4, 2], bytes: new Uint8Array(32) }],
      }),
    );
  }
  return { first: paths[0]!, second: paths[1]!, [Symbol.dispose]: () => Deno.removeSync(folder, { recursive: true }) };
}

const tellCode = `
  const open = (path) => Model.open(path, { library: ${JSON.stringify(library)} });
  console.log(await open(path).then(() => "opened", (error) => error.code + " " + error.message));`;

Deno.test("a part of a split model that may not be read is not opened, and is named", async () => {
  using parts = splitModel();
  const allowed = [`--allow-ffi=${library}`, "--no-prompt"];
  const one = await runProgram(parts.first, tellCode, [...allowed, `--allow-read=${parts.first}`]);
  assert(one.stdout.startsWith("permission "), one.stdout + one.stderr);
  assertStringIncludes(one.stdout, parts.second);
  const both = await runProgram(parts.first, tellCode, [...allowed, `--allow-read=${parts.first},${parts.second}`]);
  assertEquals(both.stdout, "opened\n", both.stderr);
});

Deno.test("a name that speaks of 99,999 parts is answered at once", async () => {
  using parts = splitModel();
  const path = parts.first.replace("-of-00002", "-of-99999");
  Deno.renameSync(parts.first, path);
  const begin = performance.now();
  const error = await assertRejects(() => Model.open(path), MuserError);
  assertEquals(error.code, "split");
  assert(error.message.length < 3000 && performance.now() - begin < 10_000, `${performance.now() - begin} ms`);
});

Deno.test({
  name: "opening and looking up open the library and the model, write nothing and connect to nothing",
  ignore: !(isLinux && canTrace()),
  fn: async () => {
    using file = model();
    const folder = Deno.makeTempDirSync({ prefix: "muser-test-" });
    try {
      const program = `${folder}/program.ts`;
      const module = new URL("../../mod.ts", import.meta.url).href;
      Deno.writeTextFileSync(
        program,
        `import { Model } from "${module}";
        using model = await Model.open("${file.path}", { library: "${library}" });
        model.embed([1]);
        await model.embedAsync([1]);
        model.check();`,
      );
      const deno = ["run", "--no-config", "--no-lock", "--quiet", "--no-prompt", `--allow-read=${file.path}`];
      const traced = [
        "-f",
        "-qq",
        "-e",
        "signal=none",
        "-e",
        "trace=open,openat,creat,connect,unlink,rename,mkdir",
        "-o",
        `${folder}/calls`,
      ];
      const { code, stderr } = await new Deno.Command("strace", {
        args: [...traced, Deno.execPath(), ...deno, `--allow-ffi=${library}`, program],
        env: { DENO_NO_UPDATE_CHECK: "1" }, // Deno asks for its newest version at a moment of its own
      }).output();
      assertEquals(code, 0, new TextDecoder().decode(stderr));
      const calls = callsOf(Deno.readTextFileSync(`${folder}/calls`));
      // What follows the opening of the library: Deno itself writes its caches when it starts.
      const after = calls.slice(calls.findIndex((call) => call.includes(library)));
      const ours = after.filter((call) => !/deno|\/proc\/|\/sys\/|\/dev\/|\/etc\/|ENOENT/i.test(call));
      const unexpected = ours.filter((call) =>
        /O_WRONLY|O_RDWR|O_CREAT|connect|unlink|rename|mkdir/.test(call) || !/libMuser|model\.gguf|\.so/.test(call)
      );
      assertEquals(unexpected.filter((call) => call.trim() !== ""), []);
      assert(ours.some((call) => call.includes(file.path)), "the trace shows no opening of the model");
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  },
});

Deno.test("a library in the working directory is not loaded", async () => {
  using file = model();
  const folder = Deno.makeTempDirSync({ prefix: "muser-test-" });
  try {
    for (const path of [folder, `${folder}/.muser/lib`]) {
      Deno.mkdirSync(path, { recursive: true });
      Deno.writeTextFileSync(`${path}/libMuser.so`, "no library");
    }
    const program = `${folder}/program.ts`;
    const module = new URL("../../mod.ts", import.meta.url).href;
    Deno.writeTextFileSync(
      program,
      `import { Model } from "${module}";\nusing _ = await Model.open("${file.path}");\n`,
    );
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-config", "--no-lock", "--quiet", "--allow-all", program],
      cwd: folder,
      env: { LD_LIBRARY_PATH: folder, MUSER_LIBRARY: "" },
    }).output();
    assertEquals(code, 0, new TextDecoder().decode(stderr));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
