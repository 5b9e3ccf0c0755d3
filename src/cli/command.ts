import type { Arguments, Option } from "./options.ts";

/** One command of `muser`. */
export interface Command {
  name: string;
  /** The operands, as the help shows them. */
  operands: string;
  /** One line for the list of commands. */
  summary: string;
  /** More for the command's own help: what is worth knowing, then examples. */
  details: string;
  options: readonly Option[];
  /** Does the work; throws `UsageError` or another error where it cannot. */
  run(input: Arguments): Promise<void>;
}
