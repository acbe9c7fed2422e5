import { createHash, randomBytes } from 'node:crypto';

/** A new W3C trace id: 32 hex digits. */
export function newTraceId(): string {
  return randomBytes(16).toString('hex');
}

/**
 * The trace id of a W3C `traceparent` header, `00-<32 hex>-<16 hex>-<2 hex>`; undefined if the header is not one, in which case
 * the receiver begins a new trace (W3C Trace Context 4.3).
 */
export function parseTraceparent(header: string | undefined): string | undefined {
  const traceId = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/.exec(header ?? '')?.[1];
  return traceId === undefined || /^0+$/.test(traceId) ? undefined : traceId;
}

/**
 * How many deliveries led here, from a W3C `tracestate` header with our entry `fn=<number>`; 0 if there is none. A receiver that passes
 * both headers on when it calls back cannot build an endless loop.
 */
export function parseTraceDepth(header: string): number {
  return Number(/(?:^|,)\s*fn=(\d{1,4})\s*(?:,|$)/.exec(header)?.[1] ?? 0);
}

/** The headers that pass a trace on. @param parentId any id of ours; its hash is the span id */
export function traceHeaders(traceId: string, parentId: string, depth: number): [string, string][] {
  return [
    ['traceparent', `00-${traceId}-${spanIdOf(parentId)}-01`],
    ['tracestate', `fn=${depth}`],
  ];
}

/** The span id of whatever has an id of ours: 16 hex digits. */
export function spanIdOf(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 16);
}
