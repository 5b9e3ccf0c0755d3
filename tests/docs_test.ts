import { assert, assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";
import { errorCodes } from "../src/native/call.ts";
import { openLibrary } from "../src/native/library.ts";
import { REPOSITORY } from "../src/setup/source.ts";
import { smollm2 } from "./support/models.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const documents = [
  ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"],
  ...Array.from(Deno.readDirSync(`${root}docs`), ({ name }) => `docs/${name}`).filter((path) => path.endsWith(".md")),
];

// The README is shown where the other documents are not, so its links name their place on the web.
const web = `${REPOSITORY}/blob/main/`;

/** A document without what stands in blocks of code, its links to this repository as paths. */
function proseOf(path: string): string {
  return Deno.readTextFileSync(root + path).replace(/^```.*?^```/gms, "").replaceAll(`](${web}`, "](");
}

/** The anchors that headings get where the documents are shown: lower case, without punctuation, hyphens for spaces. */
function anchorsOf(path: string): Set<string> {
  const headings = proseOf(path).matchAll(/^#+ (.*)$/gm);
  return new Set(
    Array.from(headings, ([, text]) => text!.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-")),
  );
}

for (const path of documents) {
  Deno.test(`every link of ${path} leads somewhere`, () => {
    for (const [, target] of proseOf(path).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (target!.startsWith("https://")) continue;
      const [file = "", anchor] = target!.split("#");
      const place = file === "" ? path : new URL(file, `file:///${path}`).pathname.slice(1);
      assert(Deno.statSync(root + place), `${target} of ${path}`);
      if (anchor !== undefined) assert(anchorsOf(place).has(anchor), `${place} has no heading for ${target}`);
    }
  });
}

Deno.test("no link of the README depends on where it is shown", () => {
  const targets = Array.from(Deno.readTextFileSync(`${root}README.md`).matchAll(/\]\(([^)\s]+)\)/g), ([, to]) => to!);
  assertEquals(targets.filter((target) => !target.startsWith("https://") && !target.startsWith("#")), []);
});

Deno.test("every document is reached from the README", () => {
  const reached = new Set(["README.md"]);
  for (const path of reached) {
    for (const [, target] of proseOf(path).matchAll(/\]\(([^)\s#:]+\.md)/g)) {
      reached.add(new URL(target!, `file:///${path}`).pathname.slice(1));
    }
  }
  assertEquals(documents.filter((path) => !reached.has(path)), []);
});

/** Codes of errors that TypeScript makes itself. */
async function codesOf(folder: string): Promise<string[]> {
  const codes: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) codes.push(...await codesOf(`${folder}/${name}`));
    if (!name.endsWith(".ts")) continue;
    const text = await Deno.readTextFile(`${folder}/${name}`);
    for (const [, code] of text.matchAll(/new MuserError\(\s*"([a-z-]+)"/g)) codes.push(code!);
  }
  return codes;
}

Deno.test("docs/errors.md and MuserError's documentation have every code, and no other", async () => {
  const expected = new Set([...errorCodes(openLibrary()), ...await codesOf(`${root}src`)]);
  const documented = Array.from(proseOf("docs/errors.md").matchAll(/^\| `([a-z-]+)`/gm), ([, code]) => code!);
  assertEquals(documented.toSorted(), [...expected].toSorted());

  const [comment] = /\/\*\*.*?\*\//s.exec(await Deno.readTextFile(`${root}src/errors.ts`))!;
  const listed = Array.from(comment.matchAll(/^ \* - (.*?):/gm), ([, codes]) => codes!.match(/[a-z-]+/g)!).flat();
  assertEquals(listed.toSorted(), documented.filter((code) => code !== "id" && code !== "argument").toSorted());
});

/** The blocks of TypeScript in a document, with the line that each begins at. */
function blocksOf(path: string): { line: number; code: string }[] {
  const text = Deno.readTextFileSync(root + path);
  return Array.from(text.matchAll(/^```ts\n(.*?)^```/gms), ({ 1: code, index }) => {
    return { line: text.slice(0, index).split("\n").length + 1, code: code! };
  });
}

/** What a block says that it prints: the comments behind its calls of `console.log`. */
function promisesOf(code: string): string[] {
  return Array.from(code.matchAll(/^ *console\.log\(.*\); \/\/ (.*)$/gm), ([, promise]) => promise!);
}

for (const path of documents) {
  for (const { line, code } of blocksOf(path)) {
    const promises = promisesOf(code);
    if (promises.length === 0) continue;
    const name = `the example at line ${line} of ${path} prints what it says`;
    Deno.test({ name, ignore: !smollm2.available }, async () => {
      const config = exists(`${root}deno.offline.json`) ? "deno.offline.json" : "deno.json";
      const args = ["run", "--quiet", "--allow-all", `--config=${root}${config}`, "-"];
      const command = new Deno.Command(Deno.execPath(), {
        args,
        cwd: root,
        env: { NO_COLOR: "1" },
        stdin: "piped",
        stdout: "piped",
        stderr: "inherit",
      });
      await using child = command.spawn();
      const output = child.output();
      await new Blob([code]).stream().pipeTo(child.stdin);
      const { success, stdout } = await output;
      assert(success);
      const lines = new TextDecoder().decode(stdout).trimEnd().split("\n");
      assertEquals(lines.filter((line) => promises.includes(line)), promises, lines.join("\n"));
    });
  }
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
