// Hands the vectors of a text to another engine: a safetensors file on standard output with `inputs_embeds`,
// f32 [1, tokens, columns], and `input_ids`, i32 [1, tokens], the names that models of the transformers library take.
// SCALE multiplies every value, for models that do so before their first layer (Gemma: the square root of columns).
//
//   deno run --allow-read=MODEL --allow-ffi=LIBRARY examples/feed_rows.ts MODEL TEXT [SCALE] | python generate.py
//
// where generate.py does
//
//   tensors = safetensors.torch.load(sys.stdin.buffer.read())
//   model.generate(inputs_embeds=tensors["inputs_embeds"], max_new_tokens=20)
//
// LIBRARY is the native library: .muser/lib/libMuser.so in a checkout, libMuser.dylib on a Mac.
import { Model } from "@muser/engine";

const [path, text, scale = "1"] = Deno.args;
if (path === undefined || text === undefined || !Number.isFinite(Number(scale))) {
  console.error("feed_rows.ts MODEL TEXT [SCALE]");
  Deno.exit(2);
}

using model = await Model.open(path);
const ids = model.tokenizer.encode(text);
const table = model.table("token_embd.weight", { scale: Number(scale) });
const values = table.rows(ids);
const { writable } = Deno.stdout;
await new Blob([
  header({
    inputs_embeds: { dtype: "F32", shape: [1, ids.length, table.columns], bytes: values.byteLength },
    input_ids: { dtype: "I32", shape: [1, ids.length], bytes: ids.byteLength },
  }),
  values,
  ids,
]).stream().pipeTo(writable);
console.error(`${ids.length} rows of ${table.columns} values`);

/** The length of a JSON text (u64), and the text: what tensors there are, one after another, and where. */
function header(tensors: Record<string, { dtype: string; shape: number[]; bytes: number }>): Uint8Array<ArrayBuffer> {
  let end = 0;
  const entries = Object.entries(tensors).map(([name, { dtype, shape, bytes }]) => {
    return [name, { dtype, shape, data_offsets: [end, end += bytes] }];
  });
  const text = JSON.stringify(Object.fromEntries(entries));
  // Spaces after the text let the values begin at a multiple of 8.
  const bytes = new TextEncoder().encode(" ".repeat(8) + text.padEnd(Math.ceil(text.length / 8) * 8));
  new DataView(bytes.buffer).setBigUint64(0, BigInt(bytes.length - 8), true);
  return bytes;
}
