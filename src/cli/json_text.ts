/** JSON of data that may hold 64-bit integers: those that a double cannot hold exactly become texts. */
export function toJSON(value: unknown, indent: number | undefined = 2): string {
  return JSON.stringify(value, (_, part) => typeof part === "bigint" ? jsonInteger(part) : part, indent);
}

function jsonInteger(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}
