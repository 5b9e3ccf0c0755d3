import { assertEquals, assertThrows } from "@std/assert";
import { Metadata, MuserError } from "../mod.ts";

Deno.test("texts whose lengths no longer hold are told as a change of the file", () => {
  // As after open(), when somebody writes over the file: the second text is longer than the array.
  const tooLong = new Uint8Array([1, 0, 0, 0, 0, 0, 0, 0, 65, 0, 0, 0, 0, 1, 0, 0, 0]);
  // Or the first one ends so near the array's end that there is no room for the next length.
  const noLength = new Uint8Array([6, 0, 0, 0, 0, 0, 0, 0, 65, 65, 65, 65, 65, 65, 0, 0, 0]);
  for (const bytes of [tooLong, noLength]) {
    const entry = { key: "texts", type: "array", element: "string", count: 2, offset: 0, bytes: bytes.length };
    const metadata = new Metadata(
      [entry],
      (offset, target) => target.set(bytes.subarray(offset, offset + target.length)),
    );
    for (const read of [() => metadata.strings("texts"), () => metadata.get("texts")]) {
      const error = assertThrows(read, MuserError);
      assertEquals(error.code, "changed");
      assertEquals(error.message, "Cannot read metadata: the file has changed since it was opened, open it again");
    }
  }
});

Deno.test("texts of 4 GiB and more are read one after the other only", () => {
  const entry = { key: "texts", type: "array", element: "string", count: 2, offset: 0, bytes: 2 ** 32 };
  assertThrows(
    () => new Metadata([entry], () => {}).strings("texts"),
    RangeError,
    'Cannot read texts of "texts" at once: they take 4294967296 bytes, use elements()',
  );
});

Deno.test("a type that this version does not know is named", () => {
  const entry = { key: "a", type: "float128", element: "", count: 1, offset: 0, bytes: 16 };
  const error = assertThrows(() => new Metadata([entry], () => {}).get("a"), MuserError, '"float128"');
  assertEquals(error.code, "kv-type");
});
