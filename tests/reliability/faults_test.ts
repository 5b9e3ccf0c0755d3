import { fileURLToPath } from "node:url";
import { assert, assertEquals } from "@std/assert";
import { temporaryGGUF } from "../support/gguf_writer.ts";

const folder = fileURLToPath(new URL("faults/", import.meta.url));
const library = fileURLToPath(new URL("../../.muser/lib/libMuser.so", import.meta.url));

async function run(command: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args, env }).output();
  const text = new TextDecoder().decode(stdout);
  assert(success, `${command} ${args.join(" ")}: ${text}${new TextDecoder().decode(stderr)}`);
  return text;
}

/** Whether faults can be put between a library and the C library here: by preloading, on Linux, with a C compiler. */
async function missing(): Promise<string> {
  if (Deno.build.os !== "linux") return "needs Linux";
  for (const tool of ["clang", "nm"]) {
    try {
      await new Deno.Command(tool, { args: ["--version"], stdout: "null", stderr: "null" }).output();
    } catch {
      return `needs ${tool}`;
    }
  }
  return "";
}

/** Offsets of the library's own code: the Swift runtime beside it ends the process where it gets no memory. */
async function ownCode(): Promise<string> {
  const symbols = (await run("nm", ["--defined-only", "--numeric-sort", library])).split("\n").map((line) =>
    line.split(" ")
  );
  const ranges: string[] = [];
  let end = "";
  for (const [index, [start, , name]] of [...symbols.entries()].reverse()) {
    const next = symbols[index + 1]?.[0];
    if (next !== start) end = next ?? "";
    if (name && end && /5Muser|9MuserCore|^muser_/.test(name)) ranges.unshift(`${start} ${end}`);
  }
  return ranges.join("\n");
}

const reason = await missing();

Deno.test({
  name: `open, describe, look up and close survive every failure of the C library, and leave nothing behind ${reason}`,
  ignore: reason !== "",
  fn: async () => {
    const work = Deno.makeTempDirSync({ prefix: "muser-faults-" });
    const values = Float32Array.from({ length: 2000 * 3 }, (_, index) => 1000 * Math.floor(index / 3) + index % 3);
    using model = temporaryGGUF({
      tensors: [{ name: "table", type: 0, dimensions: [3, 2000], bytes: new Uint8Array(values.buffer) }],
    });
    try {
      Deno.writeTextFileSync(`${work}/ranges`, await ownCode());
      const options = ["-O1", "-Wall", "-Wextra", "-Werror", "-I", folder];
      await run("clang", [...options, "-shared", "-fPIC", "-o", `${work}/faults.so`, `${folder}faults.c`, "-ldl"]);
      await run("clang", [...options, "-o", `${work}/probe`, `${folder}probe.c`, `${work}/faults.so`, "-ldl"]);
      const report = await run(`${work}/probe`, [library, model.path, `${work}/ranges`], {
        LD_PRELOAD: `${work}/faults.so`,
      });
      // What must have failed at least once, so that the test cannot pass by counting nothing.
      const [read, mapped] = report.split("mapped") as [string, string];
      const failures = (part: string, call: string) => Number(part.match(new RegExp(`${call}: (\\d+)`))?.[1]);
      for (const call of ["open EMFILE", "open EINTR", "fstat EIO", "stat EACCES", "malloc"]) {
        assert(failures(read, call) > 0 && failures(mapped, call) > 0, `${call}\n${report}`);
      }
      for (const call of ["pread EIO", "pread EINTR", "pread cut short"]) assert(failures(read, call) > 0, report);
      assert(failures(mapped, "mmap ENODEV") > 0, report);
      assertEquals(failures(read, "mmap ENODEV"), 0, report);
    } finally {
      Deno.removeSync(work, { recursive: true });
    }
  },
});
