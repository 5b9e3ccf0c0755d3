import { HEAD_TABLE, type TableFacts, type TensorFacts, TOKEN_TABLE } from "../facts.ts";
import type { Model } from "../model.ts";
import type { Output, Table } from "../table.ts";
import type { TypeFacts } from "../types.ts";
import { Failure } from "./failure.ts";
import { suggest } from "./suggest.ts";
import { printable } from "./style.ts";

/** Opens a table; a name that the file does not have is answered with the name that was probably meant. */
export function openTable(
  model: Model,
  name: string | undefined,
  options: { scale: number; output: Output },
): Table<Output> {
  if (name !== undefined && !model.tensors.some((tensor) => tensor.name === name)) {
    const meant = suggest(name, tablesOf(model.tensors).map((tensor) => tensor.name));
    if (meant !== undefined) {
      const state = `the file has no such tensor, did you mean "${meant}"?`;
      throw new Failure(`Cannot open table "${printable(name)}": ${state}`);
    }
  }
  return model.table<Output>(name, options);
}

/** Every table whose rows can be looked up: the token table, the head, then the others in the file's order. */
export function lookupTables(model: Model, types: readonly TypeFacts[]): TableFacts[] {
  const kernels = new Map(types.map(({ name, kernel }) => [name, kernel]));
  const facts = tablesOf(model.tensors).flatMap((tensor) => {
    const kernel = kernels.get(tensor.type);
    return kernel ? [tableFacts(tensor, kernel)] : [];
  });
  const rank = ({ name }: TableFacts): number => [TOKEN_TABLE, HEAD_TABLE].indexOf(name) >>> 0;
  return facts.sort((left, right) => rank(left) - rank(right));
}

/** Tensors of two dimensions; further ones of length 1 do not count. */
export function tablesOf(tensors: readonly TensorFacts[]): TensorFacts[] {
  return tensors.filter(({ dimensions }) =>
    dimensions.length >= 2 && dimensions.slice(2).every((length) => length === 1)
  );
}

function tableFacts({ name, type, dimensions, bytes, shard, offset }: TensorFacts, kernel: string): TableFacts {
  const [columns = 0, rows = 0] = dimensions;
  return { name, type, columns, rows, rowBytes: bytes / rows, bytes, shard, offset, kernel };
}
