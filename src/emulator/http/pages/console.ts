import { randomBytes } from 'node:crypto';
import { consoleFile, consoleSprite, consoleVersion } from '../../../console/index.ts';
import { refusal } from '../../../contract/index.ts';
import { Html, html } from '../../pages/html.ts';
import type { Exchange } from '../exchange.ts';
import { sendPage } from './send-page.ts';

/**
 * The document of every page of the console. It holds no data and no token: the script asks for them.
 * @param options tokenFile: the file of the local token, if this workspace belongs to no app's folder; appFolder: that folder, for links to an editor
 */
export async function serveConsole(
  exchange: Exchange,
  slug: string,
  { tokenFile, appFolder }: { readonly tokenFile?: string; readonly appFolder?: string } = {},
): Promise<void> {
  const nonce = randomBytes(16).toString('base64url');
  const [version, sprite] = await Promise.all([consoleVersion(), consoleSprite()]);
  const text = html`<!doctype html>
<html lang="en" data-slug="${slug}"${tokenFile === undefined ? '' : html` data-token-file="${tokenFile}"`}${appFolder === undefined ? '' : html` data-app-folder="${appFolder}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${slug} · local workspace</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" nonce="${nonce}" href="/console/${version}/console.css">
<script type="module" nonce="${nonce}" src="/console/${version}/main.js"></script>
</head>
<body>
<div hidden>${new Html(sprite)}</div>
<div id="console"></div>
<noscript>The console needs scripts. Every command shows the same: fn help</noscript>
</body>
</html>`;
  // Only what this document names runs: a function may answer with a script at its own address on this server.
  const csp = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  sendPage(exchange, { html: text.text, csp });
}

/** `/console/<version>/<file>`: scripts and styles, which hold no data. */
export async function serveConsoleFile(exchange: Exchange, version: string, name: string): Promise<void> {
  const file = version === (await consoleVersion()) ? await consoleFile(name) : undefined;
  if (file === undefined) throw refusal('route_unknown', `There is nothing at ${exchange.path}`);
  const headers = ['Content-Type', file.contentType, 'Cache-Control', 'public, max-age=31536000, immutable'];
  exchange.send(200, headers, file.bytes);
}
