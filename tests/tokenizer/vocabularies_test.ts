/** llama.cpp's own vocabularies, with its texts and ids. */
import { assertEquals, assertRejects } from "@std/assert";
import { MuserError } from "../../mod.ts";
import { tokenizerOf } from "./support.ts";
import { testVocabulary } from "./vocabularies.ts";

const supported = [
  "command-r",
  "falcon",
  "gpt-2",
  "llama-bpe",
  "llama-spm",
  "mpt",
  "phi-3",
  "qwen2",
  "qwen35",
  "refact",
  "starcoder",
];

for (const name of supported) {
  testVocabulary(
    name,
    `the vocabulary ${name} gives the ids that llama.cpp expects, and the texts back`,
    async (path) => {
      const tokenizer = await tokenizerOf(path);
      const texts = (await Deno.readTextFile(`${path}.inp`)).split("\n__ggml_vocab_test__\n");
      const expected = (await Deno.readTextFile(`${path}.out`)).split("\n");
      texts.forEach((text, at) => {
        const ids = expected[at]!.trim().split(" ").filter((id) => id !== "").map(Number);
        assertEquals([...tokenizer.encode(text, { bos: false, eos: false })], ids, JSON.stringify(text));
        assertEquals(tokenizer.decode(ids), text);
      });
      assertEquals(texts.length > 40, true);
    },
  );
}

const refused = {
  "bert-bge": '"bert"',
  "nomic-bert-moe": '"t5"',
  "gemma-4": '"gemma4"',
  "deepseek-llm": '"deepseek-llm"',
  "deepseek-coder": '"deepseek-coder"',
};

for (const [name, kind] of Object.entries(refused)) {
  testVocabulary(name, `the vocabulary ${name} is refused by its kind, ${kind}`, async (path) => {
    const error = await assertRejects(() => tokenizerOf(path), MuserError, kind);
    assertEquals(error.code, "tokenizer");
  });
}
