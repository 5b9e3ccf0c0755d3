import { type Html, markup, oneLine, visible } from "./html.ts";
import { notebookStyle } from "./style.ts";

/** A picture that shows itself in a notebook; elsewhere it is a piece of HTML. */
export class Picture {
  /** What it shows, in one sentence. */
  readonly description: string;
  /** The picture and its style as HTML, to be put into any page. It asks for nothing from elsewhere. */
  readonly html: string;

  /**
   * Made by {@linkcode fileMap}, {@linkcode heatMap} and {@linkcode normHistogram}.
   *
   * @param description What it shows.
   * @param body Its HTML.
   */
  constructor(description: string, body: Html) {
    this.description = visible(oneLine(description));
    this.html = markup`<div class="muser"><style>${notebookStyle}</style>${body}</div>`.text;
  }

  /**
   * What a Jupyter kernel is told.
   *
   * @returns The picture as HTML, and its description as text.
   */
  display(): Record<string, string> {
    return { "text/html": this.html, "text/plain": this.description };
  }

  /**
   * How a Jupyter notebook shows it.
   *
   * @returns As {@linkcode Picture.display}.
   */
  [Symbol.for("Jupyter.display")](): Record<string, string> {
    return this.display();
  }
}
