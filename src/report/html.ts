/** Text that is HTML already. Everything else is escaped by {@linkcode markup}. */
export class Html {
  /** The HTML. */
  readonly text: string;

  /**
   * Takes text as it is.
   *
   * @param text HTML that needs no escaping.
   */
  constructor(text: string) {
    this.text = text;
  }
}

/** What stands in a template: `undefined` and `false` leave nothing. */
export type Part = Html | string | number | false | undefined | readonly Part[];

/** A template of HTML or SVG in which all that is put in is escaped, unless it is {@linkcode Html} itself. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(String.raw({ raw: strings }, ...parts.map(write)));
}

function write(part: Part): string {
  if (part === undefined || part === false) return "";
  if (part instanceof Html) return part.text;
  return typeof part === "object" ? part.map(write).join("") : escape(String(part));
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes for element content and quoted attributes. */
function escape(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** The text with control characters, and those that turn the direction of the text around them, written out. */
export function visible(text: string): string {
  // deno-lint-ignore no-control-regex
  const hidden = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
  return text.toWellFormed()
    .replace(hidden, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A name on one line, whatever it holds. */
export function oneLine(name: string): string {
  return name.replaceAll("\n", "\\n");
}
