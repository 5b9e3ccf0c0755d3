import { shareCore } from "../core.ts";
import { compare } from "../result.ts";
import { COLUMNS } from "../table.ts";
import { here, takeTurns } from "../turns.ts";
import type { Part } from "./part.ts";

/** What the way from TypeScript to the decoder costs, on the smallest lookup there is. */
export const typescript: Part = {
  name: "typescript",
  title: "CPU, one row of the Q4_K table, always the same: from TypeScript and from C",
  async *run({ model, native, rounds }) {
    const into = new Float32Array(COLUMNS);
    const id = Uint32Array.of(42);
    const list = [42];
    await using _core = await shareCore(native);
    const { bare, aligned, called, embed, allocated, listed } = await takeTurns({
      bare: native.timed("one Q4_K shifted"),
      aligned: native.timed("one Q4_K decoder"),
      called: native.timed("row muser"),
      embed: here(() => model.embed(id, { into })),
      allocated: here(() => model.embed(id)),
      listed: here(() => model.embed(list, { into })),
    }, rounds);
    const against = "the bare decoder, from C";
    const what = "model.embed(ids, { into })";
    yield compare({ what, against, wanted: { atMost: 1.14 } }, embed, bare, "ours / theirs");
    yield compare({ what: "model.embed([id], { into })", against }, listed, bare, "ours / theirs");
    yield compare({ what: "model.embed(ids)", against }, allocated, bare, "ours / theirs");
    yield compare({ what: "muser_table_rows from C", against }, called, bare, "ours / theirs");
    // JavaScript's arrays begin 16 bytes into a cache line, so that every wide store touches two.
    const whole = "the bare decoder, from C, to the beginning of a cache line";
    yield compare({ what, against: whole }, embed, aligned, "ours / theirs");
  },
};
