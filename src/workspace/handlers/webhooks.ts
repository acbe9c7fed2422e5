import { limits, type Output, type ParsedInput, refusal } from '../../contract/index.ts';
import { newSigningSecret, toTimestamp } from '../../std/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { pageBy } from '../lists/page.ts';
import { putOwnerSecret } from '../owner-secrets.ts';
import { requireSigningSecret } from '../signing-secret.ts';
import {
  disableEndpoint,
  type EndpointRow,
  enableEndpoint,
  endpointOf,
  insertEndpoint,
  pingEndpoint,
  removeEndpoint,
  requireEnabled,
  requireEndpoint,
  requireNew,
  requirePatterns,
  requireUrl,
  updateEndpoint,
} from '../webhooks/endpoints.ts';
import { countMissed, recoverMissed } from '../webhooks/recover.ts';
import { secretNames } from '../webhooks/subscriptions.ts';
import type { HandlersOf } from './index.ts';

export const webhookHandlers: HandlersOf<'webhooks'> = {
  async 'webhooks.list'(input, tx) {
    const page = await pageBy(tx, 'webhooks.list', input, tx.db.selectFrom('endpoint').selectAll(), {
      by: 'created_at',
    });
    return { items: page.rows.map(endpointOf), nextCursor: page.nextCursor };
  },

  async 'webhooks.show'({ id }, tx) {
    return endpointOf(await requireEndpoint(tx, id));
  },

  async 'webhooks.add'({ url, function: path, events, description = null, secret }, tx) {
    const patterns = requirePatterns(events);
    const kind = url === undefined ? 'function' : 'url';
    const target = url === undefined ? (path ?? '') : requireUrl(url);
    await requireNew(tx, kind, target);
    const value = kind === 'function' ? null : secret === undefined ? newSigningSecret() : requireSigningSecret(secret);
    const row = await insertEndpoint(tx, {
      kind,
      source: 'api',
      target,
      events: patterns,
      description,
      ...(value !== null && { secret: value }),
    });
    return { ...endpointOf(row), secret: value };
  },

  async 'webhooks.update'({ id, state, ...given }, tx) {
    const before = await requireEndpoint(tx, id);
    let row = await change(tx, before, given);
    if (state === 'disabled') row = await disableEndpoint(tx, row, 'disabled by hand');
    const wasDisabled = row.state === 'disabled';
    if (state === 'enabled') {
      if (row.state === 'needsSecret') requireEnabled(row);
      row = await enableEndpoint(tx, row);
    }
    const isBack = wasDisabled && row.state === 'enabled' && row.disabled_at !== null;
    return { ...endpointOf(row), missed: isBack ? await missedBy(tx, row, row.disabled_at ?? 0) : null };
  },

  async 'webhooks.remove'({ id }, tx) {
    const row = await requireEndpoint(tx, id);
    refuseOfApp(row);
    await removeEndpoint(tx, row);
    return {};
  },

  async 'webhooks.rotateSecret'({ id, secret = newSigningSecret() }, tx) {
    const row = await requireEndpoint(tx, id);
    if (row.kind === 'function') throw refusal('webhook_unsigned', `${row.target} is a function and has no secret`);
    requireSigningSecret(secret);
    const known = await tx.db
      .selectFrom('secret')
      .select('value')
      .where('app', '=', id)
      .where('name', '=', secretNames.current)
      .executeTakeFirst();
    const until = known === undefined ? null : tx.now + limits.webhooks.oldSecretHours * 3_600_000;
    if (known !== undefined) await putOwnerSecret(tx, id, secretNames.old, known.value);
    await putOwnerSecret(tx, id, secretNames.current, secret);
    await updateEndpoint(tx, row, {
      old_secret_until: until,
      ...(row.state === 'needsSecret' && { state: 'enabled', reason: null }),
    });
    return { id, secret, oldSecretUntil: until === null ? null : toTimestamp(until) };
  },

  async 'webhooks.ping'({ id }, tx) {
    const row = await requireEndpoint(tx, id);
    requireEnabled(row);
    const eventId = await pingEndpoint(tx, row);
    const delivery = await tx.db
      .selectFrom('delivery')
      .select('id')
      .where('event_id', '=', eventId)
      .executeTakeFirstOrThrow();
    return { eventId, deliveryId: delivery.id };
  },

  async 'webhooks.recover'({ id, since, perSecond }, tx) {
    const row = await requireEndpoint(tx, id);
    requireEnabled(row);
    const from = since === undefined ? (row.disabled_at ?? tx.now - 86_400_000) : Date.parse(since);
    return recoverMissed(tx, row, { since: from, perSecond });
  },
};

/** What is changed by hand; an app's own endpoint follows its function. */
async function change(
  tx: Tx,
  row: EndpointRow,
  { url, events, description }: Pick<ParsedInput<'webhooks.update'>, 'url' | 'events' | 'description'>,
): Promise<EndpointRow> {
  if (url === undefined && events === undefined && description === undefined) return row;
  refuseOfApp(row);
  if (url !== undefined && row.kind === 'function')
    throw refusal('webhook_url_invalid', `${row.id} is the function ${row.target} and has no address`, {
      errors: [{ path: 'url', message: 'belongs to no function' }],
    });
  const target = url === undefined ? row.target : requireUrl(url);
  if (target !== row.target) await requireNew(tx, row.kind, target);
  return updateEndpoint(tx, row, {
    target,
    ...(events !== undefined && { patterns: JSON.stringify(requirePatterns(events)) }),
    ...(description !== undefined && { description }),
  });
}

function refuseOfApp(row: EndpointRow): void {
  if (row.source !== 'app') return;
  throw refusal('webhook_of_app', `${row.id} is the config.events of ${row.target}`, {
    hint: 'Change config.events of the function; fn webhook update can enable and disable it.',
  });
}

async function missedBy(tx: Tx, row: EndpointRow, since: number): Promise<Output<'webhooks.update'>['missed']> {
  return { count: await countMissed(tx, row.id, fromJson<string[]>(row.patterns), since), since: toTimestamp(since) };
}
