import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';

const usualPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine, or the one that `CHROMIUM` names. */
const executablePath = [process.env['CHROMIUM'], ...usualPaths].find((path) => path !== undefined && existsSync(path));

/** Why nothing can be looked at in a browser here; false where it can. */
export const noChromium =
  executablePath === undefined && 'no Chromium on this machine (install it, or set CHROMIUM to its path)';

/** A browser without a window, that asks for nothing by itself. */
export async function openChromium(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  const quiet = [
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-sync',
    '--disable-component-update',
  ];
  const sandboxed = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: [...quiet, ...sandboxed],
  });
}
