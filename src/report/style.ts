import { Html } from "./html.ts";

/** Types that get a colour of their own; those that take the least of the file share grey. */
export const COLOURS = 6;

/**
 * The colours of types, for white and for dark paper, the last one for all other types. Told apart with every kind of
 * colour blindness, and at least 3 : 1 against the paper; a test proves both.
 */
export const palettes: Readonly<Record<"light" | "dark", readonly string[]>> = {
  light: ["#3b6fb6", "#be8726", "#1f2d56", "#8c4f29", "#2a9bc8", "#4e1c03", "#8a8d91"],
  dark: ["#6ea3e8", "#d3ad4e", "#5560b4", "#a35f2c", "#7fdbe6", "#f0e6a0", "#7d848c"],
};

const light = `--ink:#1b1f24;--soft:#59636e;--line:#d5dae0;--paper:#ffffff;--mark:#c4122f;${colours("light")}`;
const dark = `--ink:#e6e9ed;--soft:#9aa4af;--line:#363d45;--paper:#15181c;--mark:#ff6b7d;${colours("dark")}`;

function colours(scheme: "light" | "dark"): string {
  return palettes[scheme].map((colour, index) => `--type${index}:${colour}`).join(";");
}

const pictures = `
  color: var(--ink); font: 14px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; max-width: 1000px;
  & h2 { font-size: 17px; margin: 32px 0 8px; font-weight: 600; }
  & p { margin: 4px 0 12px; color: var(--soft); max-width: 46em; }
  & figure { margin: 0; }
  & .columns { display: flex; flex-wrap: wrap; gap: 0 64px; align-items: flex-start; }
  & svg { display: block; width: 100%; height: auto; overflow: visible; }
  & svg text { font-size: 11px; fill: var(--soft); font-variant-numeric: tabular-nums; }
  & svg text.middle { text-anchor: middle; }
  & svg text.end { text-anchor: end; }
  & svg text.strong { fill: var(--ink); }
  & svg:focus-visible, & [tabindex]:focus-visible { outline: 2px solid var(--mark); outline-offset: 3px; }
  & table { border-collapse: collapse; font-variant-numeric: tabular-nums; text-align: left; background: none; }
  & caption { text-align: left; color: var(--ink); font-weight: 600; padding: 12px 0 4px; }
  & th, & td { padding: 2px 20px 2px 0; vertical-align: top; border: 0; text-align: left; overflow-wrap: anywhere;
    unicode-bidi: isolate; background: none; color: var(--ink); font-size: 14px; }
  & th { font-weight: 400; color: var(--soft); }
  & thead th { border-bottom: 1px solid var(--line); }
  & .number { text-align: right; }
  & summary { cursor: pointer; color: var(--soft); margin-top: 8px; }
  & .swatch { display: inline-block; width: 12px; height: 12px; margin-right: 8px; vertical-align: -1px; }
  ${
  palettes.light.map((_, index) => `& .type${index} { fill: var(--type${index}); background: var(--type${index}); }`)
    .join("\n  ")
}
  & .thin { fill: none; stroke-width: 1; vector-effect: non-scaling-stroke; }
  ${palettes.light.map((_, index) => `& .thin.type${index} { stroke: var(--type${index}); }`).join("\n  ")}
  & .header { fill: var(--line); }
  & .table { stroke: var(--ink); stroke-width: 1.5; }
  & .track { fill: var(--line); }
  & .mark { stroke: var(--mark); fill: var(--mark); stroke-width: 2; vector-effect: non-scaling-stroke; }
  & .axis { stroke: var(--line); fill: none; }
  & .bar { fill: var(--type0); }
  & .hit { fill: transparent; }
  & .item:hover, & .item.here { stroke: var(--mark); stroke-width: 2; }
  & image { image-rendering: pixelated; }
  & .swatch, & svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
`;

/** The style of a picture in a notebook, whose own theme decides between light and dark. */
export const notebookStyle: Html = new Html(
  `.muser { ${light}; ${pictures} }
[data-jp-theme-light="false"] .muser, .vscode-dark .muser { ${dark} }`,
);

/** The style of a page of its own: the reader's system decides; print is always light. */
export const pageStyle: Html = new Html(
  `:root { color-scheme: light dark; }
body { margin: 0; background: #ffffff; }
.muser { ${light}; ${pictures} padding: 24px 24px 64px; margin: 0 auto;
  & h1 { font-size: 24px; margin: 8px 0 0; font-weight: 600; overflow-wrap: anywhere; }
  & .path { overflow-wrap: anywhere; }
}
.tip { position: fixed; z-index: 1; pointer-events: none; max-width: 340px; padding: 6px 10px; border-radius: 4px;
  background: #1b1f24; color: #ffffff; font: 13px/1.4 system-ui, "Segoe UI", "DejaVu Sans", sans-serif;
  white-space: pre-line; overflow-wrap: anywhere; }
.tip::first-line { font-weight: 600; }
.tip[hidden] { display: none; }
@media screen and (prefers-color-scheme: dark) {
  body { background: #15181c; }
  .muser { ${dark} }
  .tip { background: #e6e9ed; color: #15181c; }
}
@media print {
  .muser { max-width: none; padding: 0; }
  .tip { display: none; }
  .muser section, .muser figure { break-inside: avoid; }
  .muser h2, .muser caption { break-after: avoid; }
  .muser thead { display: table-header-group; }
  .muser details:not([open]) { display: none; }
}`,
);
