import { count, percent, size } from "../units.ts";
import type { TensorFacts } from "../facts.ts";
import type { Model } from "../model.ts";
import type { Output, Table } from "../table.ts";
import { type Html, markup, oneLine, type Part } from "./html.ts";
import { typeShares } from "./type_colours.ts";

/** The facts of the file. */
export function modelFacts(model: Model): Html {
  const { facts, tensors, vocabulary } = model;
  const bytes = tensors.reduce((sum, tensor) => sum + tensor.bytes, 0);
  return factsTable("File", [
    ["Architecture", oneLine(facts.architecture) || "not stated"],
    ["Size", `${size(facts.size)} (${count(facts.size)} bytes)`],
    ["Format", `GGUF ${facts.version}, alignment ${facts.alignment}`],
    ["Files", facts.split.count > 1 && count(facts.split.count)],
    ["Begins at", facts.offset > 0 && count(facts.offset)],
    ["Tensors", `${count(tensors.length)}, ${size(bytes)}`],
    ["Header", size(facts.dataOffset)],
    ["Vocabulary", vocabulary.size > 0 ? `${count(vocabulary.size)} entries` : "none"],
    ["Opened", `on ${facts.device}, ${facts.mapped ? "mapped" : "rows are read"}`],
  ]);
}

/** The facts of a table. */
export function tableFacts(table: Table<Output>, fileBytes?: number): Html {
  return factsTable("Table", [
    ["Name", oneLine(table.name)],
    ["Type", table.type],
    ["Shape", `${count(table.rowCount)} rows of ${count(table.columns)} values`],
    ["Row", `${count(table.rowBytes)} bytes`],
    ["Size", `${size(table.bytes)} (${count(table.bytes)} bytes)`],
    ["Share", fileBytes !== undefined && `${percent(table.bytes, fileBytes)} of the file`],
    ["Offset", count(table.offset)],
    ["Scale", table.scale !== 1 && String(table.scale)],
    ["Values", table.output],
    ["Read by", `${table.kernel}, ${table.placement}`],
  ]);
}

function factsTable(caption: string, facts: readonly (readonly [string, Part])[]): Html {
  const rows = facts.flatMap(([name, value]) =>
    value === false ? [] : [markup`
      <tr>
        <th scope="row">${name}</th>
        <td>${value}</td>
      </tr>
    `]
  );
  return markup`
    <table>
      <caption>${caption}</caption>
      <tbody>${rows}</tbody>
    </table>
  `;
}

/** The types of the file: also what the colours of the map mean. */
export function typeTable(tensors: readonly TensorFacts[]): Html {
  const whole = tensors.reduce((sum, { bytes }) => sum + bytes, 0);
  const rows = typeShares(tensors).map(({ type, tensors, bytes, colour }) =>
    markup`
      <tr>
        <th scope="row"><span class="swatch ${colour}"></span>${type}</th>
        <td class="number">${count(tensors)}</td>
        <td class="number">${size(bytes)}</td>
        <td class="number">${percent(bytes, whole)}</td>
      </tr>
    `
  );
  return markup`<table><caption>Types and their colours</caption>${
    heading(["Type", "Tensors", "Size", "Share"])
  }<tbody>${rows}</tbody></table>`;
}

/** Every tensor in words: the map for who cannot see it. */
export function tensorTable({ tensors, facts }: Model): Html {
  const many = facts.split.count > 1;
  const rows = tensors.map(({ name, type, dimensions, bytes, offset, shard }) =>
    markup`<tr><th scope="row">${oneLine(name)}</th><td>${type}</td><td>${
      dimensions.join(" × ")
    }</td><td class="number">${count(bytes)}</td><td class="number">${count(offset)}</td>${
      many && markup`<td class="number">${shard + 1}</td>`
    }</tr>\n`
  );
  const columns = ["Name", "Type", "Shape", "Bytes", "Offset", ...(many ? ["File"] : [])];
  return markup`<table><caption>Every tensor, in the file's order</caption>${
    heading(columns, 3)
  }<tbody>${rows}</tbody></table>`;
}

/** The head of a table; columns from `numbers` on hold numbers. */
export function heading(columns: readonly string[], numbers = 1): Html {
  const cells = columns.map((name, index) =>
    markup`<th scope="col" class="${index >= numbers && "number"}">${name}</th>`
  );
  return markup`
    <thead>
      <tr>${cells}</tr>
    </thead>
  `;
}
