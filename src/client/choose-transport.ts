import type { Environment } from '../std/index.ts';
import { authorities } from './certificates.ts';
import { lightTransport } from './light.ts';
import { proxyFor } from './proxy.ts';
import { type Deadlines, type Transport, TransportFailure } from './transport.ts';

/** With `auto`: loading undici takes longer than so many requests do. */
const lightRequests = 8;

/** Node's HTTP (`light`), undici's (`pooled`), or first the one and then the other (`auto`). What is not used is not loaded. */
export function transportOf(
  kind: 'light' | 'pooled' | 'auto',
  deadlines: Deadlines,
  env: Environment = process.env,
): Transport {
  const light = lightTransport(env);
  let leftForLight = { light: Number.POSITIVE_INFINITY, auto: lightRequests, pooled: 0 }[kind];
  let opening: Promise<Transport> | undefined;
  return {
    async open(request, options) {
      if (leftForLight-- > 0 && !isBeyondLight(request.url, env)) return await light.open(request, options);
      opening ??= import('./pooled.ts').then(({ pooledTransport }) => pooledTransport(deadlines, env));
      try {
        return await (await opening).open(request, options);
      } catch (error) {
        // undici takes "100 Continue" that nobody asked for as the end; Node reads on, as the standard wants it.
        const isBroken = error instanceof TransportFailure && error.kind === 'answer_broken';
        if (isBroken) leftForLight = Number.POSITIVE_INFINITY;
        throw error;
      }
    },
    async close() {
      await (await opening)?.close();
    },
  };
}

/** Node's own client cannot be told whose certificates a proxy that speaks TLS may have. */
function isBeyondLight(url: string, env: Environment): boolean {
  return url.startsWith('https:') && /^https:/i.test(proxyFor(url, env) ?? '') && authorities(env) !== undefined;
}
