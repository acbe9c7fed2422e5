import type { Trace } from '../../../contract/index.ts';
import type { FetchRequest } from '../../../sandbox/index.ts';
import { traceHeaders } from '../../../std/index.ts';

/**
 * A request of a function that passes its trace on, as webhooks, MCP calls and custom harnesses do: W3C Trace Context, with the invocation
 * as the span that it comes from. A function that sends one of these headers itself speaks for itself.
 */
export function withTrace(
  request: FetchRequest,
  { traceId, depth }: Pick<Trace, 'traceId' | 'depth'>,
  invocationId: string,
): FetchRequest {
  const own = request.headers.some(([name]) => /^trace(?:parent|state)$/i.test(name));
  if (own) return request;
  return { ...request, headers: [...request.headers, ...traceHeaders(traceId, invocationId, depth)] };
}
