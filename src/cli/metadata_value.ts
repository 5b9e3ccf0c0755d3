import { shortest32 } from "../formats/shortest.ts";
import type { Metadata } from "../metadata.ts";
import { Failure } from "./failure.ts";
import { toJSON } from "./json_text.ts";
import { type Output, standardOutput } from "./output.ts";
import { printable } from "./style.ts";
import { hint } from "./suggest.ts";

/** Letters gathered before they are written. */
const PIECE = 64 * 1024;

/** Any scalar or text of the metadata. */
type Value = number | bigint | boolean | string;

/**
 * Writes the value of a key in full, however long: arrays one element a line, or as JSON.
 *
 * A single text is written as it is, except that a terminal gets its control characters written out.
 */
export async function printValue(metadata: Metadata, key: string, json: boolean): Promise<void> {
  const facts = metadata.type(key);
  if (facts === undefined) {
    const help = hint(key, metadata.keys()) || ", --metadata alone lists the keys";
    throw new Failure(`Cannot read metadata "${key}": the file has no such key${help}`);
  }
  const output = standardOutput();
  if (facts.type === "array") {
    const line = json ? (value: Value) => toJSON(value) : (value: Value) => valueText(value, facts.element);
    return await printLines(output, lines(metadata.elements(key), line, json));
  }
  const value = metadata.get(key) as Value;
  await printLines(output, [(json ? toJSON(value) : scalarText(value, facts.type)) + "\n"]);
}

/** A value in one line of text. */
export function valueText(value: Value, type: string): string {
  if (type === "float32") return shortest32(value as number);
  return printable(String(value));
}

function scalarText(value: Value, type: string): string {
  if (typeof value !== "string") return valueText(value, type);
  return Deno.stdout.isTerminal() ? value.split("\n").map(printable).join("\n") : value;
}

function* lines(elements: Iterable<Value>, line: (value: Value) => string, json: boolean): Generator<string> {
  if (json) yield "[";
  let first = true;
  for (const element of elements) {
    yield json ? `${first ? "\n" : ",\n"}${line(element)}` : `${line(element)}\n`;
    first = false;
  }
  if (json) yield "\n]\n";
}

async function printLines(output: Output, texts: Iterable<string>): Promise<void> {
  const encoder = new TextEncoder();
  let gathered = "";
  for (const text of texts) {
    gathered += text;
    if (gathered.length < PIECE) continue;
    await output.write(encoder.encode(gathered));
    gathered = "";
  }
  await output.write(encoder.encode(gathered));
}
