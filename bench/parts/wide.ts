import { compare } from "../result.ts";
import { takeTurns } from "../turns.ts";
import type { Part } from "./part.ts";

const WIDTH = 512;

/** A prefill chunk: above the nearest caches, where memory is the limit. */
export const wide: Part = {
  name: "wide",
  title: `CPU, ${WIDTH} random rows of the whole Q4_K table`,
  async *run({ native, threaded, python, rounds }) {
    const rows = `rows ${WIDTH}`;
    const { one, ggml, memset, memcpy, gguf, numpy, all, memset2 } = await takeTurns({
      one: native.timed(`${rows} muser`),
      ggml: native.timed(`${rows} ggml`),
      memset: native.timed(`${rows} memset`),
      memcpy: native.timed(`${rows} memcpy`),
      gguf: python.timed(`${rows} gguf`),
      numpy: python.timed(`${rows} numpy`),
      all: threaded.timed(`${rows} muser`),
      memset2: threaded.timed(`${rows} memset2`),
    }, rounds);
    yield compare({ what: "one thread", against: "ggml", wanted: { atLeast: 1.25 } }, one, ggml);
    yield compare({ what: "one thread", against: "memset of the output", wanted: { atLeast: 0.75 } }, one, memset);
    yield compare({ what: "one thread", against: "memcpy of the output" }, one, memcpy);
    yield compare({ what: "one thread", against: "the gguf package" }, one, gguf);
    yield compare({ what: "one thread", against: "NumPy's take of an f32 table" }, one, numpy);
    yield compare({ what: "all threads", against: "memset, two threads", wanted: { atLeast: 0.65 } }, all, memset2);
    yield compare({ what: "all threads", against: "one thread", wanted: { atLeast: 1 } }, all, one);
  },
};
