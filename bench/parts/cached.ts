import { types } from "../../mod.ts";
import type { Place } from "../place.ts";
import { compare, type Result, type Wanted } from "../result.ts";
import { COLUMNS } from "../table.ts";
import { takeTurns } from "../turns.ts";
import type { Part } from "./part.ts";

/** Types whose rows are copied or widened, not dequantised: the limit is a copy of the output. */
const COPIED = ["F32", "F16", "BF16"];
const AT_LEAST: Record<string, number> = { Q4_K: 1.6, Q8_0: 1.5 };

/** The decoders themselves. */
export const cached: Part = {
  name: "cached",
  title: `CPU, one thread, one row of ${COLUMNS} values, row and output in cache`,
  async *run(place) {
    for (const { name, kernel } of types()) {
      if (kernel !== "") yield* measureType(place, name);
    }
  },
};

async function* measureType({ native, rounds }: Place, type: string): AsyncGenerator<Result> {
  const { decoder, ggml, memset, memcpy } = await takeTurns({
    decoder: native.timed(`one ${type} decoder`),
    ggml: native.timed(`one ${type} ggml`),
    memset: native.timed(`one ${type} memset`),
    memcpy: native.timed(`one ${type} memcpy`),
  }, rounds);
  if (COPIED.includes(type)) {
    yield compare({ what: type, against: "memcpy of the output", wanted: { atLeast: 0.9 } }, decoder, memcpy);
  } else if (type === "F64") {
    yield compare({ what: type, against: "memcpy of the output" }, decoder, memcpy);
  } else {
    const wanted: Wanted = { atLeast: AT_LEAST[type] ?? 2 };
    yield compare({ what: type, against: "ggml", wanted }, decoder, ggml);
  }
  if (type === "Q4_K") yield compare({ what: type, against: "memset of the output" }, decoder, memset);
}
