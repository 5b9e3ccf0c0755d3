import { assertEquals, assertMatch } from "@std/assert";
import { fileURLToPath } from "node:url";
import { temporaryGGUF } from "../support/gguf_writer.ts";
import { smollm2 } from "../support/models.ts";
import { pythonPath } from "../support/oracle.ts";
import { command, littleModel, spawn } from "./muser.ts";

const terminal = fileURLToPath(new URL("terminal.py", import.meta.url));

/** What a terminal receives on one stream of `muser ARGS`, with the escape character written out. */
async function seen(
  stream: "out" | "error",
  args: string[],
  env: Record<string, string>,
  slow = false,
): Promise<string> {
  const child = new Deno.Command(pythonPath(), {
    args: [terminal, stream, Deno.execPath(), ...command(), ...args],
    env,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const output = child.output();
  const input = child.stdin.getWriter();
  for (let second = 0; slow && second < 4; second += 1) {
    await input.write(new TextEncoder().encode("0 1 2 3\n".repeat(1000)));
    await new Promise((resume) => setTimeout(resume, 500));
  }
  await input.close();
  return new TextDecoder().decode((await output).stdout).replaceAll("\x1b", "ESC");
}

Deno.test("muser colours what a terminal shows, and not where NO_COLOR is set", async () => {
  using file = temporaryGGUF(littleModel());
  assertMatch(await seen("out", ["inspect", file.path], { NO_COLOR: "" }), /ESC\[1mtoken_embd\.weightESC\[0m/);
  assertEquals((await seen("out", ["inspect", file.path], { NO_COLOR: "1" })).includes("ESC"), false);
});

Deno.test("muser writes control characters of a text out when a terminal shows it", async () => {
  using file = temporaryGGUF(littleModel());
  const args = ["inspect", file.path, "--metadata", "tokenizer.chat_template"];
  assertEquals(await seen("out", args, { NO_COLOR: "1" }), "first line\r\nsecond line\r\n");
});

Deno.test("muser embed shows its progress on a terminal when it takes long, and takes it away at the end", async () => {
  using file = temporaryGGUF(littleModel());
  const args = ["embed", file.path, "--ids", "-", "--format", "raw"];
  const received = await seen("error", args, { NO_COLOR: "1" }, true);
  assertMatch(received, /\r[\d,]+ rows, [\d,]+\/sESC\[K/);
  assertEquals(received.endsWith("\rESC[K"), true);
  assertEquals(await seen("error", args, { NO_COLOR: "1" }), "");
});

Deno.test({
  name: "muser embed of a million rows takes less than 100 MB more than of one row",
  ignore: !smollm2.available || Deno.build.os !== "linux",
  async fn() {
    const million = "1 49151 17 40000\n".repeat(250_000);
    const [one, many] = [await peakOf("1"), await peakOf(million)];
    assertEquals(many.bytes, 1_000_000 * 576 * 4);
    assertEquals(many.peak - one.peak < 100e6, true, `${one.peak} and ${many.peak} bytes`);
  },
});

/** The most memory that was resident while rows went through a pipe, and how many bytes came out. */
async function peakOf(ids: string): Promise<{ peak: number; bytes: number }> {
  await using child = spawn(["embed", smollm2.path, "--ids", "-", "--format", "raw"], "piped");
  const feeding = new Blob([ids]).stream().pipeTo(child.stdin);
  const errors = child.stderr.cancel();
  let [peak, bytes] = [0, 0];
  for await (const piece of child.stdout) {
    bytes += piece.length;
    const status = /VmHWM:\s+(\d+) kB/.exec(Deno.readTextFileSync(`/proc/${child.pid}/status`));
    peak = Math.max(peak, Number(status?.[1] ?? 0) * 1024);
  }
  await Promise.all([feeding, errors]);
  return { peak, bytes };
}
