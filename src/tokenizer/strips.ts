import { NORMAL, type TokenTable } from "./tokens.ts";
import type { TokenizerSource } from "./source.ts";

/** Special tokens that swallow the white space before or after them. */
export interface Strips {
  readonly left: ReadonlySet<number>;
  readonly right: ReadonlySet<number>;
}

/** Files do not say which tokens swallow white space: it is known by the model's name, architecture or pre-tokenizer. */
export function stripsOf(source: TokenizerSource, pre: string, tokens: TokenTable, kinds: Uint8Array): Strips {
  const name = String(source.get("general.name") ?? "").toLowerCase();
  const architecture = String(source.get("general.architecture") ?? "");
  const left = new Set<number>();
  const right = new Set<number>();
  if (pre.startsWith("jina-v2-") || /nomic-bert-moe|jina-bert-v3/.test(architecture)) {
    left.add(tokens.findText("<mask>"));
  } else if (/phi-?3/.test(name)) {
    kinds.forEach((kind, id) => {
      if (kind !== NORMAL) right.add(id);
    });
    for (const text of ["<unk>", "<s>", "<|endoftext|>"]) right.delete(tokens.findText(text));
  } else if (name.includes("modern-bert")) {
    left.add(tokens.findText("[MASK]"));
  }
  return { left, right };
}
