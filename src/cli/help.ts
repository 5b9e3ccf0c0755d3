import type { Command } from "./command.ts";
import { facts } from "./layout.ts";
import type { Option } from "./options.ts";
import { bold } from "./style.ts";

/** The help of `muser` itself. */
export function overview(commands: readonly Command[]): string {
  return `${bold("muser COMMAND …")}
Looks rows of embedding tables up in GGUF model files.

${facts(commands.map(({ name, summary }) => [name, summary]))}
muser COMMAND --help tells more about a command.
Exit status: 0 done, 1 the work failed, 2 wrong usage.
`;
}

/** The help of one command. */
export function helpOf({ name, operands, summary, details, options }: Command): string {
  const usage = ["muser", name, operands, "[OPTION…]"].filter((part) => part !== "").join(" ");
  const list = facts(options.map((option) => [syntax(option), option.summary]));
  return `${bold(usage)}\n${summary}.\n\n${list}${details === "" ? "" : `\n${details}\n`}`;
}

function syntax({ name, value, optional, repeats }: Option): string {
  if (value === undefined) return `--${name}`;
  const argument = optional ? `[${value}]` : value;
  return `--${name} ${argument}${repeats ? " …" : ""}`;
}
