import { Failure, failure, UsageError } from "../cli/failure.ts";
import { toPath } from "../paths.ts";
import { version } from "../release.ts";
import type { Permission } from "./permissions.ts";

/** Where the project and its releases are. */
export const REPOSITORY = "https://github.com/muser-dev/engine";
/** Where that host sends those who ask for a file of a release. */
const RELEASE_STORE = "release-assets.githubusercontent.com";

/** The rest of a file. */
export interface Rest {
  body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** The byte that it begins with: the one asked for, or 0 where only the whole can be had. */
  at: number;
}

/** Where a file comes from. */
export interface Source {
  /** Its path or address, for messages. */
  name: string;
  /** What reading it takes. */
  permissions: readonly Permission[];
  /** How often a connection may be lost before the work is given up. */
  attempts: number;
  /** Begins to read; throws a `Failure` where trying again is no use. */
  open(at: number, signal: AbortSignal): Promise<Rest>;
}

/**
 * The place that `--from` names: a path, a `file:` or an `http:` address; by default the release.
 *
 * @param from The place; where it ends with a slash it is the folder that holds `file`.
 * @param file The file's name in the release.
 */
export function sourceOf(from: string | undefined, file: string): Source {
  const place = from?.endsWith("/") ? from + file : from;
  if (place === undefined) {
    const url = new URL(`${REPOSITORY}/releases/download/v${version}/${file}`);
    return remote(url, [url.host, RELEASE_STORE]);
  }
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(place)?.[1]?.toLowerCase();
  if (scheme === undefined) return local(place);
  const url = URL.parse(place);
  if (url === null) throw new UsageError(`Option --from has "${place}", which is no address`);
  if (scheme === "file") return local(toPath(url, "Cannot read"));
  if (scheme === "http" || scheme === "https") return remote(url, [url.host]);
  throw new UsageError(`Option --from cannot read ${scheme}: addresses, use http, https or a path`);
}

function local(path: string): Source {
  return {
    name: `"${path}"`,
    permissions: [{ name: "read", path }],
    attempts: 1,
    async open(at): Promise<Rest> {
      try {
        const file = await Deno.open(path);
        await file.seek(at, Deno.SeekMode.Start);
        return { body: file.readable, at };
      } catch (error) {
        throw failure(`read "${path}"`, error);
      }
    },
  };
}

function remote(url: URL, hosts: readonly string[]): Source {
  return {
    name: url.href,
    permissions: hosts.map((host) => ({ name: "net", host })),
    attempts: 3,
    open: (at, signal) => request(url, at, signal),
  };
}

async function request(url: URL, at: number, signal: AbortSignal): Promise<Rest> {
  // A compressed answer would count other bytes than the file's.
  const headers: Record<string, string> = { "accept-encoding": "identity" };
  if (at > 0) headers.range = `bytes=${at}-`;
  const response = await fetch(url, { headers, signal });
  if (response.status === 200 && response.body) return { body: response.body, at: 0 };
  const isRest = response.status === 206 && response.headers.get("content-range")?.startsWith(`bytes ${at}-`);
  if (isRest && response.body) return { body: response.body, at };
  await response.body?.cancel();
  if (at > 0) return await request(url, 0, signal);
  const answer = `the server answers ${response.status} ${response.statusText}`.trim();
  if (response.status >= 500 || response.status === 429) throw new Error(answer);
  throw new Failure(`Cannot download ${url.href}: ${answer}, check the address or name another place with --from`);
}
