/** llama.cpp's vocabulary-only files, fetched when the tests run. */
import { fileURLToPath } from "node:url";

const { folder, reason } = await fetchFolder();

async function fetchFolder(): Promise<{ folder: string; reason: string }> {
  const script = fileURLToPath(new URL("fetch_vocabularies", import.meta.url));
  const { success, stdout, stderr } = await new Deno.Command(script).output();
  const decoder = new TextDecoder();
  if (success) return { folder: decoder.decode(stdout).trim(), reason: "" };
  return { folder: "", reason: decoder.decode(stderr).trim().split("\n").at(-1) || "fetch_vocabularies failed" };
}

/** A test with one of the files; ignored, with the reason, where they cannot be had. */
export function testVocabulary(vocabulary: string, sentence: string, run: (path: string) => Promise<void>): void {
  Deno.test({
    name: reason === "" ? sentence : `${sentence} (${reason})`,
    ignore: reason !== "",
    fn: () => run(`${folder}/ggml-vocab-${vocabulary}.gguf`),
  });
}
