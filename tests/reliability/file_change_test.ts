import { assertEquals, assertStringIncludes } from "@std/assert";
import { temporaryGGUF } from "../support/gguf_writer.ts";
import { runProgram } from "./process.ts";

const ROWS = 5000;
const COLUMNS = 16;

/** A model of several pages, whose value in column c of row r is 1000 r + c. */
function model(): { path: string } & Disposable {
  const values = Float32Array.from(
    { length: ROWS * COLUMNS },
    (_, at) => 1000 * Math.floor(at / COLUMNS) + at % COLUMNS,
  );
  return temporaryGGUF({
    tensors: [{
      name: "token_embd.weight",
      type: 0,
      dimensions: [COLUMNS, ROWS],
      bytes: new Uint8Array(values.buffer),
    }],
  });
}

/** What is done to the file while it is open. */
const changes = {
  "cut to nothing": `Deno.truncateSync(path, 0);`,
  "cut within the table": `Deno.truncateSync(path, 8192);`,
  "replaced by another": `Deno.writeTextFileSync(path + ".new", "x".repeat(${
    ROWS * COLUMNS * 4
  })); Deno.renameSync(path + ".new", path);`,
  "rewritten in place": `{
    using file = Deno.openSync(path, { write: true });
    file.seekSync(8192, Deno.SeekMode.Start);
    file.writeSync(new Uint8Array(64));
    file.utimeSync(1, 1);
  }`,
};

/**
 * Opens, changes the file, and tells what check(), the last row and 300 rows say. On the CPU: before a GPU is given work
 * the file is looked at for any number of rows.
 */
function program(change: string, map: boolean): string {
  return `
    using model = await Model.open(path, { map: ${map}, device: "cpu" });
    const table = model.table();
    ${change}
    const told = (use) => {
      try {
        return use();
      } catch (error) {
        if (!(error instanceof MuserError)) throw error;
        return error.code;
      }
    };
    console.log("check", told(() => model.check()));
    console.log("many", told(() => table.rows(new Uint32Array(300)).length));
    console.log("last", told(() => table.rows([${ROWS - 1}])[0]));
    console.log("first", told(() => table.rows([0])[1]));`;
}

const last = (ROWS - 1) * 1000;
const read = {
  "cut to nothing": ["changed", "changed", "changed", "changed"],
  "cut within the table": ["changed", "changed", "changed", "1"],
  "replaced by another": ["changed", `${300 * COLUMNS}`, `${last}`, "1"],
  "rewritten in place": ["changed", "changed", `${last}`, "1"],
};

for (const [name, change] of Object.entries(changes)) {
  Deno.test(`a file that is read and ${name} gives right rows or the error changed`, async () => {
    using file = model();
    const { code, stdout, stderr } = await runProgram(file.path, program(change, false));
    assertEquals(code, 0, stderr);
    const told = stdout.trim().split("\n").map((line) => line.split(" ")[1]);
    assertEquals(told, read[name as keyof typeof read]);
  });

  const isCut = name.startsWith("cut");
  Deno.test(`a file that is mapped and ${name} is found${isCut ? ", and reading what is gone ends the process" : ""}`, async () => {
    using file = model();
    const { code, signal, stdout, stderr } = await runProgram(file.path, program(change, true));
    // What looks at the file first finds the change; only a small lookup that does not is lost.
    assertStringIncludes(stdout, "check changed\n");
    assertStringIncludes(stdout, name === "replaced by another" ? `many ${300 * COLUMNS}\n` : "many changed\n");
    if (isCut && Deno.build.os === "linux") {
      assertEquals([signal, code], ["SIGBUS", 135], stderr);
    } else {
      assertEquals(code, 0, stderr);
      assertStringIncludes(stdout, `last ${last}\n`);
    }
  });
}
