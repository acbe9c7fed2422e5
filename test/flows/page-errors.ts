import type { Page } from 'playwright-core';

/** What a page has complained about so far: errors on its console, and what nobody caught. */
export function errorsOf(page: Page): string[] {
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  return errors;
}
