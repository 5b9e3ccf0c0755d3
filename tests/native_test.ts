import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { devices } from "../mod.ts";
import { errorCodes } from "../src/native/call.ts";
import { openLibrary } from "../src/native/library.ts";
import { ABI_VERSION, ERROR_BYTES, symbols } from "../src/native/symbols.ts";
import { findCompiler } from "./support/compiler.ts";

const header = await Deno.readTextFile(new URL("../swift/Sources/MuserABI/include/muser.h", import.meta.url));
const symbolsText = await Deno.readTextFile(new URL("../src/native/symbols.ts", import.meta.url));
const library = openLibrary();

interface Signature {
  parameters: string[];
  result: string;
}

/** Every function that the header declares, by its name, in C's words. */
function declared(): Map<string, Signature> {
  const code = header.replace(/\/\/.*$/gm, "").replace(/^#.*$/gm, "").replace(/\{[^{}]*\}/g, "");
  const functions = new Map<string, Signature>();
  for (const [, result, name, list] of code.matchAll(/(\w+ \*?)(muser_\w+)\(([^)]*)\)/g)) {
    const parameters = list!.trim() === "void" ? [] : list!.split(",").map((part) => part.trim().replace(/\s+/g, " "));
    functions.set(name!, { parameters, result: result!.trim() });
  }
  return functions;
}

/** The types that are handles: declared, never defined. */
const handles = new Set([...header.matchAll(/^typedef struct (\w+) \1;$/gm)].map(([, name]) => `${name} *`));

/** Deno's name for a C type; every pointer but a handle is the caller's memory. */
function foreign(type: string): string {
  if (handles.has(type)) return "pointer";
  if (type.endsWith("*")) return "buffer";
  return { void: "void", int32_t: "i32", uint32_t: "u32", uint64_t: "u64", float: "f32" }[type] ??
    `no type for ${type}`;
}

/** `const uint8_t *path` without its name. */
function typeOf(parameter: string): string {
  return parameter.replace(/\w+$/, "").trim();
}

Deno.test("symbols.ts declares every function of the C header with the same types", () => {
  const functions = declared();
  const seen = new Set<string>();
  for (const [key, symbol] of Object.entries(symbols)) {
    const name = "name" in symbol ? symbol.name : key;
    const signature = functions.get(name);
    if (!signature) throw new Error(`${name} is not in the header`);
    assertEquals([...symbol.parameters], signature.parameters.map((parameter) => foreign(typeOf(parameter))), key);
    assertEquals(symbol.result, foreign(signature.result), key);
    seen.add(name);
  }
  assertEquals([...functions.keys()].filter((name) => !seen.has(name)), []);
});

Deno.test("symbols.ts repeats the header's C type and name beside each parameter", () => {
  const functions = declared();
  for (const [, key, body] of symbolsText.matchAll(/^ {2}(muser_\w+): \{\n(.*?)^ {2}\},/gms)) {
    const comments = [...body!.matchAll(/\/\/ (.*)$/gm)].map(([, comment]) => comment);
    assertEquals(comments, functions.get(key!.replace(/Async$/, ""))?.parameters, key);
  }
});

Deno.test("symbols.ts repeats the header's constants", () => {
  assertEquals(header.match(/#define MUSER_ABI_VERSION (\d+)/)?.[1], String(ABI_VERSION));
  assertEquals(header.match(/#define MUSER_ERROR_BYTES (\d+)/)?.[1], String(ERROR_BYTES));
});

Deno.test("a name with Async differs from its twin only by running off the thread", () => {
  for (const [key, symbol] of Object.entries(symbols)) {
    assertEquals("nonblocking" in symbol && symbol.nonblocking, key.endsWith("Async"), key);
  }
});

Deno.test("no function on the hot path has more than the seven parameters of a fast call", () => {
  for (const symbol of Object.values(symbols)) assertEquals(symbol.parameters.length <= 7, true);
});

Deno.test("MuserError documents every code of the native library", async () => {
  const text = await Deno.readTextFile(new URL("../src/errors.ts", import.meta.url));
  const documented = [...text.matchAll(/`([a-z-]+)`(?=[:,])/g)].map(([, code]) => code);
  // These two become a RangeError.
  const codes = errorCodes(library).filter((code) => code !== "id" && code !== "argument");
  assertEquals(codes.filter((code) => !documented.includes(code)), []);
});

Deno.test("a library is opened once a path", () => {
  assertEquals(openLibrary() === library, true);
  assertEquals(openLibrary(library.path) === library, true);
  assertEquals(openLibrary(new URL(`file://${library.path}`)) === library, true);
});

Deno.test("a library that is not there is named with the reason and the remedy", () => {
  const error = assertThrows(() => devices({ library: "/nowhere/libMuser.so" }), Error);
  assertEquals((error as { code?: string }).code, "library");
  assertStringIncludes(error.message, 'Cannot load the native library: "/nowhere/libMuser.so" cannot be loaded (');
  assertStringIncludes(error.message, "No such file");
  assertStringIncludes(error.message, "deno task build");
});

Deno.test("a file that is no library is refused", async () => {
  const path = await Deno.makeTempFile({ suffix: ".so" });
  try {
    const error = assertThrows(() => devices({ library: path }), Error);
    assertEquals((error as { code?: string }).code, "library");
    assertStringIncludes(error.message, `"${path}" cannot be loaded (`);
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("a library is named by a path or a file URL, nothing else", () => {
  assertThrows(
    () => devices({ library: new URL("https://example.com/libMuser.so") }),
    TypeError,
    "Cannot load the native library https://example.com/libMuser.so: it is no file URL, use a local file",
  );
});

const compiler = await findCompiler();

Deno.test({
  name: "a library of another interface version is refused",
  ignore: compiler === undefined,
  fn: async () => {
    const folder = await Deno.makeTempDir();
    try {
      const names = [...declared().keys()].filter((name) => name !== "muser_abi_version");
      const source = names.map((name) => `int ${name}(void) { return 0; }\n`).join("");
      await Deno.writeTextFile(`${folder}/other.c`, `${source}unsigned muser_abi_version(void) { return 999; }\n`);
      const args = ["-shared", "-fPIC", "-w", "-o", `${folder}/other.so`, `${folder}/other.c`];
      assertEquals((await new Deno.Command(compiler!, { args }).output()).code, 0);
      const error = assertThrows(() => devices({ library: `${folder}/other.so` }), Error);
      assertEquals((error as { code?: string }).code, "library");
      assertEquals(
        error.message,
        `Cannot use the native library "${folder}/other.so": its interface has version 999 and this package needs ` +
          `${ABI_VERSION}, build it with \`deno task build\``,
      );
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
