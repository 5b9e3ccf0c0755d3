import { assertEquals, assertMatch } from "@std/assert";
import { main } from "../../src/cli.ts";
import { temporaryGGUF } from "../support/gguf_writer.ts";
import { littleModel, muser, shell } from "./muser.ts";

Deno.test("main() is the whole command line: it returns the exit status and ends nothing", async () => {
  assertEquals(await main(["inspect", "--no-such-option"]), 2);
});

Deno.test("muser --help and the help of every command go to standard output", async () => {
  const overview = await muser(["--help"]);
  assertEquals([overview.status, overview.error], [0, ""]);
  for (const name of ["inspect", "embed", "devices", "verify", "completions"]) {
    assertMatch(overview.out, new RegExp(`^  ${name} `, "m"));
    const [long, short, word] = await Promise.all([
      muser([name, "--help"]),
      muser([name, "-h"]),
      muser(["help", name]),
    ]);
    assertMatch(long.out, new RegExp(`^muser ${name}`));
    assertEquals([long.status, long.error, short.out, word.out], [0, "", long.out, long.out]);
  }
});

Deno.test("muser without a command, and with one mistyped, is wrong usage and says what may be meant", async () => {
  const cases = [
    [[], /^muser: No command is given\nSee: muser --help\n$/],
    [["inspct"], /^muser: Unknown command "inspct", did you mean "inspect"\?\nSee: muser --help\n$/],
    [["frobnicate"], /^muser: Unknown command "frobnicate"\nSee: muser --help\n$/],
    [["--frob"], /^muser: Unknown option "--frob"\n/],
    [["inspect"], /^muser: FILE is missing: name a GGUF file\nSee: muser inspect --help\n$/],
    [["inspect", "--jsno", "x"], /^muser: Unknown option --jsno, did you mean --json\?\nSee: muser inspect --help\n$/],
    [["devices", "--offset", "1"], /^muser: Unknown option --offset\nSee: muser devices --help\n$/],
    [["inspect", "a", "b"], /^muser: Unexpected argument "b"/],
    [["inspect", "--json=yes", "a"], /^muser: Option --json takes no value\n/],
    [["verify", "a", "b"], /^muser: Unexpected argument "b"/],
    [["devices", "x"], /^muser: Unexpected argument "x"/],
    [["completions"], /^muser: The shell is missing/],
    [["completions", "tcsh"], /^muser: No completions for "tcsh", use bash/],
  ] as const;
  for (const [args, message] of cases) {
    const run = await muser(args);
    assertMatch(run.error, message);
    assertEquals([run.status, run.out], [2, ""]);
  }
});

Deno.test("muser answers every file that is no sound model with one line and status 1", async () => {
  using file = temporaryGGUF(littleModel());
  const bytes = Deno.readFileSync(file.path);
  const [cut, text, empty, fifo] = ["cut", "text", "empty", "fifo"].map((name) => `${file.path}.${name}`) as [
    string,
    string,
    string,
    string,
  ];
  Deno.writeFileSync(cut, bytes.subarray(0, bytes.length - 40));
  Deno.writeTextFileSync(text, "This is a text and no model.\n".repeat(10));
  Deno.writeFileSync(empty, new Uint8Array());
  await shell(`mkfifo ${fifo}`);
  for (const path of [`${file.path}.missing`, "/tmp", fifo, "/dev/null", text, empty, cut]) {
    for (const args of [["inspect", path], ["embed", path, "0"], ["verify", path]]) {
      const run = await muser(args);
      assertMatch(run.error, /^muser: Cannot [^\n]+\n$/);
      assertEquals([run.status, run.out], [1, ""]);
    }
  }
});

Deno.test("muser says which library it could not load", async () => {
  for (const args of [["devices"], ["inspect", "x.gguf"]]) {
    const run = await muser([...args, "--library", "/no/such/library.so"]);
    assertMatch(run.error, /^muser: Cannot load the native library[^\n]*\/no\/such\/library\.so[^\n]*\n$/);
    assertEquals([run.status, run.out], [1, ""]);
  }
});

Deno.test("muser devices tells for each device whether it is available, and why not", async () => {
  const list = JSON.parse((await muser(["devices", "--json"])).out);
  assertEquals(list.map(({ name }: { name: string }) => name), ["cpu", "metal", "cuda"]);
  for (const { available, reason } of list) assertEquals([typeof available, reason === ""], ["boolean", available]);
  assertMatch((await muser(["devices"])).out, /^ {2}cpu +yes/m);
});

Deno.test("muser completions bash completes commands, options and their values", async () => {
  const complete = async (...words: string[]): Promise<string> => {
    const line = `eval "$("$@" completions bash)"; COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); ` +
      `COMP_CWORD=${words.length - 1}; _muser; echo "\${COMPREPLY[*]}"`;
    return (await shell(`exec bash -c '${line.replaceAll("'", `'\\''`)}' bash "$@"`)).out.trim();
  };
  assertEquals(await complete("muser", "in"), "inspect");
  assertEquals(await complete("muser", "embed", "--form"), "--format");
  assertEquals(await complete("muser", "embed", "f", "--format", "js"), "json jsonl");
  assertEquals(await complete("muser", "inspect", "--device", ""), "auto cpu metal cuda");
  assertEquals(await complete("muser", "inspect", "--format", "js"), "");
  assertEquals(await complete("muser", "embed", "--ids", ""), "");
  assertEquals(await complete("muser", "help", "ver"), "verify");
});
