import { assertEquals, assertMatch } from "@std/assert";
import { Model } from "../../mod.ts";
import { temporaryGGUF } from "../support/gguf_writer.ts";
import { smollm2 } from "../support/models.ts";
import { littleModel, muser } from "./muser.ts";

const TEXT = "Hello, wörld! 😀\n";
const ignore = !smollm2.available;

async function expectedIds(text: string): Promise<number[]> {
  using model = await Model.open(smollm2.path);
  return [...model.tokenizer.encode(text)];
}

Deno.test({ name: "muser tokenize shows id, piece, bytes and offset of each token", ignore }, async () => {
  const run = await muser(["tokenize", smollm2.path, "Hello", "wörld"]);
  assertMatch(run.out, /^ +id +piece +bytes +offset\n +19556 +"Hello" +48 65 6c 6c 6f +0\n +\d+ +" w/);
  assertEquals([run.status, run.error], [0, ""]);
  const list = JSON.parse((await muser(["tokenize", smollm2.path, TEXT, "--json"])).out);
  assertEquals(list.map(({ id }: { id: number }) => id), await expectedIds(TEXT));
  const bytes = Uint8Array.from(list.flatMap(({ bytes }: { bytes: number[] }) => bytes));
  assertEquals(new TextDecoder().decode(bytes), TEXT);
  assertEquals(list[0], { id: 19556, piece: "Hello", offset: 0, bytes: [72, 101, 108, 108, 111] });
  assertEquals(JSON.parse((await muser(["tokenize", smollm2.path, "", "--json"])).out), []);
});

Deno.test(
  { name: "muser tokenize --ids and muser detokenize undo each other, streamed from a pipe", ignore },
  async () => {
    const text = TEXT.repeat(20_000);
    const ids = await muser(["tokenize", smollm2.path, "--ids"], text);
    assertEquals(ids.out.trimEnd().split("\n").map(Number), await expectedIds(text));
    assertEquals((await muser(["detokenize", smollm2.path], ids.out)).out, text);
  },
);

Deno.test(
  { name: "muser detokenize takes ids as arguments and leaves control tokens out unless asked", ignore },
  async () => {
    assertEquals((await muser(["detokenize", smollm2.path, "1", "19556", "2"])).out, "Hello");
    assertEquals((await muser(["detokenize", smollm2.path, "1", "19556", "--special"])).out, "<|im_start|>Hello");
    const run = await muser(["detokenize", smollm2.path, "1", "49152"]);
    assertMatch(run.error, /^muser: Cannot decode id 49152 at position 1: the vocabulary has 49152 tokens, [^\n]*\n$/);
    assertEquals([run.status, (await muser(["detokenize", smollm2.path, "x"])).status], [1, 2]);
  },
);

Deno.test(
  { name: "muser tokenize never takes control tokens from a text unless --special all says so", ignore },
  async () => {
    const ids = async (...args: string[]): Promise<string> =>
      (await muser(["tokenize", smollm2.path, "--ids", ...args])).out;
    assertEquals(await ids("<|im_end|>", "--special", "all"), "2\n");
    assertEquals((await ids("<|im_end|>")).split("\n").length > 3, true);
    assertEquals(await ids("Hello", "--bos", "yes", "--eos", "yes"), "1\n19556\n2\n");
  },
);

Deno.test({ name: "muser tokenize reports invalid UTF-8 with its place", ignore }, async () => {
  const path = await Deno.makeTempFile();
  await Deno.writeFile(path, Uint8Array.of(0x61, 0xff));
  const run = await muser(["tokenize", smollm2.path, "--text-file", path]);
  assertMatch(run.error, /^muser: Cannot [^\n]*1[^\n]*\n$/);
  assertEquals([run.status, run.out], [1, ""]);
  const replaced = await muser(["tokenize", smollm2.path, "--text-file", path, "--ids", "--invalid", "replace"]);
  assertEquals([replaced.status, replaced.error], [0, ""]);
  await Deno.remove(path);
});

Deno.test(
  { name: "muser embed --text and --text-file write the rows of their tokens after all others", ignore },
  async () => {
    const ids = await expectedIds(TEXT);
    const expected = await muser([
      "embed",
      smollm2.path,
      "7",
      ...ids.map(String),
      ...ids.map(String),
      "--format",
      "raw",
    ]);
    const args = ["embed", smollm2.path, "--text", TEXT, "--text-file", "-", "7", "--format", "raw"];
    const run = await muser(args, TEXT);
    assertEquals([run.status, run.error], [0, ""]);
    assertEquals(run.bytes, expected.bytes);
  },
);

Deno.test("muser tokenize and embed --text say that a file has no tokenizer", async () => {
  using file = temporaryGGUF(littleModel());
  for (const args of [["tokenize", file.path, "a"], ["embed", file.path, "--text", "a"]]) {
    const run = await muser(args);
    assertMatch(run.error, /^muser: Cannot [^\n]*\n$/);
    assertEquals([run.status, run.out], [1, ""]);
  }
  assertEquals((await muser(["tokenize", file.path, "a", "--text-file", "x"])).status, 2);
  assertEquals((await muser(["tokenize", file.path, "a", "--ids", "--json"])).status, 2);
  assertEquals((await muser(["embed", file.path, "--ids", "-", "--text-file", "-"])).status, 2);
});
