import { Model, type OpenOptions } from "../model.ts";
import { UsageError } from "./failure.ts";
import type { Arguments, Option } from "./options.ts";

/** The option that every command has. */
export const helpOption: Option = { name: "help", summary: "Shows this help" };

/** Options of every command that uses the native library. */
export const libraryOptions: readonly Option[] = [
  { name: "library", value: "PATH", path: true, summary: "The native library to use" },
  helpOption,
];

/** Options of every command that opens a file. */
export const fileOptions: readonly Option[] = [
  { name: "no-map", summary: "Reads rows from the file instead of mapping it" },
  { name: "offset", value: "N", summary: "Where the GGUF begins in a larger file, in bytes" },
  ...libraryOptions,
];

/** Which device serves the model, and how. */
export const deviceOptions: readonly Option[] = [
  {
    name: "device",
    value: "DEVICE",
    choices: ["auto", "cpu", "metal", "cuda"],
    summary: "auto, cpu, metal or cuda",
  },
  {
    name: "cache",
    value: "FOLDER",
    path: true,
    summary: "Keeps there what the device cuda compiles, for the next time",
  },
];

/** The operand FILE, and those after it. */
export function fileAndWords(input: Arguments): { file: string; words: string[] } {
  const [file, ...words] = input.operands;
  if (file === undefined) throw new UsageError("FILE is missing: name a GGUF file");
  return { file, words };
}

/** The operand FILE, and nothing after it. */
export function onlyFile(input: Arguments): string {
  const { file, words: others } = fileAndWords(input);
  if (others.length > 0) throw new UsageError(`Unexpected argument "${others[0]}": one FILE is expected`);
  return file;
}

/** Opens the model that a command is about, as its options say. */
export function openModel(file: string, input: Arguments, overrides: OpenOptions = {}): Promise<Model> {
  const cache = input.value("cache");
  return Model.open(file, {
    ...libraryOf(input),
    ...(cache === undefined ? {} : { cache }),
    device: (input.value("device") ?? "auto") as OpenOptions["device"],
    map: !input.has("no-map"),
    offset: numberOf(input, "offset", /^\d+$/, Number.MAX_SAFE_INTEGER) ?? 0,
    ...overrides,
  });
}

/** `--library`, in the form that functions of the library take. */
export function libraryOf(input: Arguments): { library?: string } {
  const library = input.value("library");
  return library === undefined ? {} : { library };
}

/** The number that an option's value is; `undefined` where it is not given. Any value but a number is wrong usage. */
export function numberOf(input: Arguments, name: string, form: RegExp, limit: number): number | undefined {
  const text = input.value(name);
  if (text === undefined) return undefined;
  if (!form.test(text)) throw new UsageError(`Option --${name} has no value "${text}", use a number`);
  if (Math.abs(Number(text)) > limit) throw new UsageError(`Option --${name} is too large, use at most ${limit}`);
  return Number(text);
}
