/**
 * Folders of libraries that stand in for NVIDIA's, to be put on the loader's path of another process.
 *
 * Usage: deno run -A tests/cuda/libraries.ts COMMAND…      runs the command with the stand-in, as `device: "cuda"`
 * @module
 */
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = Deno.makeTempDirSync({ prefix: "muser-cuda-" });
addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));

/** The stand-in for both libraries, with the kernels compiled as C++. Made once. */
let standIn: string | undefined;

function compile(): string {
  if (standIn) return standIn;
  const kernels = `${root}swift/Tests/MetalKernels`;
  clang(["-O1", "-w", "-fPIC", "-c", "-o", `${folder}/fake.o`, `${root}tests/cuda/fake_cuda.c`]);
  clang([
    ...["-x", "c++", "-std=c++20", "-O1", "-w", "-fPIC", "-shared", "-I", `${kernels}/include`],
    ...["-o", `${folder}/fake.so`, `${kernels}/kernels.cpp`, "-x", "none", `${folder}/fake.o`, "-lstdc++", "-lm"],
  ]);
  return standIn = `${folder}/fake.so`;
}

function clang(args: string[]): void {
  const { success, stderr } = new Deno.Command("clang", { args }).outputSync();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** A folder in which these names are the stand-in, and these others no libraries at all. */
export function libraries(names: string[], broken: string[] = []): string {
  const libraries = Deno.makeTempDirSync({ dir: folder });
  for (const name of names) Deno.symlinkSync(compile(), `${libraries}/${name}`);
  for (const name of broken) Deno.writeTextFileSync(`${libraries}/${name}`, "no library");
  return libraries;
}

/** The folder of a real NVRTC, which needs no GPU; `undefined` where there is none. */
export function nvrtcFolder(): string | undefined {
  const named = Deno.env.get("MUSER_NVRTC");
  if (named) return named.slice(0, named.lastIndexOf("/"));
  for (const packages of glob(`${root}.muser/python/lib`, /^python3/, "site-packages/nvidia")) {
    for (const libraries of glob(packages, /^(cu\d+|cuda_nvrtc)$/, "lib")) {
      if ([...Deno.readDirSync(libraries)].some(({ name }) => /^libnvrtc\.so\.\d+$/.test(name))) return libraries;
    }
  }
}

/** `within` of each entry of `path` whose name matches, where there is such a thing. */
function glob(path: string, names: RegExp, within: string): string[] {
  try {
    return [...Deno.readDirSync(path)].filter(({ name }) => names.test(name)).map(({ name }) =>
      `${path}/${name}/${within}`
    )
      .filter((found) => Deno.statSync(found).isDirectory);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

if (import.meta.main) {
  const [command, ...args] = Deno.args;
  const env = { LD_LIBRARY_PATH: libraries(["libcuda.so.1", "libnvrtc.so.13"]), MUSER_TEST_DEVICE: "cuda" };
  const { code } = await new Deno.Command(command!, { args, env }).spawn().status;
  Deno.exit(code);
}
