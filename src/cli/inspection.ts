import { HEAD_TABLE, type ModelFacts, type TableFacts, type TensorFacts, TOKEN_TABLE } from "../facts.ts";
import type { Metadata, MetadataValue } from "../metadata.ts";
import type { Model } from "../model.ts";
import type { TypeFacts } from "../types.ts";
import { lookupTables } from "./tables.ts";
import { count } from "../units.ts";

/** Arrays of at most this many elements are shown in full beside their key. */
const SHORT_ARRAY = 16;

/** Architectures whose models have a head of their own, so that a file without it lacks something. */
const UNTIED_ARCHITECTURES = ["muse-glimmer"];

/** What `inspect` tells about a file, as data: `--json` writes it as it is. */
export interface Inspection extends Omit<ModelFacts, "architecture"> {
  path: string;
  architecture: string;
  /** `general.name`, or "". */
  name: string;
  vocabulary: { size: number };
  /** `untied`: a tensor of its own; `tied`: the token table serves; `missing`: should be there; `none`: no tables. */
  head: "untied" | "tied" | "missing" | "none";
  /** What somebody who uses the file should know. */
  notes: string[];
  types: { type: string; tensors: number; bytes: number }[];
  tables: (TableFacts & { placement?: string })[];
  tensors: readonly TensorFacts[];
  metadata: MetadataFacts[];
}

/** A metadata key; `value` is left out where it is a long array. */
export interface MetadataFacts {
  key: string;
  type: string;
  element: string;
  count: number;
  bytes: number;
  value?: MetadataValue | (number | bigint | boolean)[];
}

/** Gathers everything that `inspect` tells; reads no tensor data. */
export function inspectModel(model: Model, types: readonly TypeFacts[]): Inspection {
  const tables = lookupTables(model, types);
  const inspection: Inspection = {
    path: model.path,
    ...model.facts,
    name: textOf(model.metadata, "general.name"),
    vocabulary: { size: model.vocabulary.size },
    head: headOf(model),
    notes: [],
    types: histogram(model.tensors),
    tables: tables.map((table) => placed(model, table)),
    tensors: model.tensors,
    metadata: model.metadata.keys().map((key) => metadataFacts(model.metadata, key)),
  };
  inspection.notes.push(...notes(inspection));
  return inspection;
}

function textOf(metadata: Metadata, key: string): string {
  const value = metadata.get(key);
  return typeof value === "string" ? value : "";
}

function headOf({ facts, tensors }: Model): Inspection["head"] {
  const has = (name: string): boolean => tensors.some((tensor) => tensor.name === name);
  if (has(HEAD_TABLE)) return "untied";
  if (!has(TOKEN_TABLE)) return "none";
  return UNTIED_ARCHITECTURES.includes(facts.architecture) ? "missing" : "tied";
}

function notes({ architecture, head, tensors, vocabulary }: Inspection): string[] {
  const found: string[] = [];
  const rows = tensors.find(({ name }) => name === TOKEN_TABLE)?.dimensions[1];
  if (rows === undefined) found.push(`There is no ${TOKEN_TABLE}: name a table with --tensor to look rows up`);
  if (head === "missing") found.push(`A ${architecture} model has a head of its own, but there is no ${HEAD_TABLE}`);
  if (rows !== undefined && vocabulary.size > 0 && vocabulary.size !== rows) {
    found.push(`The vocabulary has ${count(vocabulary.size)} entries and the table ${count(rows)} rows`);
  }
  return found;
}

function histogram(tensors: readonly TensorFacts[]): Inspection["types"] {
  const types = new Map<string, { type: string; tensors: number; bytes: number }>();
  for (const { type, bytes } of tensors) {
    const entry = types.get(type) ?? { type, tensors: 0, bytes: 0 };
    types.set(type, { type, tensors: entry.tensors + 1, bytes: entry.bytes + bytes });
  }
  return [...types.values()].sort((left, right) => right.bytes - left.bytes);
}

/** Only the token table and the head are opened to see how the device reaches them: that may copy a table. */
function placed(model: Model, table: TableFacts): TableFacts & { placement?: string } {
  if (table.name !== TOKEN_TABLE && table.name !== HEAD_TABLE) return table;
  return { ...table, placement: model.table(table.name).placement };
}

function metadataFacts(metadata: Metadata, key: string): MetadataFacts {
  const facts = metadata.type(key)!;
  if (facts.type === "array" && facts.count > SHORT_ARRAY) return { key, ...facts };
  const value = metadata.get(key)!;
  return { key, ...facts, value: ArrayBuffer.isView(value) ? [...value] : value };
}
