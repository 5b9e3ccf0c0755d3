import { fileURLToPath } from "node:url";
import { assert } from "@std/assert";
import { runPython } from "../support/oracle.ts";

const program = fileURLToPath(new URL("bounds.py", import.meta.url));
const MEBIBYTE = 2 ** 20;

Deno.test({
  name: "opening the largest headers takes about a second at most and memory in proportion to the header",
  ignore: Deno.build.os !== "linux", // counts in /proc
  fn: async () => {
    const lines = new TextDecoder().decode(await runPython(program)).trim().split("\n");
    assert(lines.length >= 12, "headers are missing");
    for (const line of lines) {
      const { title, mapped, header, extra, seconds } = JSON.parse(line);
      // 0.7 s on a quiet machine; what this is to find, time that grows with the square of the header, takes minutes.
      assert(seconds < 5, line);
      // A million tensors cost 24 bytes each, and a header that is read instead of mapped is held, with some bytes more.
      const isWide = title.includes("tensors");
      assert(extra <= 8 * MEBIBYTE + (isWide ? header : 0) + (mapped ? 0 : 8 * MEBIBYTE), line);
    }
  },
});
