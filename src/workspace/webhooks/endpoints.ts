import type { Insertable, Selectable } from 'kysely';
import { checkEndpointUrl, findSubscriptionProblem, limits, type Output, refusal } from '../../contract/index.ts';
import { newId, toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import type { Announcement, Tx } from '../door/tx.ts';
import { fromJson } from '../door/tx.ts';
import { waitingState } from '../jobs/claim.ts';
import { removeJob } from '../jobs/remove.ts';
import { putOwnerSecret, removeOwnerSecrets } from '../owner-secrets.ts';
import { secretNames } from './subscriptions.ts';

export type EndpointRow = Selectable<Tables['endpoint']>;
type Endpoint = Output<'webhooks.show'>;

/** @throws WorkspaceError webhook_not_found */
export async function requireEndpoint({ db }: Tx, id: string): Promise<EndpointRow> {
  const row = await db.selectFrom('endpoint').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw refusal('webhook_not_found', `There is no webhook endpoint ${id}`);
  return row;
}

/** @throws WorkspaceError webhook_disabled */
export function requireEnabled(row: EndpointRow): void {
  if (row.state === 'enabled') return;
  throw refusal('webhook_disabled', `${row.id} is disabled${row.reason === null ? '' : `: ${row.reason}`}`, {
    hint:
      row.state === 'needsSecret'
        ? `Give it a secret: fn webhook rotate ${row.id}`
        : `Enable it first: fn webhook update ${row.id} --enable`,
  });
}

export function endpointOf(row: EndpointRow): Endpoint {
  const time = (ms: number | null) => (ms === null ? null : toTimestamp(ms));
  return {
    id: row.id,
    kind: row.kind as Endpoint['kind'],
    source: row.source as Endpoint['source'],
    url: row.kind === 'url' ? row.target : null,
    function: row.kind === 'function' ? row.target : null,
    events: fromJson<string[]>(row.patterns),
    description: row.description,
    state: row.state as Endpoint['state'],
    reason: row.reason,
    disabledAt: time(row.disabled_at),
    failingSince: time(row.failing_since),
    oldSecretUntil: time(row.old_secret_until),
    createdAt: toTimestamp(row.created_at),
    updatedAt: toTimestamp(row.updated_at),
  };
}

/** The endpoint as events show it. */
function endpointInEvent(row: EndpointRow) {
  const { id, kind, events, state, reason } = endpointOf(row);
  const target = row.kind === 'url' ? new URL(row.target).origin : row.target;
  return { endpoint: { id, kind, events, state, reason, target } };
}

/** @throws WorkspaceError webhook_url_invalid, webhook_url_insecure, webhook_url_private. @returns the address in its usual spelling */
export function requireUrl(text: string): string {
  const checked = checkEndpointUrl(text, { allowLoopback: true });
  if ('url' in checked) return checked.url;
  throw refusal(checked.code, checked.message, {
    hint: checked.hint,
    errors: [{ path: 'url', message: checked.message }],
  });
}

/** @throws WorkspaceError event_unknown, with the kind that was probably meant. @returns each once */
export function requirePatterns(given: readonly string[]): string[] {
  const problem = findSubscriptionProblem(given);
  if (problem === undefined) return [...new Set(given)];
  throw refusal('event_unknown', problem.message, {
    hint: problem.hint,
    errors: [{ path: 'events', message: problem.message }],
  });
}

/** @throws WorkspaceError webhook_exists */
export async function requireNew({ db }: Tx, kind: string, target: string): Promise<void> {
  const known = await db
    .selectFrom('endpoint')
    .select('id')
    .where('kind', '=', kind)
    .where('target', '=', target)
    .executeTakeFirst();
  if (known === undefined) return;
  throw refusal('webhook_exists', `${target} is already the endpoint ${known.id}`, {
    hint: `Change what it gets: fn webhook update ${known.id} --events …`,
    details: { id: known.id },
  });
}

/** Adds an endpoint. @throws WorkspaceError webhook_limit */
export async function insertEndpoint(
  tx: Tx,
  given: Pick<EndpointRow, 'kind' | 'source' | 'target'> &
    Partial<Insertable<Tables['endpoint']>> & { readonly events: readonly string[]; readonly secret?: string },
): Promise<EndpointRow> {
  const { events, secret, ...columns } = given;
  const { maxEndpoints } = limits.webhooks;
  const { count } = await tx.db
    .selectFrom('endpoint')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= maxEndpoints)
    throw refusal('webhook_limit', `A workspace has at most ${maxEndpoints} webhook endpoints`);
  const row: EndpointRow = {
    id: newId('whk', tx.now),
    patterns: JSON.stringify(events),
    description: null,
    state: 'enabled',
    reason: null,
    disabled_at: null,
    secret_from: null,
    old_secret_until: null,
    failing_since: null,
    failures: '[]',
    expiry_job_id: null,
    created_at: tx.now,
    updated_at: tx.now,
    ...columns,
  };
  await tx.db.insertInto('endpoint').values(row).execute();
  if (secret !== undefined) await putOwnerSecret(tx, row.id, secretNames.current, secret);
  tx.facts.subscriptions.changed(tx);
  return row;
}

