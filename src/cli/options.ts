import { parseArgs } from "@std/cli/parse-args";
import { UsageError } from "./failure.ts";
import { suggest } from "./suggest.ts";

/** An option of a command, `--name` or `--name VALUE`. */
export interface Option {
  name: string;
  /** What the value is called in the help; an option without one is a switch. */
  value?: string;
  /** The value may be left out. */
  optional?: boolean;
  /** The option may be given more than once. */
  repeats?: boolean;
  /** The only values allowed. */
  choices?: readonly string[];
  /** The value is a path, for shell completion. */
  path?: boolean;
  /** One line for the help. */
  summary: string;
}

/** What was typed after the name of a command. */
export class Arguments {
  /** The arguments that belong to no option. */
  readonly operands: readonly string[];
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(operands: readonly string[], values: ReadonlyMap<string, readonly string[]>) {
    this.operands = operands;
    this.#values = values;
  }

  /** Whether the option was given. */
  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** The option's value; "" where an optional value was left out. */
  value(name: string): string | undefined {
    return this.#values.get(name)?.[0];
  }

  /** Every value of an option that may be repeated. */
  values(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }
}

/** Reads a command's arguments; throws a `UsageError` for anything that `options` does not allow. */
export function parseArguments(args: readonly string[], options: readonly Option[]): Arguments {
  const valued = options.filter((option) => option.value !== undefined).map(({ name }) => name);
  const switches = options.filter((option) => option.value === undefined).map(({ name }) => name);
  const parsed: Record<string, unknown> = parseArgs(joinValues(args, options), {
    string: ["_", ...valued],
    boolean: switches,
    collect: [...valued, ...switches],
    unknown: (argument: string, key?: string): boolean => key === undefined || refuse(argument, options),
  });
  const values = new Map<string, readonly string[]>();
  for (const option of options) {
    const given = listOf(parsed[option.name]);
    if (given.length > 0) values.set(option.name, checked(option, given));
  }
  return new Arguments(listOf(parsed._), values);
}

/**
 * Writes `--name VALUE` as `--name=VALUE`. The parser takes no value that begins with a dash, but `--ids -`,
 * `--scale -1` and `--token --` mean what they say.
 */
function joinValues(args: readonly string[], options: readonly Option[]): string[] {
  const joined: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index]!;
    if (argument === "--") return [...joined, ...args.slice(index)];
    const [, name, given] = /^--([^=]+)(?:=(.*))?$/s.exec(argument) ?? [];
    const option = options.find((candidate) => candidate.name === name);
    const follows = option !== undefined && given === undefined && takesNext(option, args[index + 1]);
    if (follows) index += 1;
    joined.push(follows ? `${argument}=${args[index]}` : argument === "-h" ? "--help" : argument);
    if (option !== undefined) assertValue(option, follows ? args[index] : given);
  }
  return joined;
}

function takesNext({ value, optional }: Option, next: string | undefined): boolean {
  return value !== undefined && next !== undefined && !(optional && next.startsWith("-"));
}

function assertValue({ name, value, optional }: Option, given: string | undefined): void {
  if (value === undefined && given !== undefined) throw new UsageError(`Option --${name} takes no value`);
  if (value !== undefined && !given && !optional) throw new UsageError(`Option --${name} needs a value: ${value}`);
}

function refuse(argument: string, options: readonly Option[]): never {
  const name = argument.split("=", 1)[0]!;
  const meant = suggest(name, options.map((option) => `--${option.name}`));
  const help = /^-\d/.test(argument)
    ? `, options end at "--": write -- ${argument}`
    : meant === undefined
    ? ""
    : `, did you mean ${meant}?`;
  throw new UsageError(`Unknown option ${name}${help}`);
}

function listOf(value: unknown): string[] {
  if (value === undefined || value === false) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}

function checked(option: Option, values: readonly string[]): readonly string[] {
  if (values.length > 1 && !option.repeats && option.value !== undefined) {
    throw new UsageError(`Option --${option.name} is given ${values.length} times, give it once`);
  }
  for (const value of values) {
    if (option.choices !== undefined && !option.choices.includes(value)) {
      const meant = suggest(value, option.choices);
      const help = meant === undefined ? `use one of ${option.choices.join(", ")}` : `did you mean ${meant}?`;
      throw new UsageError(`Option --${option.name} has no value "${value}", ${help}`);
    }
  }
  return values;
}
