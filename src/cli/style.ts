interface Terminal {
  isTerminal(): boolean;
}

/** Bold on a terminal, unless NO_COLOR is set. */
export function bold(text: string, stream: Terminal = Deno.stdout): string {
  return styled(text, 1, stream);
}

/** Faint on a terminal, unless NO_COLOR is set. */
export function dim(text: string, stream: Terminal = Deno.stdout): string {
  return styled(text, 2, stream);
}

/** Red on a terminal, unless NO_COLOR is set. */
export function red(text: string, stream: Terminal = Deno.stdout): string {
  return styled(text, 31, stream);
}

/** Green on a terminal, unless NO_COLOR is set. */
export function green(text: string, stream: Terminal = Deno.stdout): string {
  return styled(text, 32, stream);
}

/** One of two backgrounds, by turns. */
export function shade(text: string, turn: number): string {
  return styled(text, turn % 2 === 0 ? "30;46" : "30;43", Deno.stdout);
}

function styled(text: string, code: number | string, stream: Terminal): string {
  return Deno.noColor || !stream.isTerminal() ? text : `\x1b[${code}m${text}\x1b[0m`;
}

/** The text with control characters written out, because a name in a file may hold commands for the terminal. */
export function printable(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, (character) => {
    const short = SHORT_ESCAPES[character];
    return short ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

const SHORT_ESCAPES: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
