/**
 * How a model and a table show themselves in a Jupyter notebook. Only loaded when one does.
 * @module
 */
import type { Model } from "./model.ts";
import { chooseRows, tableOf } from "./report/chosen_rows.ts";
import { tableFacts } from "./report/facts.ts";
import { markup } from "./report/html.ts";
import { Picture } from "./report/picture.ts";
import { factsSection, mapSection, rowsSection } from "./report/sections.ts";
import type { Output, Table } from "./table.ts";

/** A model: its facts and the map of its file. */
export function modelPicture(model: Model): Picture {
  const table = tableOf(model);
  const chosen = table && chooseRows(table, [], String);
  const body = markup`${factsSection(model, chosen)}${mapSection(model, chosen)}`;
  return new Picture(`Model ${model.path}: ${model.tensors.length} tensors, ${model.facts.size} bytes`, body);
}

/** A table: its facts, and rows from all over it. */
export function tablePicture(table: Table<Output>): Picture {
  const body = markup`${tableFacts(table)}${rowsSection(chooseRows(table, undefined, String))}`;
  const { name, rowCount, columns, type } = table;
  return new Picture(`Table ${name}: ${rowCount} rows of ${columns} values, stored as ${type}`, body);
}
