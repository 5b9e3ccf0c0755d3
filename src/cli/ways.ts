import type { TableFacts } from "../facts.ts";
import type { Model, OpenOptions } from "../model.ts";
import { openModel } from "./model_options.ts";
import type { Arguments } from "./options.ts";

/** Bytes of tables after which a model is opened anew: only closing it gives up what a device has copied. */
const MOST_BYTES = 2 ** 30;

/** Only a GPU that has memory of its own can choose between this and a copy. */
const MAPPED: OpenOptions = { map: true, placement: "mapped" };

/** One way to look rows up: a device, and how it reaches the rows. */
export class Way implements Disposable {
  readonly #open: () => Promise<Model>;
  #model: Model | undefined;
  #bytes = 0;
  /** Such as "cpu mapped": the device, and where it had the rows of the last table. */
  name = "";

  /** @param open Opens the model in this way. */
  constructor(open: () => Promise<Model>) {
    this.#open = open;
  }

  /** Rows of a table, in an array of their own. */
  async rows(table: TableFacts, ids: Uint32Array): Promise<Float32Array<ArrayBuffer>> {
    if (this.#bytes > MOST_BYTES) this[Symbol.dispose]();
    this.#model ??= await this.#open();
    this.#bytes += table.bytes;
    const opened = this.#model.table(table.name);
    this.name = `${opened.device} ${opened.placement}`;
    return opened.rows(ids);
  }

  /** Closes the model. */
  [Symbol.dispose](): void {
    this.#model?.close();
    this.#model = undefined;
    this.#bytes = 0;
  }
}

/** Every way that the available devices offer; with `--no-map` only those that read the file. */
export function ways(file: string, input: Arguments, devices: readonly string[]): { list: Way[] } & Disposable {
  const reading: OpenOptions = { map: false };
  const list = (devices as OpenOptions["device"][]).flatMap((device) => {
    const kinds = input.has("no-map") ? [reading] : [{ map: true }, ...(device === "cpu" ? [] : [MAPPED]), reading];
    return kinds.map((kind) => new Way(() => openModel(file, input, { ...kind, device })));
  });
  return { list, [Symbol.dispose]: () => list.forEach((way) => way[Symbol.dispose]()) };
}
