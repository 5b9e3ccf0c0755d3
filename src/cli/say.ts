import { printable } from "./style.ts";

/** Writes one line for people to standard error. */
export function say(message: string): void {
  write(`muser: ${printable(message)}\n`);
}

/** Writes text to standard error as it is. */
export function write(text: string): void {
  try {
    Deno.stderr.writeSync(new TextEncoder().encode(text));
  } catch {
    // Standard error is closed, and there is nobody else to tell.
  }
}
