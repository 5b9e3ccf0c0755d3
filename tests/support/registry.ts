/**
 * A registry of our own on this machine, for what must work as it does with JSR: `JSR_URL` names it.
 * @module
 */
import { untar } from "./tar.ts";

/** A registry that runs until it is disposed of. */
export interface Registry extends AsyncDisposable {
  /** What `JSR_URL` must be. */
  url: string;
  /** The files of a package, by their paths, which begin with a slash. */
  files(name: string): Map<string, Uint8Array<ArrayBuffer>>;
}

interface Package {
  name: string;
  version: string;
  exports: Record<string, string>;
  files: Map<string, Uint8Array<ArrayBuffer>>;
}

/**
 * Serves packages, each a folder with its `deno.json` and modules beside it, and those that `deno publish --token any`
 * hands in: what a user gets of them is what that command made.
 */
export async function serveRegistry(folders: readonly string[]): Promise<Registry> {
  const packages = await Promise.all(folders.map(async (folder) => toPackage(await readFolder(folder))));
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const path = new URL(request.url).pathname;
    if (path.startsWith("/api/")) return await answerPublisher(packages, request);
    const found = packages.find(({ name }) => path.startsWith(`/${name}/`));
    return found ? await answer(found, path.slice(found.name.length + 2)) : missing();
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    files: (name) => packages.find((candidate) => candidate.name === name)!.files,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Scope and package exist, the version does not; what is handed in is taken as it is. */
async function answerPublisher(packages: Package[], request: Request): Promise<Response> {
  if (request.method !== "POST") return request.url.includes("/versions/") ? missing() : Response.json({});
  const files = await untar(request.body!.pipeThrough(new DecompressionStream("gzip")));
  const { name, version } = packages[packages.push(toPackage(files)) - 1]!;
  const [packageScope, packageName] = name.slice(1).split("/");
  return Response.json({ id: "1", status: "success", error: null, packageScope, packageName, packageVersion: version });
}

/** `meta.json` lists versions, `<version>_meta.json` a version's files, `<version>/…` is a file. */
async function answer({ name, version, exports, files }: Package, path: string): Promise<Response> {
  if (path === "meta.json") {
    const [scope, short] = name.slice(1).split("/");
    // Deno refuses versions that are younger than a day.
    const versions = { [version]: { createdAt: "2024-01-01T00:00:00Z" } };
    return Response.json({ scope, name: short, latest: version, versions });
  }
  if (path === `${version}_meta.json`) return Response.json({ manifest: await manifest(files), exports });
  const bytes = files.get(path.slice(version.length));
  if (bytes === undefined) return missing();
  const type = path.endsWith(".ts") ? "text/typescript" : "application/octet-stream";
  return new Response(bytes, { headers: { "content-type": type } });
}

async function manifest(files: Package["files"]): Promise<Record<string, { size: number; checksum: string }>> {
  const entries = [...files].map(async ([path, bytes]) => {
    const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
    return [path, { size: bytes.length, checksum: `sha256-${sum}` }] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

function toPackage(files: Package["files"]): Package {
  const { name, version, exports } = JSON.parse(new TextDecoder().decode(files.get("/deno.json")));
  return { name, version, exports: typeof exports === "string" ? { ".": exports } : exports, files };
}

async function readFolder(folder: string): Promise<Package["files"]> {
  const files: Package["files"] = new Map();
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (isFile) files.set(`/${name}`, await Deno.readFile(`${folder}/${name}`));
  }
  return files;
}

function missing(): Response {
  return new Response("there is no such thing", { status: 404 });
}
