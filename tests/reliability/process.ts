/**
 * Programs of tests that run in processes of their own, because they may end by a signal or have to be counted alone.
 * @module
 */
const module = new URL("../../mod.ts", import.meta.url).href;

/** How a process ended, and what it wrote. */
export interface Ended {
  code: number;
  signal: Deno.Signal | null;
  stdout: string;
  stderr: string;
}

/** Runs a program that has `Model`, `MuserError` and `path`; `gc()` is there. */
export async function runProgram(
  path: string,
  body: string,
  flags: readonly string[] = ["--allow-all"],
): Promise<Ended> {
  const text = `import { Model, MuserError } from "${module}";\nconst path = ${JSON.stringify(path)};\n${body}`;
  const { code, signal, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-config",
      "--no-lock",
      "--quiet",
      "--v8-flags=--expose-gc",
      ...flags,
      `data:text/typescript,${encodeURIComponent(text)}`,
    ],
  }).output();
  const decoder = new TextDecoder();
  return { code, signal, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
