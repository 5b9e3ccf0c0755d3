/**
 * The CUDA device without a GPU: over libraries that stand in for NVIDIA's, and over the real NVRTC where there is one.
 * What only a GPU can show is in `tests/cuda/prove`.
 * @module
 */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { fileURLToPath } from "node:url";
import { Model, MuserError } from "../mod.ts";
import { libraries, nvrtcFolder } from "./cuda/libraries.ts";
import { smollm2 } from "./support/models.ts";

const linux = Deno.build.os === "linux";
const nvrtc = nvrtcFolder();
const compare = fileURLToPath(new URL("cuda/compare.ts", import.meta.url));
const nothing = ["libcuda.so.1", "libcuda.so"];

/** Runs a script in a process whose loader looks in these folders first. */
async function run(folders: string[], args: string[]): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), {
    args,
    env: { LD_LIBRARY_PATH: folders.join(":"), NO_COLOR: "1" },
  });
  const { stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return decoder.decode(stdout) + decoder.decode(stderr);
}

/** What `devices()` says of CUDA, and why a model cannot be opened with it. */
async function cudaFacts(
  folder: string,
): Promise<{ available: boolean; reason: string; detail?: string; error: string }> {
  const script = `
    import { devices, Model } from "${new URL("../mod.ts", import.meta.url)}";
    import { temporaryGGUF } from "${new URL("support/gguf_writer.ts", import.meta.url)}";
    using file = temporaryGGUF({});
    const error = await Model.open(file.path, { device: "cuda" }).then(() => "", ({ message }) => message);
    console.log(JSON.stringify({ ...devices().find(({ name }) => name === "cuda"), error }));`;
  return JSON.parse(await run([folder], ["eval", script]));
}

Deno.test({
  name: "every type has the CPU's bits, every copy and every launch through the CUDA device",
  ignore: !linux,
  fn: async () => {
    const folder = libraries(["libcuda.so.1", "libnvrtc.so.13"]);
    assertStringIncludes(await run([folder], ["run", "-A", compare, "1", "64", "513"]), "\nall 36 agree\n");
  },
});

Deno.test({
  name: nvrtc
    ? "NVRTC compiles every kernel"
    : "NVRTC compiles every kernel (there is none: install nvidia-cuda-nvrtc)",
  ignore: !linux || !nvrtc,
  fn: async () => {
    // Not as libcuda.so.1, which NVRTC itself opens and calls.
    const output = await run([libraries(["libcuda.so"]), nvrtc!], ["run", "-A", compare, "1"]);
    assertStringIncludes(output, "\nall 36 agree\n");
  },
});

Deno.test({
  name: "devices() tells of each name of the driver that does not open",
  ignore: !linux,
  fn: async () => {
    const { available, reason, error } = await cudaFacts(libraries([], nothing));
    assertEquals(available, false);
    assert(
      /^NVIDIA's driver is not usable \(.*libcuda\.so\.1: .*; .*libcuda\.so: .*\); install it/.test(reason),
      reason,
    );
    assertEquals(error, `Cannot use the device "cuda": ${reason}`);
  },
});

Deno.test({
  name: "devices() tells of each name of the compiler that does not open",
  ignore: !linux,
  fn: async () => {
    const versions = ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"];
    const { available, reason } = await cudaFacts(libraries(["libcuda.so.1"], versions));
    // A toolkit in its usual place is found without the loader's path.
    if (available) return;
    for (const name of versions) assertStringIncludes(reason, `${name}: `);
    assertStringIncludes(reason, "LD_LIBRARY_PATH");
  },
});

Deno.test({
  name: "what was compiled is kept in the folder that cache names, and nowhere else",
  ignore: !linux,
  fn: async () => {
    const folder = await Deno.makeTempDir({ prefix: "muser-test-" });
    try {
      const open = (cache: string) => `
        import { Model } from "${new URL("../mod.ts", import.meta.url)}";
        import { temporaryGGUF } from "${new URL("support/gguf_writer.ts", import.meta.url)}";
        const tensor = { name: "token_embd.weight", type: 0, dimensions: [4, 2], bytes: new Uint8Array(32) };
        using file = temporaryGGUF({ tensors: [tensor] });
        using model = await Model.open(file.path, { device: "cuda", ${cache} });
        console.log(model.embed([1]).length);`;
      const names = () => [...Deno.readDirSync(folder)].map(({ name }) => name.replace(/[0-9a-f]{16}/, "…"));
      const libraryFolder = libraries(["libcuda.so.1", "libnvrtc.so.13"]);
      assertEquals(await run([libraryFolder], ["eval", open("")]), "4\n");
      assertEquals(names(), []);
      for (const time of ["first", "second"]) {
        assertEquals(await run([libraryFolder], ["eval", open(`cache: ${JSON.stringify(folder)}`)]), "4\n", time);
        assertEquals(names(), ["muser_embedding_f32-….kernel"], time);
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test("a cache that cannot be a folder is refused", async () => {
  await assertRejects(
    () => Model.open(smollm2.path, { cache: smollm2.path }),
    MuserError,
    `Cannot use the folder "${smollm2.path}": `,
  );
});

Deno.test("open() refuses tables in a mapped file that is not mapped", async () => {
  await assertRejects(
    () => Model.open("none.gguf", { map: false, placement: "mapped" }),
    RangeError,
    `Cannot open "none.gguf" with the placement "mapped" and without mapping: leave one of them out`,
  );
});

Deno.test({
  name: "devices() names the GPU and what compiles for it",
  ignore: !linux,
  fn: async () => {
    const facts = await cudaFacts(libraries(["libcuda.so.1", "libnvrtc.so.13"]));
    assertEquals(
      facts,
      {
        name: "cuda",
        available: true,
        reason: "",
        detail: "Fake GPU, sm_90, libnvrtc.so.13 of CUDA 13.0",
        memory: 2 ** 30,
        error: "",
      } as typeof facts,
    );
  },
});
