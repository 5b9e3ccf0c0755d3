import type { Ids } from "../ids.ts";
import { MuserError } from "../errors.ts";
import { HEAD_TABLE, TOKEN_TABLE } from "../facts.ts";
import type { Model } from "../model.ts";
import type { Output, Table } from "../table.ts";
import { SHOWN_ROWS } from "./heat_map.ts";
import { type RowStatistics, rowStatistics } from "./statistics.ts";

/** The tensors whose rows are tokens. */
const TOKEN_TABLES = [TOKEN_TABLE, HEAD_TABLE];
/** Rows that are shown where nobody chose any. */
const SAMPLE = 32;
/** Values looked up at once. */
const BATCH_VALUES = 2 ** 20;

/** Rows of a table with what is drawn of them. */
export interface ChosenRows {
  table: Table<Output>;
  /** Their numbers. */
  ids: readonly number[];
  /** Whether somebody chose them; else they are spread evenly over the table. */
  asked: boolean;
  /** The values of the first rows, as many as a heat map shows. */
  values: Float32Array;
  /** Statistics of every row. */
  statistics: readonly RowStatistics[];
  /** What a row is called. */
  label: (row: number) => string;
}

/** The table that pictures are about: the one named, else the token table; `undefined` where it has no rows to show. */
export function tableOf(model: Model, name?: string): Table | undefined {
  if (name !== undefined) return model.table(name);
  if (!model.tensors.some((tensor) => tensor.name === TOKEN_TABLE)) return undefined;
  try {
    return model.table();
  } catch (error) {
    // The map can still be drawn where a tensor of that name is of a type or shape without rows.
    if (error instanceof MuserError && ["type", "shape", "row", "tensor"].includes(error.code)) return undefined;
    throw error;
  }
}

/** Looks rows up and measures them; without `wanted` some from all over the table. */
export function chooseRows(table: Table<Output>, wanted: Ids | undefined, label: (row: number) => string): ChosenRows {
  const ids = wanted ?? spread(table.rowCount);
  const shown = Math.min(ids.length, SHOWN_ROWS);
  const values = new Float32Array(shown * table.columns);
  const statistics: RowStatistics[] = [];
  const batch = Math.max(SHOWN_ROWS, Math.floor(BATCH_VALUES / table.columns));
  for (let at = 0; at < ids.length; at += batch) {
    const rows = table.rows(ids.slice(at, at + batch) as Ids);
    if (at === 0) values.set(rows.subarray(0, values.length));
    for (const row of rowStatistics(rows, table.columns)) statistics.push(row);
  }
  return { table, ids: Array.from(ids, Number), asked: wanted !== undefined, values, statistics, label };
}

function spread(rowCount: number): number[] {
  const rows = Array.from({ length: SAMPLE }, (_, index) => Math.round(index / (SAMPLE - 1) * (rowCount - 1)));
  return [...new Set(rows)];
}

/** How rows of a table are called: by the token they stand for where they do. */
export function labelsOf(model: Model, table: Table): (row: number) => string {
  if (!TOKEN_TABLES.includes(table.name)) return String;
  return (row) => row < model.vocabulary.size ? `${row} ${model.token(row).text}` : String(row);
}
