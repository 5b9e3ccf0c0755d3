/**
 * A file of Muse Glimmer's shape: its real header's size, 16.7 GB of mostly nothing, a few filled rows.
 * @module
 */
import { fileURLToPath } from "node:url";
import { runPython } from "./oracle.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const script = `${root}scripts/muse_glimmer`;
const path = `${root}.muser/artifact/muse-glimmer.gguf`;

/** The rows of `token_embd.weight` and `output.weight` that are not zero. */
export const filledRows = [0, 42, 200_000, 202_047] as const;

/** The artifact's path; written first where it is missing or older than the script that writes it (a second). */
export async function museGlimmer(): Promise<string> {
  const written = await Deno.stat(path).catch(() => undefined);
  const { mtime } = await Deno.stat(script);
  if (!written?.mtime || !mtime || written.mtime < mtime) {
    await Deno.mkdir(`${root}.muser/artifact`, { recursive: true });
    await runPython(script, [path]);
  }
  return path;
}

/** Lets the kernel forget what it has of the file. */
export async function evict(file: string): Promise<void> {
  await runPython(`${root}tests/support/pages.py`, ["evict", file]);
}

/** Pages of the range that are in memory. */
export async function residentPages(file: string, offset: number, length: number): Promise<number> {
  const output = await runPython(`${root}tests/support/pages.py`, ["resident", file, `${offset}`, `${length}`]);
  return Number(new TextDecoder().decode(output));
}
