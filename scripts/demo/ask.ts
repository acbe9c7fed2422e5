import { setTimeout as wait } from 'node:timers/promises';
import type { RunningDemo } from './start-dev.ts';

/** An operation of the demo's workspace, by its route. */
// biome-ignore lint/suspicious/noExplicitAny: answers are checked by the assertions on them
export async function ask(demo: RunningDemo, method: string, path: string, body?: unknown, more = {}): Promise<any> {
  const response = await fetch(`${demo.url}/api/${demo.slug}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${demo.token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...more,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

/** Looks again and again, for at most 20 s. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 20_000; Date.now() < end; await wait(50)) if (await holds()) return;
  throw new Error(`It did not come to this: ${what}`);
}

/** Runs a function of the demo app. */
export function invoke(demo: RunningDemo, name: string, input: unknown) {
  return ask(demo, 'POST', `/apps/order-desk/functions/${encodeURIComponent(name)}/invoke`, { input });
}
