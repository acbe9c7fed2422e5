import { lazy } from '../../std/index.ts';
import type { HarnessAdapter, RunEvent } from '../types.ts';
import { checkCustomHarness } from './check.ts';
import { type BeginLeg, type LegReply, runInLegs } from './legs.ts';
import { buildLegRequest, type LegRequest } from './request.ts';

/**
 * An agent on a server of the user's own, which speaks AG-UI 1.0 with our profile. It runs in legs: a signed request, and a reply that
 * ends with calls of our tools or without.
 * @see docs/guide/agent-server.md
 */
export const customHarness: HarnessAdapter = {
  kind: 'custom',
  check: checkCustomHarness,
  run: (input, host) => runInLegs(input, host, beginLeg),
};

const loadSending = lazy(() => import('./send-leg.ts'));

async function* beginLeg(
  ...[leg, { input, host, limits, signal, batches }]: Parameters<BeginLeg>
): AsyncGenerator<RunEvent, LegReply | 'stopped'> {
  const { sendLeg } = await loadSending();
  const request = buildLegRequest(input, leg, limits.requestBytes);
  yield* tellOfDropped(request, limits.requestBytes);
  const events = yield* sendLeg(request, {
    harness: input.harness,
    host,
    limits,
    signal,
    ...(leg.door && { batches }),
  });
  return events === 'stopped' ? events : { runId: request.runId, threadId: request.threadId, events };
}

/** Says what of the conversation does not fit. */
export function* tellOfDropped({ dropped }: LegRequest, maxBytes: number): Generator<RunEvent, void> {
  if (dropped === 0) return;
  const message = `The ${dropped} oldest messages were left out: the request would be larger than ${maxBytes / 1024} KiB`;
  yield { type: 'warning', code: 'history_cut', message };
}
