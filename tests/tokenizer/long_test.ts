import { assertEquals, assertLess } from "@std/assert";
import { gemma3, smollm2 } from "../support/models.ts";
import { testWith } from "./support.ts";

const LENGTH = 1_000_000;

for (const model of [smollm2, gemma3]) {
  const name = model.path.split("/").at(-1);
  for (
    const [what, unit] of Object.entries({
      letters: "a",
      spaces: " ",
      marks: "\u0301",
      "line feeds": "\n",
      "CJK": "世界",
    })
  ) {
    testWith(model, `a run of ${LENGTH} ${what} comes back: ${name}`, (tokenizer) => {
      const text = unit.repeat(LENGTH / unit.length);
      const ids = tokenizer.encode(text);
      assertEquals(tokenizer.decode(ids) === text, true);
      assertLess(ids.length, text.length * 3);
    });
  }

  testWith(model, `one line of 10 MB comes back: ${name}`, (tokenizer) => {
    const text = "Every line ends, but for this one: it goes on (and on). ".repeat(180_000);
    assertEquals(tokenizer.decode(tokenizer.encode(text)) === text, true);
  });
}
