import { assert, assertEquals } from "@std/assert";
import { temporaryGGUF } from "../support/gguf_writer.ts";
import { runProgram } from "./process.ts";

const isLinux = Deno.build.os === "linux"; // counts in /proc

function model(): { path: string } & Disposable {
  const values = Float32Array.from({ length: 4000 * 64 }, (_, at) => 1000 * Math.floor(at / 64) + at % 64);
  return temporaryGGUF({
    tensors: [{ name: "token_embd.weight", type: 0, dimensions: [64, 4000], bytes: new Uint8Array(values.buffer) }],
  });
}

/** Counts what a process holds, after it has let go of everything that it does not need. */
const counting = `
  const settle = async () => {
    for (let round = 0; round < 4; round++) {
      gc();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const holds = async () => {
    await settle();
    const status = Deno.readTextFileSync("/proc/self/status");
    return {
      // Private memory: the model's own pages are the file's, and the system's to take back.
      bytes: 1024 * Number(/RssAnon:\\s*(\\d+)/.exec(status)[1]),
      descriptors: [...Deno.readDirSync("/proc/self/fd")].length,
      mappings: Deno.readTextFileSync("/proc/self/maps").split("\\n").filter((line) => line.includes(path)).length,
    };
  };
  // What a run leaves behind it leaves each time; the compiler, the collector and the threads of Deno take their memory
  // now and then. So the run is repeated, and the repetition after which least was left counts.
  const soak = async (turns, turn) => {
    const after = [];
    for (let repetition = 0; repetition < 4; repetition++) {
      for (let at = 0; at < turns; at++) await turn(at);
      after.push(await holds());
    }
    const least = (what) => Math.min(...after.slice(1).map((holds, at) => holds[what] - after[at][what]));
    console.log(JSON.stringify({ bytes: least("bytes"), descriptors: least("descriptors"), mappings: least("mappings") }));
  };`;

async function expectFlat(path: string, body: string): Promise<void> {
  const { code, stdout, stderr } = await runProgram(path, counting + body);
  assertEquals(code, 0, stderr);
  const { bytes, descriptors, mappings } = JSON.parse(stdout);
  assert(bytes < 2 ** 20, `${bytes} bytes more`);
  assertEquals({ descriptors, mappings }, { descriptors: 0, mappings: 0 });
}

const kinds: [name: string, body: string][] = [
  [
    "1,000 models opened, used and closed",
    `
    await soak(1000, async (turn) => {
      using model = await Model.open(path, { map: turn % 2 === 0 });
      if (model.embed([turn])[1] !== 1000 * turn + 1) throw new Error("wrong row");
    });`,
  ],
  [
    "10,000 lookups",
    `
    using model = await Model.open(path);
    using read = await Model.open(path, { map: false });
    const into = new Float32Array(64);
    await soak(10_000, (turn) => {
      const id = turn % 4000;
      (turn % 2 ? model : read).embed([id], { into });
      if (into[1] !== 1000 * id + 1) throw new Error("wrong row");
    });`,
  ],
  [
    "100 models closed while lookups are in flight",
    `
    await soak(100, async (turn) => {
      const model = await Model.open(path);
      const running = Array.from({ length: 4 }, (_, at) => model.embedAsync(new Uint32Array(500).fill(at)));
      if (turn % 3) await new Promise((resolve) => setTimeout(resolve, Math.random() * 2));
      model.close();
      for (const [at, values] of (await Promise.all(running)).entries()) {
        if (values[1] !== 1000 * at + 1) throw new Error("wrong row");
      }
      await model[Symbol.asyncDispose]();
    });`,
  ],
  [
    "1,000 failures to open",
    `
    Deno.writeTextFileSync(path + ".bad", "no model");
    await soak(1000, async (turn) => {
      const bad = [path + ".bad", path + ".missing", "/tmp", path][turn % 4];
      const error = await Model.open(bad, { offset: bad === path ? 1 : 0 }).then(() => undefined, (error) => error);
      if (!(error instanceof MuserError)) throw new Error("no error");
    });`,
  ],
  [
    "100 models that nobody closes",
    `
    await soak(100, async (turn) => {
      (await Model.open(path)).table().rows([turn]);
      if (turn % 20 === 0) await settle();
    });`,
  ],
  [
    "300 sessions",
    `
    using model = await Model.open(path);
    await soak(300, (turn) => {
      using session = model.session({ capacity: 8 });
      session.embed([turn, 1]);
      if (session.read()[0] !== 1000 * turn) throw new Error("wrong row");
    });`,
  ],
];

for (const [name, body] of kinds) {
  Deno.test({
    name: `${name} leave no memory, descriptor or mapping behind`,
    ignore: !isLinux,
    fn: async () => {
      using file = model();
      await expectFlat(file.path, body);
    },
  });
}
