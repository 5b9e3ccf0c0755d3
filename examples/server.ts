// A small HTTP service that answers with rows of a model's token table, on this machine only.
//
//   deno run --allow-read=MODEL --allow-ffi=LIBRARY --allow-net=127.0.0.1:PORT examples/server.ts MODEL PORT
//
//   curl -d '{"text": "Hello"}' http://127.0.0.1:PORT/rows
//   curl -d '{"ids": [42, 7]}' http://127.0.0.1:PORT/rows
//
// The answer is { ids, columns, rows }, with a list of numbers a row; JSON has no NaN and no infinity, so these are
// null. An error is { error: { code, message } } with status 400, 404, 405, 413 or 500.
// LIBRARY is the native library: .muser/lib/libMuser.so in a checkout, libMuser.dylib on a Mac.
import { Model, MuserError } from "@muser/engine";

const BODY_BYTES = 64 * 1024;
const MOST_ROWS = 512;

/** A request that cannot be answered, and its status. */
class Refusal extends Error {
  constructor(readonly status: number, readonly code: string, message: string) {
    super(message);
  }
}

const [path, port] = Deno.args;
if (path === undefined || !(Number(port) >= 0 && Number(port) < 65536)) {
  console.error("server.ts MODEL PORT");
  Deno.exit(2);
}
const model = await Model.open(path);
const { columns } = model.table();

Deno.serve({
  hostname: "127.0.0.1",
  port: Number(port),
  onListen: ({ port }) => console.log(`http://127.0.0.1:${port}/rows`),
}, async (request) => {
  try {
    const ids = await readIds(request);
    const values = model.embed(ids);
    const rows = ids.map((_, row) => Array.from(values.subarray(row * columns, (row + 1) * columns)));
    return Response.json({ ids, columns, rows });
  } catch (error) {
    return answerError(error);
  }
});

/** The ids that are asked for. That they are rows of the table is checked by `embed`. */
async function readIds(request: Request): Promise<number[]> {
  if (new URL(request.url).pathname !== "/rows") throw new Refusal(404, "path", "Cannot answer: use /rows");
  if (request.method !== "POST") throw new Refusal(405, "method", "Cannot answer: use POST");
  const { text, ids } = parse(await readBody(request)) ?? {};
  if ((typeof text === "string") === Array.isArray(ids)) {
    throw new Refusal(400, "body", 'Cannot read the request: give either "text", a string, or "ids", a list');
  }
  const wanted = typeof text === "string" ? Array.from(model.tokenizer.encode(text)) : ids as number[];
  if (wanted.length > MOST_ROWS) {
    throw new Refusal(413, "rows", `Cannot answer with ${wanted.length} rows: ask for at most ${MOST_ROWS}`);
  }
  return wanted;
}

/** The body, read no further than is allowed: what a header says about its length may be wrong. */
async function readBody(request: Request): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES) throw new Refusal(413, "body", `Cannot read more than ${BODY_BYTES} bytes: ask for less`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parse(text: string): { text?: unknown; ids?: unknown } | null {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, "json", "Cannot read the request: it is no JSON");
  }
}

/** Errors of the request say what to do; others are the service's own and are only logged. */
function answerError(error: unknown): Response {
  const refusal = (status: number, code: string, { message }: Error) =>
    Response.json({ error: { code, message } }, { status });
  if (error instanceof Refusal) return refusal(error.status, error.code, error);
  if (error instanceof RangeError || error instanceof TypeError) return refusal(400, "ids", error);
  if (error instanceof MuserError && error.code === "tokenizer") return refusal(400, error.code, error);
  console.error(error);
  return refusal(500, "internal", new Error("Cannot answer: something went wrong, see the service's log"));
}
