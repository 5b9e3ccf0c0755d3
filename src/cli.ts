/**
 * The command line `muser`.
 *
 * ```sh
 * deno run --allow-read --allow-ffi --allow-env=HOME jsr:@muser/engine/cli inspect model.gguf
 * ```
 *
 * @module
 */
import { commands } from "./cli/commands.ts";
import type { Command } from "./cli/command.ts";
import { ClosedPipe, messageOf, UsageError } from "./cli/failure.ts";
import { helpOf, overview } from "./cli/help.ts";
import { parseArguments } from "./cli/options.ts";
import { print } from "./cli/output.ts";
import { say, write } from "./cli/say.ts";
import { hint } from "./cli/suggest.ts";

/**
 * Runs one command: data goes to standard output, everything else to standard error.
 *
 * @param args The arguments, the command's name first.
 * @returns The exit status: 0 done, 1 the work failed, 2 wrong usage.
 */
export async function main(args: readonly string[]): Promise<number> {
  const [name = "", ...rest] = args;
  try {
    await dispatch(name, rest);
    return 0;
  } catch (error) {
    return report(error, name);
  }
}

async function dispatch(name: string, args: readonly string[]): Promise<void> {
  if (name === "") throw new UsageError("No command is given");
  if (["help", "--help", "-h"].includes(name)) return await help(args[0]);
  const command = find(name);
  const input = parseArguments(args, command.options);
  if (input.has("help")) return await print(helpOf(command));
  await command.run(input);
}

async function help(name?: string): Promise<void> {
  await print(name === undefined ? overview(commands) : helpOf(find(name)));
}

function find(name: string): Command {
  const command = commands.find((candidate) => candidate.name === name);
  if (command !== undefined) return command;
  const noun = name.startsWith("-") ? "option" : "command";
  throw new UsageError(`Unknown ${noun} "${name}"${hint(name, [...commands.map(({ name }) => name), "help"])}`);
}

function report(error: unknown, name: string): number {
  if (error instanceof ClosedPipe) return 0;
  say(messageOf(error));
  if (!(error instanceof UsageError)) return 1;
  const known = commands.some((command) => command.name === name);
  write(known ? `See: muser ${name} --help\n` : "See: muser --help\n");
  return 2;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
