import { fileURLToPath } from "node:url";
import { assert, assertEquals } from "@std/assert";
import { f32, temporaryGGUF, text, u32 } from "../support/gguf_writer.ts";

const program = fileURLToPath(new URL("random_arguments.ts", import.meta.url));
/** How many calls, and from which seed; a longer run names its own. */
const calls = Deno.env.get("MUSER_RANDOM_CALLS") ?? "6000";
const seed = Deno.env.get("MUSER_RANDOM_SEED") ?? "1";

Deno.test("random arguments to every public function return or throw an error that is documented", async () => {
  using file = temporaryGGUF({
    metadata: {
      "general.architecture": text("llama"),
      "llama.embedding_length": u32(64),
      "general.name": text("x"),
      "value": f32(1),
    },
    tensors: [{ name: "token_embd.weight", type: 0, dimensions: [64, 64], bytes: new Uint8Array(64 * 64 * 4) }],
  });
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--v8-flags=--expose-gc", program, file.path, seed, calls],
  }).output();
  assertEquals(code, 0, new TextDecoder().decode(stderr));
  const { returned, threw } = JSON.parse(new TextDecoder().decode(stdout));
  assert(returned > Number(calls) / 20 && threw > Number(calls) / 20, `${returned} returned, ${threw} threw`);
});
