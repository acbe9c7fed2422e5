import { limits } from '../../contract/index.ts';
import type { Tx } from '../door/tx.ts';
import { fromJson } from '../door/tx.ts';
import { enqueueJob } from '../jobs/enqueue.ts';
import { finishJob, LeaseLost } from '../jobs/finish.ts';
import type { JobEnd } from '../jobs/types.ts';
import type { DeliveryAttempt, DeliveryOutcome } from '../types.ts';
import { disableEndpoint, type EndpointRow, endpointDisabled, stopExpiry } from './endpoints.ts';

/** From this failure of an event on, the next of its conversation may pass. */
const passedAfter = 3;
const failingMs = limits.webhooks.failingDays * 86_400_000;
const dayMs = 86_400_000;

/**
 * Records attempts, each with everything that follows from it: the end of the try, the state of the delivery, and what it says of its endpoint.
 * @returns for each whether its job was still leased to this process; otherwise nothing of it was recorded
 */
export async function recordOutcomes(tx: Tx, outcomes: readonly DeliveryOutcome[]): Promise<boolean[]> {
  const endpoints = new Map<string, EndpointRow | undefined>();
  const recorded: boolean[] = [];
  for (const outcome of outcomes) {
    try {
      await recordOutcome(tx, outcome, endpoints);
      recorded.push(true);
    } catch (error) {
      // Finding out is the first write, so nothing has to be undone.
      if (!(error instanceof LeaseLost)) throw error;
      recorded.push(false);
    }
  }
  return recorded;
}

async function recordOutcome(
  tx: Tx,
  { job, deliveryId, attempt, decision }: DeliveryOutcome,
  endpoints: Map<string, EndpointRow | undefined>,
): Promise<void> {
  const delivery = await tx.db
    .selectFrom('delivery')
    .select(['receiver_id', 'attempts'])
    .where('id', '=', deliveryId)
    .executeTakeFirst();
  // Its endpoint was removed meanwhile, and the log of it.
  if (delivery === undefined) return finishJob(tx, job, { state: 'aborted' });
  const id = delivery.receiver_id;
  if (!endpoints.has(id)) {
    endpoints.set(id, await tx.db.selectFrom('endpoint').selectAll().where('id', '=', id).executeTakeFirst());
  }
  const endpoint = endpoints.get(id);
  const goesOn = decision.state === 'waiting' && endpoint?.state === 'enabled';
  const state = decision.state === 'waiting' && !goesOn ? 'failed' : decision.state;
  const reason = decision.state === 'waiting' && !goesOn ? endpointDisabled : decision.reason;
  const due = Math.round(tx.now + (decision.delayMs ?? 0));
  const end: JobEnd = goesOn
    ? { state: 'waiting', due, ...(job.attempt + 1 >= passedAfter && { holdsLane: false }) }
    : { state: 'done' };
  await finishJob(tx, job, end);
  await writeAttempt(tx, { deliveryId, number: delivery.attempts + 1, attempt, reason });
  await tx.db
    .updateTable('delivery')
    .set({
      state,
      attempts: delivery.attempts + 1,
      next_due: goesOn ? due : null,
      status: attempt.status ?? null,
      reason,
      ended_at: goesOn ? null : tx.now,
    })
    .where('id', '=', deliveryId)
    .execute();
  if (endpoint === undefined || endpoint.state !== 'enabled') return;
  endpoints.set(id, await judgeEndpoint(tx, endpoint, job, decision));
}

/** Writes one attempt into the log. */
export async function writeAttempt(
  { db, now }: Tx,
  given: {
    readonly deliveryId: string;
    readonly number: number;
    readonly attempt: DeliveryAttempt;
    readonly reason: string;
  },
): Promise<void> {
  const { deliveryId, number, attempt, reason } = given;
  await db
    .insertInto('delivery_attempt')
    .values({
      delivery_id: deliveryId,
      number,
      started_at: Math.round(attempt.startedAtMs),
      at: Math.round(now - attempt.ms),
      ms: Math.round(attempt.ms),
      target: attempt.target,
      request_headers: JSON.stringify(attempt.requestHeaders),
      status: attempt.status ?? null,
      answer: attempt.answer === undefined ? null : JSON.stringify(attempt.answer),
      error: attempt.error === undefined ? null : JSON.stringify(attempt.error),
      reason,
      invocation_id: attempt.invocationId ?? null,
    })
    .execute();
}

/** What an attempt says of its endpoint: it works, it fails, or it wants nothing more. @returns the endpoint as it is then */
async function judgeEndpoint(
  tx: Tx,
  endpoint: EndpointRow,
  job: DeliveryOutcome['job'],
  { state, disables, reason }: DeliveryOutcome['decision'],
): Promise<EndpointRow> {
  const by = { caller: tx.caller, trace: job.trace };
  if (disables !== undefined) return disableEndpoint(tx, endpoint, reason, by);
  if (state === 'delivered') {
    if (endpoint.failing_since === null) return endpoint;
    return noteHealth(tx, endpoint, await stopExpiry(tx, endpoint));
  }
  const failures = [...fromJson<number[]>(endpoint.failures), tx.now].slice(-3);
  const failingSince = endpoint.failing_since ?? tx.now;
  const [first = tx.now] = failures;
  const isFailing = failures.length === 3 && tx.now - first <= dayMs;
  const expiry =
    endpoint.expiry_job_id ?? (isFailing ? await enqueueExpiry(tx, endpoint.id, failingSince + failingMs) : null);
  return noteHealth(tx, endpoint, {
    failing_since: failingSince,
    failures: JSON.stringify(failures),
    expiry_job_id: expiry,
  });
}

async function enqueueExpiry(tx: Tx, endpointId: string, due: number): Promise<string> {
  const { id } = await enqueueJob(tx, {
    kind: 'expiry',
    due: Math.max(due, tx.now),
    payload: { of: 'endpoint', id: endpointId },
  });
  return id;
}

/** Nobody has changed it, so its own time of change stays; and nothing that deliveries need is different. */
async function noteHealth(
  { db }: Tx,
  endpoint: EndpointRow,
  health: Pick<EndpointRow, 'failing_since' | 'failures' | 'expiry_job_id'>,
): Promise<EndpointRow> {
  await db.updateTable('endpoint').set(health).where('id', '=', endpoint.id).execute();
  return { ...endpoint, ...health };
}

/** Disables an endpoint that has done nothing but fail for days, when its job falls due. */
export async function expireEndpoint(tx: Tx, job: DeliveryOutcome['job'], endpointId: string): Promise<void> {
  await finishJob(tx, job, { state: 'done' });
  const endpoint = await tx.db
    .selectFrom('endpoint')
    .selectAll()
    .where('id', '=', endpointId)
    .where('expiry_job_id', '=', job.id)
    .executeTakeFirst();
  if (endpoint === undefined) return;
  const reason = `nothing but failures for ${limits.webhooks.failingDays} days`;
  await disableEndpoint(tx, endpoint, reason, { caller: tx.caller, trace: job.trace });
}
