/**
 * A registry of our own on this machine, for what must work as it does with JSR: `JSR_URL` names it.
 * @module
 */

/** A registry that runs until it is disposed of. */
export interface Registry extends AsyncDisposable {
  /** What `JSR_URL` must be. */
  url: string;
}

interface Package {
  name: string;
  version: string;
  folder: string;
  exports: Record<string, string>;
}

/** Serves packages, each a folder with its `deno.json` and modules beside it. */
export async function serveRegistry(folders: readonly string[]): Promise<Registry> {
  const packages = await Promise.all(folders.map(readPackage));
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async ({ url }) => {
    const path = new URL(url).pathname;
    const found = packages.find(({ name }) => path.startsWith(`/${name}/`));
    if (!found) return new Response("no such package", { status: 404 });
    return await answer(found, path.slice(found.name.length + 2));
  });
  return { url: `http://127.0.0.1:${server.addr.port}`, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function readPackage(folder: string): Promise<Package> {
  const { name, version, exports } = JSON.parse(await Deno.readTextFile(`${folder}/deno.json`));
  return { name, version, folder, exports: typeof exports === "string" ? { ".": exports } : exports };
}

/** `meta.json` lists versions, `<version>_meta.json` a version's files, `<version>/…` is a file. */
async function answer({ name, version, folder, exports }: Package, path: string): Promise<Response> {
  if (path === "meta.json") {
    const [scope, short] = name.slice(1).split("/");
    // Deno refuses versions that are younger than a day.
    const versions = { [version]: { createdAt: "2024-01-01T00:00:00Z" } };
    return Response.json({ scope, name: short, latest: version, versions });
  }
  if (path === `${version}_meta.json`) return Response.json({ manifest: await manifest(folder), exports });
  const text = await Deno.readTextFile(`${folder}/${path.slice(version.length + 1)}`).catch(() => undefined);
  if (text === undefined) return new Response("no such file", { status: 404 });
  return new Response(text, { headers: { "content-type": "text/typescript" } });
}

async function manifest(folder: string): Promise<Record<string, { size: number; checksum: string }>> {
  const files: Record<string, { size: number; checksum: string }> = {};
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (!isFile) continue;
    const bytes = await Deno.readFile(`${folder}/${name}`);
    const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
    files[`/${name}`] = { size: bytes.length, checksum: `sha256-${sum}` };
  }
  return files;
}
