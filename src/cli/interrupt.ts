const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Calls `clean` before a signal such as Ctrl-C ends the program. It is heard only while the program waits, so long
 * work has to pause now and then (see `Progress`).
 *
 * @returns Ends the watch.
 */
export function onInterrupt(clean: () => void): () => void {
  const listeners = Object.entries(SIGNALS).map(([name, status]) => {
    const listener = (): never => {
      clean();
      Deno.exit(status);
    };
    const signal = name as keyof typeof SIGNALS;
    Deno.addSignalListener(signal, listener);
    return () => Deno.removeSignalListener(signal, listener);
  });
  return () => listeners.forEach((remove) => remove());
}
