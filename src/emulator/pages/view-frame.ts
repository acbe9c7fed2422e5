import { randomBytes } from 'node:crypto';
import { clientSdkSource } from '../../sdk/index.ts';
import type { LoadedFunction } from '../sources/function-source.ts';
import type { Page } from './page.ts';

/** The document inside the frame of a Custom View. */
export interface ViewFrame extends Page {
  /** Line of the document, from 1, on which the view's program begins at column 1, for mapping its stack traces. */
  readonly programLine: number;
}

/**
 * The frame of a view: one document with everything inlined. Its policy gives it a separate origin (`sandbox`), so it has no
 * access to the workspace's session. It communicates with the page around it through a single channel.
 * @param nonce known to the surrounding page, which needs it to pass the channel
 * @param pageOrigin origin of that page, the only one that may embed the frame; in CSP, http includes https
 */
export async function viewFrame(
  view: NonNullable<LoadedFunction['view']>,
  nonce: string,
  pageOrigin: string,
): Promise<ViewFrame> {
  const scriptNonce = randomBytes(16).toString('base64url');
  const head = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<style>
:root{color-scheme:light dark;font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
body{margin:0}
#view{display:flow-root}
${view.css.replaceAll('</', '<\\/')}
</style>
</head>
<body>
<div id="view"></div>
<script nonce="${scriptNonce}">
const __name = (value) => value;
const __start = ${await clientSdkSource()};
__start(${JSON.stringify(nonce)},
`;
  const html = `${head}${view.script});
${inlineMap(view.sourceMap, head)}</script>
</body>
</html>`;
  const csp = [
    'sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads',
    "default-src 'none'",
    `script-src 'nonce-${scriptNonce}' 'unsafe-eval' 'wasm-unsafe-eval'`,
    "style-src 'unsafe-inline' https:",
    'img-src data: blob: https:',
    'font-src data: https:',
    'media-src data: blob: https:',
    'connect-src https: wss:',
    "base-uri 'none'",
    `frame-ancestors ${pageOrigin}`,
  ].join('; ');
  return { html, csp, programLine: lineCount(head) };
}

function lineCount(text: string): number {
  return text.split('\n').length;
}

/** The source map, shifted to the program's line in the document, so that the browser's debugger shows the author's files. */
function inlineMap(sourceMap: string | undefined, head: string): string {
  if (sourceMap === undefined) return '';
  const map = JSON.parse(sourceMap) as { mappings: string };
  const moved = { ...map, mappings: ';'.repeat(lineCount(head) - 1) + map.mappings };
  return `//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(moved)).toString('base64')}\n`;
}
