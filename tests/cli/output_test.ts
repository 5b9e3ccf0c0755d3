import { assertEquals, assertMatch } from "@std/assert";
import { temporaryGGUF } from "../support/gguf_writer.ts";
import { assertSameBits } from "../support/values.ts";
import { littleModel, muser, shell, spawn, VALUES } from "./muser.ts";

Deno.test("muser embed --output replaces a file, through a link too, and leaves nothing else behind", async () => {
  using file = temporaryGGUF(littleModel());
  const [path, link] = [`${file.path}.raw`, `${file.path}.link`];
  Deno.writeTextFileSync(path, "something older and longer than the rows that are written now");
  Deno.symlinkSync(path, link);
  const run = await muser(["embed", file.path, "1", "--format", "raw", "--output", link]);
  assertEquals([run.status, run.out, run.error], [0, "", ""]);
  assertSameBits(new Float32Array(Deno.readFileSync(path).buffer), VALUES.slice(3, 6));
  assertEquals(Deno.lstatSync(link).isSymlink, true);
  assertEquals(names(file.path), ["model.gguf", "model.gguf.link", "model.gguf.raw"]);
});

Deno.test("muser embed --output leaves an older file as it was when the work fails", async () => {
  using file = temporaryGGUF(littleModel());
  const path = `${file.path}.raw`;
  Deno.writeTextFileSync(path, "older");
  const input = "0 1 2 ".repeat(20_000) + "9";
  const run = await muser(["embed", file.path, "--ids", "-", "--format", "raw", "--output", path], input);
  assertMatch(run.error, /^muser: Cannot look up id 9 at position 60000: .*\n$/);
  assertEquals([run.status, Deno.readTextFileSync(path)], [1, "older"]);
  assertEquals(names(file.path), ["model.gguf", "model.gguf.raw"]);
});

for (const [signal, status] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
  Deno.test(`muser embed --output leaves no file behind when ${signal} ends it`, async () => {
    using file = temporaryGGUF(littleModel());
    const args = ["embed", file.path, "--ids", "-", "--format", "raw", "--output", `${file.path}.raw`];
    await using child = spawn(args, "piped");
    const input = child.stdin.getWriter();
    await input.write(new TextEncoder().encode("0 1 2 3\n"));
    while (names(file.path).length < 2) await new Promise((resume) => setTimeout(resume, 5));
    child.kill(signal);
    const ended = await child.status;
    await Promise.allSettled([input.close(), child.stdout.cancel(), child.stderr.cancel()]);
    assertEquals([ended.code, names(file.path)], [status, ["model.gguf"]]);
  });
}

Deno.test("muser embed --output writes to a pipe or device and does not replace it", async () => {
  using file = temporaryGGUF(littleModel());
  const fifo = `${file.path}.fifo`;
  const run = await shell(`mkfifo ${fifo}; "$@" embed ${file.path} 1 --format raw --output ${fifo} & cat ${fifo}`);
  assertSameBits(new Float32Array(run.bytes.slice().buffer), VALUES.slice(3, 6));
  assertEquals((await muser(["embed", file.path, "0", "--output", "/dev/null"])).status, 0);
  assertEquals(Deno.statSync("/dev/null").isCharDevice, true);
});

Deno.test("muser embed --output into a missing folder, or a directory, is one line", async () => {
  using file = temporaryGGUF(littleModel());
  const places = [["/no/such/folder/x", /no such file or folder/], ["/tmp", /it is a directory/]] as const;
  for (const [place, message] of places) {
    const run = await muser(["embed", file.path, "0", "--output", place]);
    assertMatch(run.error, /^muser: Cannot write [^\n]*\n$/);
    assertMatch(run.error, message);
    assertEquals(run.status, 1);
  }
});

Deno.test("muser ends quietly and well when the reader of its output has gone", async () => {
  using file = temporaryGGUF(littleModel());
  const ids = `${file.path}.ids`;
  Deno.writeTextFileSync(ids, "0 1 2 3\n".repeat(100_000));
  for (const work of [`embed ${file.path} --ids ${ids}`, `embed ${file.path} --ids ${ids} --format npy`]) {
    const run = await shell(`{ "$@" ${work}; echo $? >&2; } | head -c 1 | wc -c`);
    assertEquals([run.out.trim(), run.error], ["1", "0\n"]);
  }
  for (const work of ["--help", `inspect ${file.path}`, "devices --json"]) {
    const run = await shell(`{ sleep 0.3; "$@" ${work}; echo $? >&2; } | true`);
    assertEquals(run.error, "0\n");
  }
});

Deno.test("muser says in one line that standard output cannot be written", async () => {
  const run = await shell('"$@" devices > /dev/full');
  assertMatch(run.error, /^muser: Cannot write to standard output: No space left[^\n]*\n$/);
  assertEquals(run.status, 1);
});

function names(path: string): string[] {
  const folder = path.slice(0, path.lastIndexOf("/"));
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}
