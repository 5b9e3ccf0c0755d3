import { Model } from "../../mod.ts";
import { museGlimmer } from "../../tests/support/artifact.ts";
import type { Place } from "../place.ts";
import { compare, compareOnce, type Result, type Wanted } from "../result.ts";
import { once, single, takeTurns, type Timed, type Times } from "../turns.ts";
import type { Part } from "./part.ts";

/** Opening a file with a header of 13 MB, which the page cache holds. */
export const open: Part = {
  name: "open",
  title: "Model.open of a file of Muse Glimmer's shape: 731 tensors, 202,048 tokens, 439,802 merges",
  async *run(place) {
    const path = await museGlimmer();
    const header = new Uint8Array(await headerBytes(path));
    const opened = (use: (model: Model) => unknown): Timed => single(() => openAndUse(path, use));
    const { pass, bare, row, token, find } = await takeTurns({
      pass: single(() => passOver(path, header)),
      bare: opened(() => {}),
      row: opened((model) => model.embed([42])),
      token: opened((model) => model.token(200_000)),
      find: opened((model) => model.find("<|start|>")),
    }, place.rounds);
    const against = "one plain pass over the header's bytes";
    const beside = (what: string, times: Times, wanted?: Wanted): Result =>
      compare({ what, against, ...wanted && { wanted } }, times, pass, "ours / theirs");
    yield beside("Model.open", bare, { atMost: 3 });
    yield beside("and the first row", row);
    yield beside("and one text of the vocabulary", token);
    yield beside("and a search of the whole vocabulary", find);
    yield await besideReader(place, path, bare);
  },
};

/** The `gguf` package takes seconds: it is measured once. */
async function besideReader({ python, quick }: Place, path: string, ours: Times): Promise<Result> {
  const facts = { what: "Model.open", against: "the gguf package's reader, once", wanted: { atLeast: 50 } };
  if (quick) return { ...facts, unit: "µs", note: "left out: it takes seconds" };
  return compareOnce(facts, ours, await once(python.timed(`open ${path}`)));
}

async function openAndUse(path: string, use: (model: Model) => unknown): Promise<void> {
  await using model = await Model.open(path, { device: "cpu" });
  use(model);
}

async function headerBytes(path: string): Promise<number> {
  await using model = await Model.open(path, { device: "cpu" });
  return model.facts.dataOffset;
}

/** Reads the bytes into memory and adds them up. */
function passOver(path: string, bytes: Uint8Array<ArrayBuffer>): number {
  using file = Deno.openSync(path);
  for (let at = 0; at < bytes.length;) at += file.readSync(bytes.subarray(at))!;
  let sum = 0;
  for (let index = 0; index < bytes.length; index++) sum += bytes[index]!;
  return sum;
}
