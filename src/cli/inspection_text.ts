import { HEAD_TABLE, TOKEN_TABLE } from "../facts.ts";
import type { Metadata } from "../metadata.ts";
import type { Inspection } from "./inspection.ts";
import { columns, facts } from "./layout.ts";
import { valueText } from "./metadata_value.ts";
import { bold, printable } from "./style.ts";
import { count, percent, plural, size } from "../units.ts";

/** Elements of an array that stand beside its key. */
const SHOWN_ELEMENTS = 3;
/** Letters of a value that stand beside its key. */
const SHOWN_LETTERS = 60;

/** The inspection for people, without the long lists. */
export function describe(inspection: Inspection): string {
  return [
    section(printable(inspection.path), fileFacts(inspection)),
    ...[TOKEN_TABLE, HEAD_TABLE].map((name) => tableSection(inspection, name)),
    section("types", typeTable(inspection)),
    inspection.notes.map((note) => `${note}.\n`).join(""),
  ].filter((text) => text !== "").join("\n");
}

/** Every tensor, one a line. */
export function tensorList({ tensors, split }: Inspection): string {
  const many = split.count > 1;
  const rows = tensors.map(({ name, type, dimensions, bytes, shard, offset }) => [
    printable(name),
    type,
    dimensions.join(" × "),
    bytes > 0 ? size(bytes) : "unknown",
    count(offset),
    ...(many ? [`${shard + 1}`] : []),
  ]);
  const heading = ["name", "type", "shape", "size", "offset", ...(many ? ["file"] : [])];
  const sides = ["left", "left", "left", "right", "right", "right"] as const;
  return "\n" + section("tensors", columns(heading, rows, sides));
}

/** Every metadata key with its type and the beginning of its value, one a line. */
export function metadataList(metadata: Metadata): string {
  const rows = metadata.keys().map((key) => {
    const { type, element, count: elements } = metadata.type(key)!;
    const kind = type === "array" ? `${element}[${elements}]` : type;
    return [printable(key), kind, shortValue(metadata, key)];
  });
  return "\n" + section("metadata", columns(["key", "type", "value"], rows, ["left", "left", "left"]));
}

function section(title: string, body: string): string {
  return `${bold(title)}\n${body}`;
}

function fileFacts(inspection: Inspection): string {
  const { version, alignment, device, mapped, offset, split, tensors, metadata } = inspection;
  return facts([
    ["name", printable(inspection.name) || undefined],
    ["architecture", printable(inspection.architecture) || "not stated"],
    ["size", exactSize(inspection.size)],
    ["format", `GGUF ${version}, alignment ${alignment}`],
    ["begins at", offset > 0 ? count(offset) : undefined],
    ["files", split.count > 1 ? split.paths.map(nameOf).join(", ") : undefined],
    [
      "contents",
      `${plural(tensors.length, "tensor")}, ${metadata.length} metadata ${metadata.length === 1 ? "key" : "keys"}`,
    ],
    ["vocabulary", vocabulary(inspection)],
    ["head", head(inspection)],
    ["opened", `on ${device}, ${mapped ? "mapped" : "not mapped: rows are read"}`],
  ]);
}

function vocabulary({ vocabulary, tensors }: Inspection): string {
  if (vocabulary.size === 0) return "none";
  const rows = tensors.find(({ name }) => name === TOKEN_TABLE)?.dimensions[1];
  const state = rows === undefined ? "" : rows === vocabulary.size ? ", as many as rows" : `, but ${count(rows)} rows`;
  return `${count(vocabulary.size)} entries${state}`;
}

function head({ head }: Inspection): string | undefined {
  switch (head) {
    case "untied":
      return `untied, ${HEAD_TABLE}`;
    case "tied":
      return `tied, ${TOKEN_TABLE} serves as the head`;
    case "missing":
      return `missing, ${HEAD_TABLE} is not in the file`;
    case "none":
      return undefined;
  }
}

function tableSection(inspection: Inspection, name: string): string {
  const tensor = inspection.tensors.find((candidate) => candidate.name === name);
  if (tensor === undefined) return "";
  const table = inspection.tables.find((candidate) => candidate.name === name);
  if (table === undefined) {
    const state = `rows of ${tensor.type} cannot be looked up`;
    return section(name, facts([["type", tensor.type], ["shape", tensor.dimensions.join(" × ")], ["kernel", state]]));
  }
  return section(
    name,
    facts([
      ["type", table.type],
      ["shape", `${count(table.rows)} rows of ${count(table.columns)} values`],
      ["row", `${count(table.rowBytes)} bytes`],
      ["size", `${exactSize(table.bytes)}, ${percent(table.bytes, inspection.size)} of the file`],
      ["offset", count(table.offset)],
      ["file", inspection.split.count > 1 ? nameOf(inspection.split.paths[table.shard]!) : undefined],
      ["kernel", table.kernel],
      ["placement", placement(inspection, table.placement)],
    ]),
  );
}

function placement({ device }: Inspection, placement: string | undefined): string | undefined {
  switch (placement) {
    case "mapped":
      return "mapped, read where the file lies";
    case "read":
      return "read from the file at each lookup";
    case "copied":
      return `copied to ${device}`;
    default:
      return placement;
  }
}

function typeTable({ types, size: whole }: Inspection): string {
  const rows = types.map(({ type, tensors, bytes }) => [type, count(tensors), size(bytes), percent(bytes, whole)]);
  return columns(["type", "tensors", "size", "share"], rows, ["left", "right", "right", "right"]);
}

/** The last part of a path. */
function nameOf(path: string): string {
  return printable(path.slice(path.lastIndexOf("/") + 1));
}

function exactSize(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${size(bytes)} (${count(bytes)} bytes)`;
}

function shortValue(metadata: Metadata, key: string): string {
  const { type, element, count: elements } = metadata.type(key)!;
  if (type !== "array") return short(valueText(metadata.get(key) as string, type));
  const shown: string[] = [];
  for (const value of metadata.elements(key)) {
    if (shown.length === SHOWN_ELEMENTS) break;
    shown.push(valueText(value, element));
  }
  return `[${short(shown.join(", "))}${elements > SHOWN_ELEMENTS ? ", …" : ""}]`;
}

function short(text: string): string {
  const letters = [...text];
  return letters.length > SHOWN_LETTERS ? letters.slice(0, SHOWN_LETTERS).join("") + "…" : text;
}
