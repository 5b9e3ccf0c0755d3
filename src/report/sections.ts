import { count, plural } from "../units.ts";
import type { Model } from "../model.ts";
import type { ChosenRows } from "./chosen_rows.ts";
import { heading, modelFacts, tableFacts, tensorTable, typeTable } from "./facts.ts";
import { drawFileMap } from "./file_map.ts";
import { drawHeatMap, rowTitle, SHOWN_ROWS } from "./heat_map.ts";
import { drawHistogram } from "./histogram.ts";
import { type Html, markup, oneLine } from "./html.ts";
import { valueText } from "./marks.ts";
import { drawRowStrip } from "./row_strip.ts";

/** The facts of the file and of its table, side by side. */
export function factsSection(model: Model, chosen: ChosenRows | undefined): Html {
  return markup`<section class="columns">${modelFacts(model)}${
    chosen && tableFacts(chosen.table, model.facts.size)
  }</section>`;
}

/** The map of the file, what its colours mean, and the same in words. */
export function mapSection(model: Model, chosen: ChosenRows | undefined): Html {
  const { table, ids } = chosen ?? {};
  const map = drawFileMap(model.tensors, table ? { table: table.name, rowBytes: table.rowBytes, rows: ids! } : {});
  return markup`<section><h2>Map of the file</h2>
<p>Every tensor at its place and to scale; the narrowest are drawn as hairlines.${
    table && ` The outline marks ${oneLine(table.name)}${ids!.length > 0 ? ", the red lines the rows below" : ""}.`
  }</p>
<figure>${map}</figure>${typeTable(model.tensors)}
<details><summary>All ${count(model.tensors.length)} tensors as a table</summary>${
    tensorTable(model)
  }</details></section>`;
}

/** Where the rows lie in the table, their values and their norms. */
export function rowsSection(chosen: ChosenRows): Html {
  const { table, ids, asked, statistics, label } = chosen;
  const which = asked ? plural(ids.length, "chosen row") : `${plural(ids.length, "row")} spread evenly over the table`;
  const places = new Map(ids.map((id, index) => [id, index]));
  const title = (row: number): string => rowTitle(label(row), statistics[places.get(row)!]!);
  return markup`
    <section>
      <h2>Rows of ${oneLine(table.name)}</h2>
      <p>${which}.</p>
      <figure>${drawRowStrip(table.rowCount, ids, title)}</figure>
    </section>
    ${ids.length > 0 && valueSections(chosen)}
  `;
}

function valueSections({ table, ids, values, statistics, label }: ChosenRows): Html {
  const shown = ids.slice(0, SHOWN_ROWS);
  const heat = {
    values,
    columns: table.columns,
    labels: shown.map(label),
    statistics: statistics.slice(0, shown.length),
  };
  const norms = statistics.map(({ norm }) => norm);
  const cut = shown.length < ids.length &&
    markup`<p>The first ${count(shown.length)} of ${count(ids.length)} rows.</p>`;
  return markup`
    <section><h2>Values</h2>${cut}<figure>${drawHeatMap(heat)}</figure></section>
    <section>
      <h2>Norms</h2>
      <figure>${drawHistogram(norms)}</figure>
      <details><summary>The rows as a table</summary>${rowTable(heat.labels, heat.statistics)}</details>
    </section>
  `;
}

function rowTable(labels: readonly string[], statistics: ChosenRows["statistics"]): Html {
  const rows = statistics.map(({ norm, least, greatest, odd }, index) =>
    markup`<tr><th scope="row">${oneLine(labels[index]!)}</th>${
      [valueText(norm), valueText(least), valueText(greatest), count(odd)].map((text) =>
        markup`<td class="number">${text}</td>`
      )
    }</tr>\n`
  );
  return markup`<table><caption>Rows: number, and token where there is one</caption>${
    heading(["Row", "Norm", "Least", "Greatest", "Not finite"])
  }<tbody>${rows}</tbody></table>`;
}
