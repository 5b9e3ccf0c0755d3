import type { Command } from "./command.ts";
import { IdParser, integer } from "./id_parser.ts";
import { type IdBatch, idsOfFile } from "./ids.ts";
import { fileAndWords, fileOptions, openModel } from "./model_options.ts";
import type { Arguments } from "./options.ts";
import { standardOutput } from "./output.ts";
import { tokenizerOf } from "./texts.ts";

/** `muser detokenize`: ids to text. */
export const detokenize: Command = {
  name: "detokenize",
  operands: "FILE [ID…]",
  summary: "Writes the text of token ids",
  details: `Without an ID the ids come from --ids or standard input, separated by white space, and their text is
written as they arrive.

Example:
  muser detokenize model.gguf 19556 28`,
  options: [
    { name: "ids", value: "FILE", path: true, summary: "Ids from a file; - for standard input" },
    { name: "special", summary: "Writes control tokens too" },
    ...fileOptions,
  ],
  run,
};

async function run(input: Arguments): Promise<void> {
  const { file, words } = fileAndWords(input);
  words.forEach(integer);
  using model = await openModel(file, input, { device: "cpu" });
  const tokenizer = tokenizerOf(model);
  const { size } = tokenizer;
  const parser = new IdParser({ count: size, action: "decode", state: `the vocabulary has ${size} tokens` });
  const path = input.value("ids") ?? (words.length > 0 ? undefined : "-");
  const output = standardOutput();
  const decoder = tokenizer.decoder({ skipSpecial: !input.has("special") });
  const write = (text: string): Promise<void> => output.write(new TextEncoder().encode(text));
  for await (const { ids } of idsOf(words, path, parser)) await write(decoder.push(ids));
  await write(decoder.end() + (output.terminal ? "\n" : ""));
}

async function* idsOf(words: readonly string[], path: string | undefined, parser: IdParser): AsyncGenerator<IdBatch> {
  yield { ids: Uint32Array.from(words, (word) => parser.word(word)) };
  if (path !== undefined) yield* idsOfFile(path, parser);
}
