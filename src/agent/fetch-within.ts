import { sendRequest } from './transport.ts';
import type { RunLimits } from './types.ts';

/** A `fetch` for libraries: what they send goes through our transport, with its limits and without redirects. */
export function fetchWithin(limits: RunLimits): typeof globalThis.fetch {
  return async (target, { method = 'GET', headers, body, signal } = {}) => {
    const url = new URL(target instanceof Request ? target.url : target);
    const sent = Object.fromEntries(new Headers(headers));
    const stop = signal ?? new AbortController().signal;
    const reply = await sendRequest({ url, method, headers: sent, body: String(body ?? '') }, limits, stop);
    const given = new Headers();
    for (const [name, value] of Object.entries(reply.headers)) if (value !== undefined) given.set(name, String(value));
    return new Response(ReadableStream.from(reply.body), { status: reply.status, headers: given });
  };
}
