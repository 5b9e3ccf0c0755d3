import { array, type FileSpec, text } from "../support/gguf_writer.ts";

/** Names that would do harm if they became HTML. */
export const HOSTILE = [
  `</title><script>globalThis.harm = 1</script>`,
  `"><img src=x onerror="harm=1">`,
  `'onfocus='harm=1' tabindex=0 &lt;b&gt; &#60;`,
  `]]><style>*{display:none}</style>`,
  `a\u202eb\nc`,
] as const;

/** A model whose every text is hostile. */
export function hostileModel(): FileSpec {
  const [name, ...others] = HOSTILE;
  const values = (count: number): Uint8Array => new Uint8Array(new Float32Array(count).fill(1).buffer);
  return {
    metadata: {
      "general.name": text(name),
      "general.architecture": text(HOSTILE[1]),
      "tokenizer.ggml.tokens": array([text(HOSTILE[1]), text(HOSTILE[2])]),
    },
    tensors: [
      { name: "token_embd.weight", type: 0, dimensions: [4, 2], bytes: values(8) },
      ...others.map((name) => ({ name, type: 0, dimensions: [4], bytes: values(4) })),
    ],
  };
}
