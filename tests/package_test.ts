import { assertEquals, assertMatch } from "@std/assert";
import { fileURLToPath } from "node:url";
import { serveRegistry } from "./support/registry.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

Deno.test("the package can be published and has all that its modules import", async () => {
  const standIns = ["assert", "cli"].map((name) => `${root}tests/offline/${name}`);
  await using registry = await serveRegistry(standIns);
  const cache = await Deno.makeTempDir();
  try {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["publish", "--dry-run", "--allow-dirty", "--no-check", "--no-lock"],
      cwd: root,
      env: { JSR_URL: registry.url, DENO_DIR: cache, NO_COLOR: "1" },
    }).output();
    const text = new TextDecoder().decode(stderr);
    const files = [...text.matchAll(/^ +(file:\S+) \(/gm)].map(([, url]) => fileURLToPath(url!).slice(root.length));

    assertEquals([code, code === 0 ? "" : text], [0, ""]);
    assertMatch(text, /Dry run complete/);
    const allowed = /^(src\/.*\.ts|mod\.ts|deno\.json|README\.md|CHANGELOG\.md|LICENSE)$/;
    // What `setup --build` builds from.
    const native =
      /^(shaders\/.*\.(h|metal)|swift\/(Package|Sources\/.*)\.(swift|h|c|cpp)|scripts\/(build|common\.sh|embed_shaders))$/;
    assertEquals(files.filter((path) => !allowed.test(path) && !native.test(path)), []);
    assertEquals(
      ["mod.ts", "src/cli.ts", "src/setup.ts", "swift/Package.swift", "LICENSE"].filter((path) =>
        !files.includes(path)
      ),
      [],
    );
  } finally {
    await Deno.remove(cache, { recursive: true });
  }
});

Deno.test("mod.ts imports nothing from outside, and neither the command line nor setup", async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "--no-config", "--no-lock", `${root}mod.ts`],
  }).output();
  const modules: { specifier: string }[] = JSON.parse(new TextDecoder().decode(stdout)).modules;
  const foreign = modules.filter(({ specifier }) =>
    !specifier.startsWith(new URL("../", import.meta.url).href) || /\/src\/(cli|setup)[./]/.test(specifier)
  );
  assertEquals(foreign, []);
  assertEquals(modules.length > 10, true);
});
