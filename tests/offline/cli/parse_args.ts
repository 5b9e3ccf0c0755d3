/**
 * Stands in for `@std/cli/parse-args` where JSR cannot be reached: the part of it that our command line uses.
 * @module
 */

/** What `parseArgs` is told; every option not named in `string` or `boolean` is unknown. */
export interface ParseOptions {
  string?: readonly string[];
  boolean?: readonly string[];
  /** Options that may be given several times: their values come in an array. */
  collect?: readonly string[];
  /** Called for each operand and each unknown option; `false` leaves it out of the result. */
  unknown?: (argument: string, key?: string, value?: unknown) => unknown;
}

/** Options by name, operands in `_`. */
export type Parsed = Record<string, unknown> & { _: string[] };

export function parseArgs(args: readonly string[], options: ParseOptions = {}): Parsed {
  const { string = [], boolean = [], collect = [], unknown = () => true } = options;
  const parsed: Parsed = { _: [] };
  for (const key of boolean) parsed[key] = false;
  for (const key of collect) parsed[key] = [];

  const set = (argument: string, key: string, value: unknown) => {
    if (!string.includes(key) && !boolean.includes(key) && unknown(argument, key, value) === false) return;
    if (collect.includes(key)) (parsed[key] as unknown[]).push(value);
    else parsed[key] = value;
  };

  for (let i = 0; i < args.length; i++) {
    const argument = args[i]!;
    if (argument === "--") {
      parsed._.push(...args.slice(i + 1));
      break;
    }
    const option = /^--?([^-=][^=]*)(?:=(.*))?$/s.exec(argument);
    if (!option) {
      if (unknown(argument) !== false) parsed._.push(argument);
      continue;
    }
    const [, key, given] = option as unknown as [string, string, string | undefined];
    const next = args[i + 1];
    const isSwitch = boolean.includes(key);
    const follows = given === undefined && next !== undefined &&
      (isSwitch ? next === "true" || next === "false" : !next.startsWith("-"));
    if (follows) i++;
    const value = follows ? next : given;
    set(argument, key, isSwitch ? value === undefined || value === "true" : value ?? "");
  }
  return parsed;
}
