import { fetchWithin } from '../fetch-within.ts';
import type { RunLimits } from '../types.ts';

const allowed: readonly string[] = ['accept', 'content-type', 'user-agent'];

/**
 * A `fetch` for the client of a vendor: our transport, with the key and the headers that are named. Without headers of the environment
 * (`OPENAI_CUSTOM_HEADERS` and its like), and without what tells of this machine.
 */
export function closedFetch(
  limits: RunLimits,
  key: Readonly<Record<string, string>>,
  more: readonly string[] = [],
): typeof globalThis.fetch {
  const fetch = fetchWithin(limits);
  return (target, init) => {
    const headers: Record<string, string> = { ...key };
    for (const [name, value] of new Headers(init?.headers)) {
      if (allowed.includes(name) || more.includes(name)) headers[name] = value;
    }
    return fetch(target, { ...init, headers });
  };
}
