/** What goes wrong with one answer. */
export interface Fault {
  /** The connection ends after so many bytes. */
  cutAfter?: number;
  /** Nothing more comes after so many bytes. */
  stallAfter?: number;
  /** The whole file comes, whatever was asked for. */
  ignoreRange?: boolean;
  /** The byte there is another one. */
  alter?: number;
  /** The status, without a file. */
  status?: number;
  /** Milliseconds that the file takes to come. */
  duration?: number;
}

/** A host of release files that runs until it is disposed of. */
export interface ReleaseServer extends AsyncDisposable {
  host: string;
  /** The folder of the files, with a slash at its end. */
  url: string;
  /** Every request's name of the file, with its range. */
  requests: string[];
  /** What goes wrong with the next answers, one each. */
  faults: Fault[];
}

/** Serves files by their names, parts of them too. */
export function serveRelease(files: Record<string, Uint8Array<ArrayBuffer>>): ReleaseServer {
  const requests: string[] = [];
  const faults: Fault[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, ({ url, headers }) => {
    const name = new URL(url).pathname.slice(1);
    requests.push([name, headers.get("range") ?? []].flat().join(" "));
    const { status, ...fault } = faults.shift() ?? {};
    const file = files[name];
    if (status !== undefined || !file) return new Response("no file", { status: status ?? 404 });
    return answer(file, headers.get("range"), fault);
  });
  const host = `127.0.0.1:${server.addr.port}`;
  return { host, url: `http://${host}/`, requests, faults, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function answer(file: Uint8Array<ArrayBuffer>, range: string | null, fault: Fault): Response {
  const begin = fault.ignoreRange ? 0 : Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
  if (begin >= file.length) return new Response("no such range", { status: 416 });
  const bytes = file.slice(begin);
  if (fault.alter !== undefined) bytes[fault.alter]! ^= 1;
  const headers: Record<string, string> = { "content-length": String(bytes.length) };
  if (begin > 0) headers["content-range"] = `bytes ${begin}-${file.length - 1}/${file.length}`;
  return new Response(bodyOf(bytes, fault), { status: begin > 0 ? 206 : 200, headers });
}

function bodyOf(bytes: Uint8Array<ArrayBuffer>, { cutAfter, stallAfter, duration }: Fault): BodyInit {
  const end = cutAfter ?? stallAfter;
  if (end === undefined && duration === undefined) return bytes;
  const pieces = duration === undefined ? 1 : 20;
  const step = Math.ceil((end ?? bytes.length) / pieces);
  let at = 0;
  return new ReadableStream({
    async pull(control): Promise<void> {
      const piece = bytes.subarray(at, Math.min(at + step, end ?? bytes.length));
      at += piece.length;
      if (piece.length > 0) {
        if (duration !== undefined) await new Promise((resume) => setTimeout(resume, duration / pieces));
        control.enqueue(piece);
      } else if (stallAfter === undefined) {
        await new Promise((resume) => setTimeout(resume, 20)); // so that what was sent arrives before the end
        control.close(); // before the stated length, where the answer is cut
      }
    },
  });
}
