import { Html, markup } from "./html.ts";
import { script, scriptHash } from "./script.ts";
import { pageStyle } from "./style.ts";

/** A page of its own. Its policy forbids every request, and every script but ours. */
export function page(title: string, path: string, body: readonly Html[]): string {
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src '${scriptHash}'`;
  return markup`<!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="${policy}">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="generator" content="@muser/engine">
        <title>${title}</title>
        <link rel="icon" href="data:,">
        <style>${pageStyle}</style>
      </head>
      <body>
        <main class="muser">
    <header><h1>${title}</h1><p class="path">${path}</p></header>
    ${body.map((part) => markup`${part}\n`)}
        </main>
        <div class="tip" aria-hidden="true" hidden></div>
        <script>${new Html(script)}</script>
      </body>
    </html>
  `.text;
}
