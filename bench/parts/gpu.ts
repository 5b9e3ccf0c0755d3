import { Model, type Session } from "../../mod.ts";
import { build } from "../programs.ts";
import { libraryPath, type Place, root, tablePlace } from "../place.ts";
import { idsByTurns } from "../table.ts";
import type { Timed } from "../turns.ts";
import type { Worker } from "../worker.ts";

/** A GPU with a table on it: our lookups, and what they are measured beside. */
export class GPU implements AsyncDisposable {
  readonly #peer: Worker;
  readonly #torch: Worker;
  /** Serves the table from the GPU. */
  readonly model: Model;

  private constructor(model: Model, peer: Worker, torch: Worker) {
    this.model = model;
    this.#peer = peer;
    this.#torch = torch;
  }

  /** Opens a model on the GPU, and starts its peers. */
  static async open(place: Place, path: string): Promise<GPU> {
    const model = await Model.open(path, { device: "cuda" });
    const args = [libraryPath(), ...tablePlace(model), `${root}shaders`, `${root}bench/flat.metal`];
    const torch = place.worker(Deno.env.get("MUSER_TORCH") ?? "python3", [
      `${root}bench/torch_peer.py`,
      `${model.table().rowCount}`,
    ]);
    return new GPU(model, place.worker(await build("gpu"), args), torch);
  }

  /** Our lookup of `width` random rows. */
  lookup(width: number): Timed {
    return GPU.lookupIn(this.model, width);
  }

  /** The lookup in any model on the GPU, as the GPU's own clock tells it; a session for each measurement. */
  static lookupIn(model: Model, width: number): Timed {
    const runs = width <= 4096 ? 100 : 3;
    const ids = idsByTurns(model.table().rowCount, width);
    const run = (session: Session): number => {
      const before = session.statistics.deviceSeconds;
      for (let turn = 0; turn < runs; turn++) session.embed(ids(turn));
      return (session.statistics.deviceSeconds - before) * 1e6 / runs;
    };
    return () => {
      using session = model.session({ capacity: width, timed: true });
      for (let turn = 0; turn < 2; turn++) session.embed(ids(turn));
      return run(session);
    };
  }

  /** The textbook kernel. */
  flat(width: number): Timed {
    return this.limit(`flat ${width}`);
  }

  /** A copy within the GPU's memory. */
  copy(bytes: number): Timed {
    return this.limit(`copy ${bytes}`);
  }

  /** A fill of the GPU's memory. */
  fill(bytes: number): Timed {
    return this.limit(`fill ${bytes}`);
  }

  /** Any task of `gpu.cpp`. */
  limit(task: string): Timed {
    return this.#peer.timed(task);
  }

  /** PyTorch's embedding; `MUSER_TORCH` names the Python that has it. */
  torch(width: number): Timed {
    return this.#torch.timed(`rows ${width}`);
  }

  /** Closes the model. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.model[Symbol.asyncDispose]();
  }
}
