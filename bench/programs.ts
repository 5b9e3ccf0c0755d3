/**
 * Programs beside this one: the C++ that is built for the benchmark.
 * @module
 */
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));

/** What the programs include: an argument struct that has changed is a program that is out of date. */
const HEADERS = [
  "shaders/arguments.h",
  "shaders/types.h",
  "swift/Sources/MuserABI/include/muser.h",
  "swift/Sources/MuserCPU/include/MuserCPU.h",
];

/**
 * Builds `bench/NAME.cpp` where it or a header is newer than its program.
 *
 * @returns The program; `undefined` where there is no compiler.
 */
export async function build(name: string): Promise<string | undefined> {
  const source = `${root}bench/${name}.cpp`;
  const program = `${root}.muser/bench/${name}`;
  const sources = [source, ...HEADERS.map((header) => `${root}${header}`)];
  const [made, ...written] = await Promise.all([program, ...sources].map(modified));
  if (made! > Math.max(...written)) return program;
  const compiler = await compilerPath();
  if (compiler === undefined) return undefined;
  await Deno.mkdir(`${root}.muser/bench`, { recursive: true });
  const args = ["-std=c++20", "-O2", "-o", program, source, "-ldl", "-pthread"];
  const { success, stderr } = await new Deno.Command(compiler, { args }).output();
  if (!success) throw new Error(`Cannot build bench/${name}.cpp: ${new TextDecoder().decode(stderr)}`);
  return program;
}

/** `CXX`, else the clang++ beside Swift, else the system's C++ compiler. */
async function compilerPath(): Promise<string | undefined> {
  const given = Deno.env.get("CXX");
  if (given) return given;
  const folders = Deno.env.get("PATH")?.split(":") ?? [];
  const beside = await Promise.all(folders.map((folder) => Deno.realPath(`${folder}/swift`).catch(() => undefined)));
  const candidates = [
    ...beside.flatMap((swift) => swift === undefined ? [] : [swift.replace(/[^/]*$/, "clang++")]),
    ...folders.map((folder) => `${folder}/c++`),
  ];
  for (const compiler of candidates) if (await modified(compiler) > 0) return compiler;
  return undefined;
}

async function modified(path: string): Promise<number> {
  return (await Deno.stat(path).catch(() => undefined))?.mtime?.getTime() ?? 0;
}
