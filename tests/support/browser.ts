/**
 * A real browser without a window: Chromium, driven through its debugging protocol.
 * @module
 */

/** Where Chromium is; `undefined` where it is not installed. */
export const chromium: string | undefined = ["chromium", "chromium-browser", "google-chrome"].find(isInstalled);
/** What the name of a test says that cannot run without it. */
export const needsChromium: string = chromium === undefined ? " (there is no chromium, .ci/run installs it)" : "";

type Result = Record<string, never>;

/** A page in the browser. */
export interface Page {
  /** What went wrong in it: errors on the console, exceptions, refused requests. */
  complaints: string[];
  /** What it asked for, itself and `data:` left out. */
  requests: string[];
  /** One method of the debugging protocol. */
  send<Answer = Result>(method: string, params?: Record<string, unknown>): Promise<Answer>;
  /** The value of an expression, which may be a promise. */
  evaluate<Value>(expression: string): Promise<Value>;
  /** Presses a key and lets it go. */
  press(key: string): Promise<void>;
}

/** Opens the file in a browser of its own and closes it when `work` is done. */
export async function withPage(path: string, work: (page: Page) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "muser-browser-" });
  const args = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1050,1400"];
  const child = new Deno.Command(chromium!, {
    args: [...args, "--remote-debugging-port=0", `--user-data-dir=${folder}`, "about:blank"],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const errors = readErrors(child.stderr);
  try {
    const connection = await connect(await errors.address);
    try {
      await work(await openPage(connection, path));
    } finally {
      await connection.close();
    }
  } finally {
    await child.status;
    await errors.end;
    await Deno.remove(folder, { recursive: true });
  }
}

function isInstalled(program: string): boolean {
  try {
    return new Deno.Command(program, { args: ["--version"], stdout: "null", stderr: "null" }).outputSync().success;
  } catch {
    return false;
  }
}

/** The address that the browser writes to standard error, which is read to its end so that it never waits. */
function readErrors(stream: ReadableStream<Uint8Array>): { address: Promise<string>; end: Promise<void> } {
  const { promise: address, resolve, reject } = Promise.withResolvers<string>();
  let text = "";
  const end = (async () => {
    for await (const piece of stream.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)) {
      text += piece;
      const found = /listening on (ws:\S+)\s/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    }
    reject(new Error(`The browser did not start: ${text}`));
  })();
  return { address, end };
}

interface Connection {
  send<Answer>(method: string, params: Record<string, unknown>, session?: string): Promise<Answer>;
  listen(handle: (method: string, params: Record<string, unknown>) => void): void;
  close(): Promise<void>;
}

async function connect(address: string): Promise<Connection> {
  const socket = new WebSocket(address);
  const closed = new Promise<void>((resolve) => socket.addEventListener("close", () => resolve()));
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  const waiting = new Map<number, PromiseWithResolvers<never>>();
  let handle: (method: string, params: Record<string, unknown>) => void = () => {};
  socket.addEventListener("message", ({ data }) => {
    const { id, method, params, result, error } = JSON.parse(data);
    if (id === undefined) return handle(method, params);
    if (error) waiting.get(id)?.reject(new Error(error.message));
    else waiting.get(id)?.resolve(result as never);
    waiting.delete(id);
  });
  let last = 0;
  const send = <Answer>(method: string, params: Record<string, unknown>, sessionId?: string): Promise<Answer> => {
    const answer = Promise.withResolvers<never>();
    waiting.set(++last, answer);
    socket.send(JSON.stringify({ id: last, method, params, sessionId }));
    return answer.promise;
  };
  return {
    send,
    listen: (next) => {
      handle = next;
    },
    close: async () => {
      await send("Browser.close", {});
      await closed;
    },
  };
}

async function openPage(connection: Connection, path: string): Promise<Page> {
  const { targetId } = await connection.send<{ targetId: string }>("Target.createTarget", { url: "about:blank" });
  const attached = { targetId, flatten: true };
  const { sessionId } = await connection.send<{ sessionId: string }>("Target.attachToTarget", attached);
  const send: Page["send"] = (method, params = {}) => connection.send(method, params, sessionId);
  const [complaints, requests]: string[][] = [[], []];
  const loaded = Promise.withResolvers<void>();
  const url = `file://${path}`;
  // deno-lint-ignore no-explicit-any -- the protocol's events
  connection.listen((method, params: any) => {
    if (method === "Page.loadEventFired") loaded.resolve();
    if (method === "Log.entryAdded") complaints!.push(params.entry.text);
    if (method === "Runtime.exceptionThrown") complaints!.push(params.exceptionDetails.text);
    if (method === "Runtime.consoleAPICalled") complaints!.push(JSON.stringify(params.args));
    const asked = method === "Network.requestWillBeSent" ? params.request.url as string : url;
    if (asked !== url && !asked.startsWith("data:")) requests!.push(asked);
  });
  for (const domain of ["Page", "Runtime", "Log", "Network", "Accessibility"]) await send(`${domain}.enable`);
  await send("Emulation.setFocusEmulationEnabled", { enabled: true });
  await send("Page.navigate", { url });
  await loaded.promise;
  const evaluate: Page["evaluate"] = async (expression) => {
    const options = { expression, returnByValue: true, awaitPromise: true };
    // deno-lint-ignore no-explicit-any -- the protocol's answer
    const { result, exceptionDetails } = await send<any>("Runtime.evaluate", options);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  const press: Page["press"] = async (key) => {
    const windowsVirtualKeyCode = { Tab: 9, ArrowRight: 39, ArrowDown: 40, End: 35, Escape: 27 }[key];
    for (const type of ["rawKeyDown", "keyUp"]) {
      await send("Input.dispatchKeyEvent", { type, key, code: key, windowsVirtualKeyCode });
    }
  };
  return { complaints: complaints!, requests: requests!, send, evaluate, press };
}
