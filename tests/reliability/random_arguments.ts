// Calls every public function with random arguments, and looks only for what must never happen: a crash, an error of
// another kind than the documented ones, a promise that nobody settles. Run by random_arguments_test.ts in a process of
// its own: random_arguments.ts MODEL SEED CALLS. Prints how many calls returned and how many threw.
import { devices, Model, MuserError, types } from "../../mod.ts";

const [path, seed, calls] = [Deno.args[0]!, Number(Deno.args[1]), Number(Deno.args[2])];

/** What hostile arguments throw; it may come back to the caller. */
class Hostile extends Error {}

let state = seed >>> 0;
function roll(sides: number): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * sides);
}
function pick<Choice>(choices: readonly Choice[]): Choice {
  return choices[roll(choices.length)]!;
}

function detached(): Uint32Array {
  const array = new Uint32Array(4);
  array.buffer.transfer();
  return array;
}

function withLength<Array extends object>(array: Array, length: unknown): Array {
  return Object.defineProperty(array, "length", { value: length });
}

/** An array whose first element does something while the array is read. */
function trapped(trap: () => unknown): unknown[] {
  return Object.defineProperty([0, 1], 0, { get: trap });
}

const resizable = new ArrayBuffer(64 * 4 * 4, { maxByteLength: 64 * 4 * 8 });
const hostile = new Proxy({}, {
  get: () => {
    throw new Hostile("hostile");
  },
});

const values: (() => unknown)[] = [
  () => undefined,
  () => null,
  () => pick([true, false, 0, -0, 1, -1, 1.5, NaN, Infinity, 63, 64, 2 ** 31, 2 ** 32, 2 ** 53, 1e308]),
  () => pick([0n, -1n, 63n, 64n, 2n ** 32n, 2n ** 64n, -(2n ** 63n)]),
  () =>
    pick([
      "",
      "x",
      "\0",
      "token_embd.weight",
      "general.name",
      "list",
      "f16",
      "cpu",
      "\u{10FFFF}",
      "\uD800",
      "y".repeat(70_000),
    ]),
  () => pick([[], [0], [1, 63], [64], [NaN], [[0]], ["1"], [1n], new Array(5), withLength([], 2 ** 32 - 1)]),
  () => pick([new Uint32Array(), new Uint32Array([1, 2]), new Uint32Array([64]), new Uint32Array(300), detached()]),
  () => pick([new Int8Array([-1]), new Uint8Array([3]), new BigUint64Array([2n ** 63n]), new BigInt64Array([-1n])]),
  () =>
    pick([new Float32Array(64), new Float32Array(128), new Float32Array(1), new Float16Array(64), new Float64Array(8)]),
  () => withLength(new Uint32Array(1), pick([0, 2, 1e6, -1, NaN, "2"])),
  () => withLength(new Float32Array(1), pick([64, 128, 1e6])),
  () => Object.setPrototypeOf(new Uint8Array(4), pick([Uint32Array, Float32Array, Float16Array]).prototype),
  () => new Float32Array(resizable, 0, 64),
  () => new Uint32Array(resizable),
  () => new Uint32Array(new SharedArrayBuffer(16)),
  () => new DataView(new ArrayBuffer(8)),
  () => trapped(() => resizable.resize(pick([0, 256, 1024]))),
  () =>
    trapped(() => {
      throw new Hostile("trap");
    }),
  () => hostile,
  () => Symbol("symbol"),
  () => pick([() => {}, Object, Date, new Map(), new Date(NaN), /x/, new URL("file:///x"), new URL("https://x/")]),
  () => pick([AbortSignal.abort(), new AbortController().signal]),
  options,
  () => object(),
];

/** Options with the names that functions know. */
function options(): Record<string, unknown> {
  const names = [
    "into",
    "tensor",
    "scale",
    "output",
    "capacity",
    "timed",
    "rows",
    "ids",
    "device",
    "map",
    "offset",
    "library",
    "signal",
    "epsilon",
    "placement",
  ];
  const chosen = Array.from({ length: roll(3) }, () => pick(names));
  return Object.fromEntries(chosen.map((name) => [name, pick(values.slice(0, -2))()]));
}

let objects: object[] = [];
function object(): object {
  return pick(objects);
}

async function freshObjects(): Promise<object[]> {
  const model = await Model.open(path, { device: "cpu" });
  const read = await Model.open(path, { device: "cpu", map: false });
  const session = model.session({ capacity: 4 });
  const step = session.record((commands) => {
    commands.embed(model.table(), session.ids, session.hidden);
    objects.push(commands);
  });
  return [
    model,
    read,
    model.metadata,
    model.vocabulary,
    model.table(),
    read.table(),
    model.table(undefined, { output: "f16" }),
    session,
    session.ids,
    session.hidden,
    step,
    Model,
    { devices, types },
  ];
}

/** Functions and values of an object and of what it inherits from. */
function names(of: object): (string | symbol)[] {
  const found = new Set<string | symbol>();
  for (
    let at: object | null = of;
    at && at !== Object.prototype && at !== Function.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    for (const name of Reflect.ownKeys(at)) if (name !== "constructor" && name !== "prototype") found.add(name);
  }
  return [...found];
}

async function call(target: object, name: string | symbol): Promise<void> {
  const member = Reflect.get(target, name);
  if (typeof member !== "function") return;
  const given = Array.from({ length: roll(4) }, () => pick(values)());
  // The model's own file makes many more calls get past the first check.
  if (target === Model && roll(2) === 0) given[0] = path;
  let timer;
  try {
    const late = new Promise((_, reject) => timer = setTimeout(() => reject(new Error("never settled")), 20_000));
    const result = await Promise.race([Reflect.apply(member, target, given), late]);
    const isOurs = typeof result === "object" && result !== null && !ArrayBuffer.isView(result) &&
      !Array.isArray(result);
    if (isOurs && objects.length < 40) objects.push(result);
  } finally {
    clearTimeout(timer);
  }
}

let [returned, threw] = [0, 0];
for (let count = 0; count < calls; count++) {
  if (count % 500 === 0) objects = await freshObjects();
  const target = object();
  const name = pick(names(target));
  if (name === undefined) continue;
  try {
    await call(target, name);
    returned++;
  } catch (error) {
    threw++;
    const isKnown = error instanceof MuserError || error instanceof TypeError || error instanceof RangeError ||
      error instanceof Hostile || (error instanceof DOMException && error.name === "AbortError");
    if (!isKnown || (error as Error).message === "") {
      console.error(`call ${count} of seed ${seed}: ${String(name)} threw`, error);
      Deno.exit(1);
    }
  }
}
console.log(JSON.stringify({ returned, threw }));
