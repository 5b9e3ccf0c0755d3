import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** How a command ended. */
export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a script of `scripts/` to its end. */
export async function runScript(name: string, args: readonly string[], env?: Record<string, string>): Promise<Outcome> {
  const { code, stdout, stderr } = await new Deno.Command(`${root}scripts/${name}`, { args: [...args], env }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Runs the command line as a person in a checkout does. */
export async function runMuser(args: readonly string[]): Promise<Outcome> {
  return await runScript("muser", args);
}
