import type { Model, OpenOptions } from "../model.ts";
import { openModel } from "./model_options.ts";
import type { Arguments } from "./options.ts";
import type { TableFacts } from "./tables.ts";

/** Bytes of tables after which a model is opened anew: only closing it gives up what a device has copied. */
const MOST_BYTES = 2 ** 30;

/** One way to look rows up: a device, with the file mapped or not. */
export class Way implements Disposable {
  /** Such as "cpu, mapped". */
  readonly name: string;
  readonly #open: () => Promise<Model>;
  #model: Model | undefined;
  #bytes = 0;

  /**
   * @param name What it is called.
   * @param open Opens the model in this way.
   */
  constructor(name: string, open: () => Promise<Model>) {
    this.name = name;
    this.#open = open;
  }

  /** Rows of a table, in an array of their own. */
  async rows(table: TableFacts, ids: Uint32Array): Promise<Float32Array<ArrayBuffer>> {
    if (this.#bytes > MOST_BYTES) this[Symbol.dispose]();
    this.#model ??= await this.#open();
    this.#bytes += table.bytes;
    return this.#model.table(table.name).rows(ids);
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
  const maps = input.has("no-map") ? [false] : [true, false];
  const list = devices.flatMap((device) =>
    maps.map((map) => {
      const options = { device: device as OpenOptions["device"], map };
      return new Way(`${device} ${map ? "mapped" : "reading"}`, () => openModel(file, input, options));
    })
  );
  return { list, [Symbol.dispose]: () => list.forEach((way) => way[Symbol.dispose]()) };
}
