import type { Page } from '../../pages/index.ts';
import type { Exchange } from '../exchange.ts';

/** Sends one of our pages with its content security policy. */
export function sendPage(exchange: Exchange, page: Page, status = 200, further: readonly string[] = []): void {
  exchange.send(
    status,
    [
      'Content-Type',
      'text/html; charset=utf-8',
      'Cache-Control',
      'no-store',
      'Content-Security-Policy',
      page.csp,
      'Referrer-Policy',
      'same-origin',
      'Cross-Origin-Opener-Policy',
      'same-origin',
      ...further,
    ],
    page.html,
  );
}