/** Changes an endpoint. @returns it as it is then */
export async function updateEndpoint(
  tx: Tx,
  row: EndpointRow,
  set: Partial<Omit<EndpointRow, 'id'>>,
): Promise<EndpointRow> {
  const changed = { ...row, ...set, updated_at: tx.now };
  const { id, ...columns } = changed;
  await tx.db.updateTable('endpoint').set(columns).where('id', '=', id).execute();
  tx.facts.subscriptions.changed(tx);
  return changed;
}

/** Sends nothing more to an endpoint: what still waits ends as failed, to be recovered after it is enabled again. */
export async function disableEndpoint(
  tx: Tx,
  row: EndpointRow,
  reason: string,
  by?: Announcement['by'],
): Promise<EndpointRow> {
  if (row.state === 'disabled') return row;
  const disabled = await updateEndpoint(tx, row, {
    state: 'disabled',
    reason,
    disabled_at: tx.now,
    ...(await stopExpiry(tx, row)),
  });
  await tx.db
    .updateTable('delivery')
    .set({ state: 'failed', next_due: null, reason: endpointDisabled, ended_at: tx.now })
    .where('receiver_id', '=', row.id)
    .where('state', '=', waitingState)
    .execute();
  await removeWaitingJobs(tx, row.id);
  await tx.announce({ type: 'webhookEndpoint.disabled', data: endpointInEvent(disabled), ...(by && { by }) });
  return disabled;
}

export const endpointDisabled = 'the endpoint was disabled';

/** Sends it what it subscribes to again. */
export async function enableEndpoint(tx: Tx, row: EndpointRow): Promise<EndpointRow> {
  if (row.state !== 'disabled') return row;
  return updateEndpoint(tx, row, { state: 'enabled', reason: null });
}

/** Removes an endpoint with its secrets, its deliveries and what still waits. */
export async function removeEndpoint(tx: Tx, row: EndpointRow): Promise<void> {
  await stopExpiry(tx, row);
  await removeWaitingJobs(tx, row.id);
  await tx.db.deleteFrom('delivery').where('receiver_id', '=', row.id).execute();
  await removeOwnerSecrets(tx, row.id);
  await tx.db.deleteFrom('endpoint').where('id', '=', row.id).execute();
  tx.facts.subscriptions.changed(tx);
}

/** Forgets its failures. @returns the columns that say so */
export async function stopExpiry(
  tx: Tx,
  row: EndpointRow,
): Promise<Pick<EndpointRow, 'failing_since' | 'failures' | 'expiry_job_id'>> {
  if (row.expiry_job_id !== null) await removeJob(tx, row.expiry_job_id);
  return { failing_since: null, failures: '[]', expiry_job_id: null };
}

/** All of a receiver's deliveries are jobs of its group, so no lane is left in which something could wait. */
async function removeWaitingJobs(tx: Tx, receiverId: string): Promise<void> {
  await tx.db
    .deleteFrom('job')
    .where('group_key', '=', receiverId)
    .where('ended_at', 'is', null)
    .where('state', 'in', ['waiting', 'blocked'])
    .execute();
  tx.afterCommit(tx.facts.jobsChanged);
}

/** Announces a ping, to this endpoint only. @returns the id of the event */
export async function pingEndpoint(tx: Tx, row: EndpointRow): Promise<string> {
  const event = await tx.announce({ type: 'webhook.ping', data: endpointInEvent(row), deliverTo: row.id });
  if (event === undefined) throw new Error('a ping was not announced');
  return event.id;
}
