import { type Environment, lazy } from '../std/index.ts';
import { authorities } from './certificates.ts';
import { lightTransport } from './light.ts';
import { proxyFor } from './proxy.ts';
import { type Deadlines, type Transport, TransportFailure } from './transport.ts';

/** The number of requests that `auto` sends by Node's HTTP: loading undici takes longer than these requests. */
const lightRequests = 8;

/** Node's HTTP (`light`), undici (`pooled`), or first one and then the other (`auto`). An unused transport is not loaded. */
export function transportOf(
  kind: 'light' | 'pooled' | 'auto',
  deadlines: Deadlines,
  env: Environment = process.env,
): Transport {
  const light = lightTransport(env);
  let leftForLight = { light: Number.POSITIVE_INFINITY, auto: lightRequests, pooled: 0 }[kind];
  const pooled = lazy(async () => (await import('./pooled.ts')).pooledTransport(deadlines, env));
  return {
    async open(request, options) {
      if (leftForLight-- > 0 && !isBeyondLight(request.url, env)) return await light.open(request, options);
      try {
        return await (await pooled()).open(request, options);
      } catch (error) {
        // undici treats an unrequested "100 Continue" as the end; Node reads on, as the standard requires.
        const isBroken = error instanceof TransportFailure && error.kind === 'answer_broken';
        if (isBroken) leftForLight = Number.POSITIVE_INFINITY;
        throw error;
      }
    },
    async close() {
      await (await pooled.made)?.close();
    },
  };
}

/** Node's own client cannot be given certificate authorities for a proxy that speaks TLS. */
function isBeyondLight(url: string, env: Environment): boolean {
  return url.startsWith('https:') && /^https:/i.test(proxyFor(url, env) ?? '') && authorities(env) !== undefined;
}
