import { bytesOf, isUint32Array } from "./native/bytes.ts";

/**
 * Row numbers, which for a token table are token ids: integers from 0 to the number of rows - 1. A `Uint32Array` is
 * the quickest; every other form is first copied into one.
 */
export type Ids =
  | Uint32Array
  | Uint8Array
  | Uint8ClampedArray
  | Uint16Array
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | BigUint64Array
  | readonly (number | bigint)[];

/** How many ids there are; throws a `TypeError` where `ids` is nothing that holds ids. */
export function countIds(ids: Ids): number {
  if (isUint32Array(ids)) return bytesOf(ids) / 4;
  if (isList(ids)) return ids.length;
  throw new TypeError(`Cannot look up ids in ${describe(ids)}: use a Uint32Array or an array of integers`);
}

/**
 * The id of a list of one, where it is an unsigned 32-bit integer; else -1. What a list says of itself is believed here:
 * it decides which row is looked up, not what memory is touched.
 */
export function onlyId(ids: Ids): number {
  if (!(ids instanceof Uint32Array || Array.isArray(ids)) || ids.length !== 1) return -1;
  const id = ids[0];
  const number = typeof id === "number" ? id >>> 0 : -1;
  return number === id ? number : -1;
}

/**
 * Copies ids, proving that each is an integer and a row of the table.
 *
 * @param ids The ids in any form.
 * @param count How many of them.
 * @param numbers Where they go, to its first `count` elements.
 * @param table The table's name, for messages.
 * @param rowCount The table's number of rows.
 * @returns `numbers`.
 */
export function copyIds<Numbers extends Uint32Array>(
  ids: Ids,
  count: number,
  numbers: Numbers,
  table: string,
  rowCount: number,
): Numbers {
  for (let position = 0; position < count; position++) {
    const id = ids[position];
    const number = typeof id === "bigint" ? Number(id) : id;
    if (!(Number.isInteger(number) && number! >= 0 && number! < rowCount)) {
      throw idError(id, position, table, rowCount);
    }
    numbers[position] = number!;
  }
  return numbers;
}

/** Whether the elements of `ids` may be ids: an array, or a typed array that holds integers. */
function isList(ids: unknown): boolean {
  if (Array.isArray(ids)) return true;
  if (!ArrayBuffer.isView(ids)) return false;
  return !(ids instanceof DataView || ids instanceof Float16Array || ids instanceof Float32Array ||
    ids instanceof Float64Array);
}

function idError(id: unknown, position: number, table: string, rowCount: number): Error {
  const place = `at position ${position}`;
  if (typeof id !== "number" && typeof id !== "bigint") {
    return new TypeError(`Cannot look up the id ${place}: it is ${describe(id)}, use numbers or bigints`);
  }
  const fix = `use ids from 0 to ${rowCount - 1}`;
  if (typeof id === "number" && !Number.isInteger(id)) {
    return new RangeError(`Cannot look up id ${id} ${place}: it is no integer, ${fix}`);
  }
  return new RangeError(`Cannot look up id ${id} ${place}: table "${table}" has ${rowCount} rows, ${fix}`);
}

/** A value in a few words: `"7"`, `null`, `a Map`. */
function describe(value: unknown): string {
  if (typeof value === "string") return `the text ${JSON.stringify(value)}`;
  if ((typeof value === "object" || typeof value === "function") && value !== null) {
    const name = value.constructor?.name ?? typeof value;
    return `${/^[AEIOU]/i.test(name) ? "an" : "a"} ${name}`;
  }
  return String(value);
}
