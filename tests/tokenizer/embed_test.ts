import { assertEquals } from "@std/assert";
import { Model } from "../../mod.ts";
import { smollm2 } from "../support/models.ts";
import { assertSameBits } from "../support/values.ts";

Deno.test({
  name: "embed() takes a text for its tokens",
  ignore: !smollm2.available,
  async fn() {
    using model = await Model.open(smollm2.path);
    const ids = model.tokenizer.encode("Hello <|im_end|> world");
    assertEquals(ids.includes(model.find("<|im_end|>")!), false);
    const expected = model.embed(ids);
    assertSameBits(model.embed("Hello <|im_end|> world"), expected);
    assertSameBits(await model.embedAsync("Hello <|im_end|> world"), expected);
    assertEquals(model.embed("").length, 0);
  },
});
