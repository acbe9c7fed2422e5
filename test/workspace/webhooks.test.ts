import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { limits } from '../../src/contract/index.ts';
import { newSigningSecret } from '../../src/std/index.ts';
import type { DeliveryOutcome, Job, Workspace } from '../../src/workspace/index.ts';
import { admin, aWorkspace, withScopes } from './support.ts';

const url = 'https://shop.example/hooks';
const phone = '+4930901820';
const worker = { kind: 'delivery', free: 32 } as const;

async function anEndpoint(t: TestContext, events: string[] = ['message.*']) {
  const made = await aWorkspace(t, { seed: { channels: [{ kind: 'sms', name: 'SMS' }] } });
  const endpoint = await made.call('webhooks.add', { url, events });
  const say = (text: string) => made.call('messages.receive', { phone, text });
  const deliveries = async () => (await made.call('deliveries.list', { endpointId: endpoint.id })).items;
  return { ...made, endpoint, say, deliveries };
}

const outcome = (job: Job, decision: DeliveryOutcome['decision'], status = 200): DeliveryOutcome => ({
  job,
  deliveryId: String(job.payload['deliveryId']),
  attempt: { startedAtMs: Date.now(), ms: 12, target: url, requestHeaders: {}, status },
  decision,
});
const delivered = { state: 'delivered', reason: 'answered 204' } as const;
const failing = { state: 'waiting', delayMs: 5_000, reason: 'answered 500' } as const;

/** Claims what is due and records the same outcome for all. */
async function attempt(workspace: Workspace, decision: DeliveryOutcome['decision']): Promise<Job[]> {
  const jobs = await workspace.jobs.claim([worker]);
  for (const job of jobs) await workspace.webhooks.record(outcome(job, decision));
  return jobs;
}

test('webhooks.add shows the secret once, and no other operation shows it', async (t) => {
  const { call } = await aWorkspace(t);
  const { secret, ...endpoint } = await call('webhooks.add', { url: 'HTTPS://Shop.Example/hooks', events: ['*', '*'] });
  assert.match(secret ?? '', /^whsec_/);
  assert.equal(endpoint.url, url);
  assert.deepEqual(endpoint.events, ['*']);
  assert.deepEqual(await call('webhooks.show', { id: endpoint.id }), endpoint);
  assert.deepEqual((await call('webhooks.list', {})).items, [endpoint]);
});

test('the answer of webhooks.add is kept encrypted for a repeat with its idempotency key', async (t) => {
  const { call, workspace } = await aWorkspace(t);
  const add = () => call('webhooks.add', { url, events: ['*'] }, admin, { idempotencyKey: 'k' });
  const [first, again] = [await add(), await add()];
  assert.deepEqual(again, first);
  assert.ok(workspace);
});

test('webhooks.add refuses what cannot be an endpoint', async (t) => {
  const { refused, call } = await anEndpoint(t);
  for (const [given, code] of [
    [{ url: 'shop.example' }, 'webhook_url_invalid'],
    [{ url: 'http://shop.example/' }, 'webhook_url_insecure'],
    [{ url: 'https://10.0.0.1/' }, 'webhook_url_private'],
    [{ url }, 'webhook_exists'],
    [{ url: 'https://a.example', secret: 'whsec_c2hvcnQ=' }, 'signing_secret_invalid'],
    [{ url: 'https://a.example', secret: '' }, 'signing_secret_invalid'],
    [{ url: 'https://a.example', events: [] }, 'input_invalid'],
    [{ url: 'https://a.example', function: 'shop/api/x' }, 'input_invalid'],
    [{ function: 'shop' }, 'input_invalid'],
    [{ function: 'shop/api/x', secret: newSigningSecret() }, 'input_invalid'],
  ] as const) {
    const error = await refused('webhooks.add', { events: ['*'], ...given });
    assert.equal(error.code, code, JSON.stringify(given));
    assert.ok(!error.message.includes('c2hvcnQ'));
  }
  await call('webhooks.add', { function: 'shop/api/x', events: ['*'] });
  assert.equal((await refused('webhooks.add', { function: 'shop/api/x', events: ['*'] })).code, 'webhook_exists');
});

test('an unknown kind is refused with the one that was probably meant', async (t) => {
  const { refused } = await anEndpoint(t);
  const error = await refused('webhooks.add', { url: 'https://a.example', events: ['message.recieved'] });
  assert.equal(error.code, 'event_unknown');
  assert.equal(error.hint, 'Did you mean message.received?');
});

test('a workspace has at most a hundred endpoints, and as many listeners', async (t) => {
  const { call, refused } = await aWorkspace(t);
  const { maxEndpoints, maxListeners } = limits.webhooks;
  for (let n = 0; n < maxEndpoints; n++) await call('webhooks.add', { url: `https://a.example/${n}`, events: ['*'] });
  assert.equal((await refused('webhooks.add', { url, events: ['*'] })).code, 'webhook_limit');
  for (let n = 0; n < maxListeners; n++) await call('listeners.open', { name: `${n}` });
  assert.equal((await refused('listeners.open', { name: 'more' })).code, 'webhook_limit');
  await call('listeners.open', { name: '7' });
});

test('endpoints need the scope admin, lists and listeners only read', async (t) => {
  const { call, refused, endpoint } = await anEndpoint(t);
  const reader = withScopes('read');
  assert.equal((await refused('webhooks.add', { url, events: ['*'] }, withScopes('write'))).code, 'token_scope');
  assert.equal((await refused('webhooks.ping', { id: endpoint.id }, withScopes('write'))).code, 'token_scope');
  await call('webhooks.list', {}, reader);
  await call('deliveries.list', {}, reader);
  await call('listeners.open', { name: 'laptop' }, reader);
});

test('an event makes a delivery and its job in its own transaction; an event that nobody wants makes none', async (t) => {
  const { say, deliveries, workspace, call } = await anEndpoint(t, ['message.received']);
  await say('Hi');
  const [delivery, ...others] = await deliveries();
  assert.equal(others.length, 0);
  assert.equal(delivery?.state, 'waiting');
  const [job] = await workspace.jobs.claim([worker]);
  assert.equal(job?.payload['deliveryId'], delivery?.id);
  assert.equal(job?.causeId, delivery?.eventId);
  const shown = await call('deliveries.show', { id: delivery?.id ?? '' });
  const [event] = (await call('events.list', { type: 'message.received' })).items;
  assert.deepEqual(JSON.parse(shown.body), event);
});

test('deliveries of a conversation run one after another; after the third failure of one the next may pass', async (t) => {
  const { say, workspace, clock } = await anEndpoint(t, ['message.received']);
  for (const text of ['One', 'Two']) await say(text);
  for (let failure = 1; failure <= 3; failure++) {
    assert.equal((await attempt(workspace, failing)).length, 1, `before failure ${failure}`);
    if (failure < 3) assert.deepEqual(await workspace.jobs.claim([worker]), []);
    if (failure < 3) clock.advance(5_000);
  }
  const [passed, ...none] = await workspace.jobs.claim([worker]);
  assert.equal(none.length, 0);
  assert.equal(passed?.attempt, 0);
});

test('each attempt is in the log, with what it led to', async (t) => {
  const { say, workspace, clock, deliveries, call } = await anEndpoint(t, ['message.received']);
  await say('Hi');
  await attempt(workspace, failing);
  clock.advance(5_000);
  await attempt(workspace, delivered);
  const [delivery] = await deliveries();
  const { attempts, state, attemptCount, nextAttemptAt } = await call('deliveries.show', { id: delivery?.id ?? '' });
  assert.deepEqual(
    attempts.map(({ number, reason }) => [number, reason]),
    [
      [1, 'answered 500'],
      [2, 'answered 204'],
    ],
  );
  assert.deepEqual(
    { state, attemptCount, nextAttemptAt },
    { state: 'delivered', attemptCount: 2, nextAttemptAt: null },
  );
});

test('an outcome whose job is leased to somebody else by now changes nothing', async (t) => {
  const { say, workspace, deliveries } = await anEndpoint(t, ['message.received']);
  await say('Hi');
  const [job] = await workspace.jobs.claim([worker]);
  assert.ok(job);
  const [fenced, kept] = await Promise.all([
    workspace.webhooks.record(outcome({ ...job, epoch: job.epoch + 1 }, failing)),
    workspace.webhooks.record(outcome(job, delivered)),
  ]);
  assert.deepEqual([fenced, kept], [false, true]);
  assert.deepEqual(
    (await deliveries()).map(({ state, attemptCount }) => [state, attemptCount]),
    [['delivered', 1]],
  );
});

test('410 disables the endpoint; what waits ends, is announced to the others, and can be recovered', async (t) => {
  const { say, workspace, deliveries, call, endpoint, refused } = await anEndpoint(t, ['message.received']);
  const other = await call('webhooks.add', { url: 'https://other.example/', events: ['webhookEndpoint.disabled'] });
  for (const text of ['One', 'Two']) await say(text);
  await attempt(workspace, { state: 'failed', reason: 'answered 410 (gone)', disables: 'gone' });
  assert.deepEqual(
    (await deliveries()).map(({ state, reason }) => [state, reason]),
    [
      ['failed', 'the endpoint was disabled'],
      ['failed', 'answered 410 (gone)'],
    ],
  );
  assert.equal((await call('webhooks.show', { id: endpoint.id })).reason, 'answered 410 (gone)');
  const [told] = (await call('deliveries.list', { endpointId: other.id })).items;
  assert.equal(told?.eventType, 'webhookEndpoint.disabled');
  await say('Three');
  for (const name of ['webhooks.ping', 'webhooks.recover'] as const)
    assert.equal((await refused(name, { id: endpoint.id })).code, 'webhook_disabled');
  const enabled = await call('webhooks.update', { id: endpoint.id, state: 'enabled' });
  assert.equal(enabled.missed?.count, 3);
  assert.deepEqual(await call('webhooks.recover', { id: endpoint.id }), { count: 3, more: false });
  assert.deepEqual(
    (await deliveries()).map(({ state }) => state),
    ['waiting', 'waiting', 'waiting'],
  );
});

test('an endpoint that was disabled by hand sends nothing, and says so', async (t) => {
  const { call, endpoint, say, deliveries } = await anEndpoint(t);
  const { state, reason } = await call('webhooks.update', { id: endpoint.id, state: 'disabled' });
  assert.deepEqual([state, reason], ['disabled', 'disabled by hand']);
  await say('Hi');
  assert.deepEqual(await deliveries(), []);
});

test('an endpoint is disabled 5 days after the first failure since a success', async (t) => {
  const { say, workspace, clock, call, endpoint } = await anEndpoint(t, ['message.received']);
  const start = clock.now();
  await say('Hi');
  for (let n = 0; n < 3; n++) {
    await attempt(workspace, failing);
    clock.advance(5_000);
  }
  assert.equal(await workspace.jobs.nextDue(['expiry']), start + 5 * 86_400_000);
  assert.equal((await call('webhooks.show', { id: endpoint.id })).failingSince, new Date(start).toISOString());
  clock.advance(5 * 86_400_000);
  const [expiry] = await workspace.jobs.claim([{ kind: 'expiry', free: 1 }]);
  assert.ok(expiry);
  assert.equal(await workspace.webhooks.expire(expiry, endpoint.id), true);
  const { state, reason } = await call('webhooks.show', { id: endpoint.id });
  assert.deepEqual([state, reason], ['disabled', 'nothing but failures for 5 days']);
  assert.equal((await call('events.list', { type: 'webhookEndpoint.disabled' })).items.length, 1);
});

test('a success forgets the failures before it', async (t) => {
  const { say, workspace, clock, call, endpoint } = await anEndpoint(t, ['message.received']);
  await say('Hi');
  for (let n = 0; n < 3; n++) {
    await attempt(workspace, failing);
    clock.advance(5_000);
  }
  await attempt(workspace, delivered);
  assert.equal(await workspace.jobs.nextDue(['expiry']), undefined);
  assert.equal((await call('webhooks.show', { id: endpoint.id })).failingSince, null);
});

test('three failures in more than a day do not make an endpoint expire', async (t) => {
  const { say, workspace, clock } = await anEndpoint(t, ['message.received']);
  await say('Hi');
  for (let n = 0; n < 3; n++) {
    await attempt(workspace, failing);
    clock.advance(13 * 3_600_000);
  }
  assert.equal(await workspace.jobs.nextDue(['expiry']), undefined);
});

test('while a secret is rotated both sign, for 24 hours', async (t) => {
  const { call, refused, say, workspace, clock, endpoint } = await anEndpoint(t, ['message.received']);
  await say('Hi');
  const [job] = await workspace.jobs.claim([worker]);
  const secrets = async () => (await workspace.webhooks.load(String(job?.payload['deliveryId'])))?.secrets;
  const [first] = (await secrets()) ?? [];
  const given = newSigningSecret();
  const rotated = await call('webhooks.rotateSecret', { id: endpoint.id, secret: given });
  assert.equal(rotated.secret, given);
  assert.deepEqual(await secrets(), [given, first]);
  clock.advance(24 * 3_600_000);
  assert.deepEqual(await secrets(), [given]);
  const short = await refused('webhooks.rotateSecret', { id: endpoint.id, secret: 'whsec_' });
  assert.equal(short.code, 'signing_secret_invalid');
  const own = await call('webhooks.add', { function: 'shop/api/x', events: ['*'] });
  assert.equal(own.secret, null);
  assert.equal((await refused('webhooks.rotateSecret', { id: own.id })).code, 'webhook_unsigned');
});

test('a ping reaches its endpoint only, and is in no list of events', async (t) => {
  const { call, endpoint, deliveries } = await anEndpoint(t);
  const other = await call('webhooks.add', { url: 'https://other.example/', events: ['*', 'webhook.ping'] });
  const { eventId, deliveryId } = await call('webhooks.ping', { id: endpoint.id });
  assert.deepEqual(
    (await deliveries()).map((one) => [one.id, one.eventId, one.eventType]),
    [[deliveryId, eventId, 'webhook.ping']],
  );
  assert.deepEqual((await call('deliveries.list', { endpointId: other.id })).items, []);
  assert.deepEqual((await call('events.list', {})).items, []);
});

test('an endpoint can be changed; one that was removed is forgotten with its deliveries', async (t) => {
  const { call, refused, endpoint, say, workspace } = await anEndpoint(t);
  await call('webhooks.add', { url: 'https://other.example/', events: ['*'] });
  const changed = await call('webhooks.update', {
    id: endpoint.id,
    url: 'https://new.example/',
    events: ['customer.*'],
    description: 'The shop',
  });
  assert.deepEqual(
    [changed.url, changed.events, changed.description],
    ['https://new.example/', ['customer.*'], 'The shop'],
  );
  const taken = await refused('webhooks.update', { id: endpoint.id, url: 'https://other.example/' });
  assert.equal(taken.code, 'webhook_exists');
  await say('Hi');
  const jobs = await workspace.jobs.claim([worker]);
  await call('webhooks.remove', { id: endpoint.id });
  for (const name of ['webhooks.show', 'webhooks.remove', 'webhooks.ping', 'webhooks.rotateSecret'] as const)
    assert.equal((await refused(name, { id: endpoint.id })).code, 'webhook_not_found');
  for (const job of jobs) await workspace.webhooks.record(outcome(job, delivered));
  assert.deepEqual((await call('deliveries.list', { endpointId: endpoint.id })).items, []);
});

test('the endpoints of apps follow their functions, and only these change them', async (t) => {
  const { call, refused, say, workspace } = await aWorkspace(t, {
    seed: { channels: [{ kind: 'sms', name: 'SMS' }] },
  }).then((made) => ({ ...made, say: (text: string) => made.call('messages.receive', { phone, text }) }));
  const keep = (events?: string[], unknown: string[] = []) =>
    workspace.webhooks.keepAppEndpoints(events ? [{ target: 'shop/api/on', events }] : [], new Set(unknown));
  const only = async () => (await call('webhooks.list', {})).items[0];
  await keep(['message.received']);
  const made = await only();
  assert.ok(made);
  assert.deepEqual([made.source, made.function, made.events], ['app', 'shop/api/on', ['message.received']]);
  await keep(['message.*']);
  assert.deepEqual([(await only())?.id, (await only())?.events], [made.id, ['message.*']]);
  assert.equal((await refused('webhooks.remove', { id: made.id })).code, 'webhook_of_app');
  assert.equal((await refused('webhooks.update', { id: made.id, events: ['*'] })).code, 'webhook_of_app');
  await say('Hi');
  await keep(undefined, ['shop/api/on']);
  assert.equal((await only())?.state, 'enabled');
  await keep();
  assert.deepEqual([(await only())?.state, (await only())?.reason], ['disabled', 'its function is gone']);
  await keep(['message.*']);
  assert.equal((await only())?.state, 'enabled');
  await attempt(workspace, delivered);
  await keep();
  assert.equal(await only(), undefined);
});

test('deliveries.resend delivers again with the same id: one, an event, or all that failed since a time', async (t) => {
  const { call, refused, say, workspace, deliveries, clock, endpoint } = await anEndpoint(t, ['message.received']);
  const start = new Date(clock.now()).toISOString();
  for (const text of ['One', 'Two', 'Three']) await say(text);
  for (let n = 0; n < 3; n++) await attempt(workspace, { state: 'failed', reason: 'that was the last of 10 attempts' });
  const [, , first] = await deliveries();
  assert.ok(first);
  const states = async () => (await deliveries()).map(({ state }) => state);
  assert.deepEqual(await call('deliveries.resend', { id: first.id }), {
    count: 1,
    more: false,
    deliveryIds: [first.id],
  });
  assert.deepEqual(await states(), ['failed', 'failed', 'waiting']);
  const [job] = await attempt(workspace, delivered);
  assert.equal(job?.attempt, 0);
  const again = await call('deliveries.resend', { eventId: first.eventId });
  assert.deepEqual(again.deliveryIds, [first.id]);
  const rest = await call('deliveries.resend', { failedSince: start, endpointId: endpoint.id, perSecond: 2 });
  assert.equal(rest.count, 2);
  assert.deepEqual(
    (await deliveries()).map(({ nextAttemptAt }) => Date.parse(nextAttemptAt ?? '') - clock.now()),
    [500, 0, 0],
  );
  assert.equal((await refused('deliveries.resend', { id: 'dlv_0' })).code, 'delivery_not_found');
  assert.equal((await refused('deliveries.show', { id: 'dlv_0' })).code, 'delivery_not_found');
  assert.equal((await refused('deliveries.resend', { eventId: 'evt_0' })).code, 'event_not_found');
  const nobody = await refused('deliveries.resend', { eventId: first.eventId, endpointId: 'whk_0' });
  assert.equal(nobody.code, 'webhook_not_found');
});

test('an event can be delivered to an endpoint that did not get it', async (t) => {
  const { call, say, endpoint, deliveries } = await anEndpoint(t, ['customer.updated']);
  await say('Hi');
  const [event] = (await call('events.list', { type: 'message.received' })).items;
  await call('deliveries.resend', { eventId: event?.id ?? '', endpointId: endpoint.id });
  assert.deepEqual(
    (await deliveries()).map(({ eventId }) => eventId),
    [event?.id],
  );
});

test('a resend makes a delivery due that waits for its next attempt', async (t) => {
  const { call, say, workspace, deliveries } = await anEndpoint(t, ['message.received']);
  await say('Hi');
  await attempt(workspace, { ...failing, delayMs: 3_600_000 });
  const [waiting] = await deliveries();
  await call('deliveries.resend', { id: waiting?.id ?? '' });
  assert.equal((await workspace.jobs.claim([worker])).length, 1);
});

test('an event that deliveries have led to more than eight times is delivered no further', async (t) => {
  const { workspace, deliveries } = await anEndpoint(t, ['message.received']);
  const trace = { traceId: 'a'.repeat(32), causeId: null, depth: limits.trace.maxDepth };
  await workspace.call('messages.receive', { phone, text: 'Hi' }, { ...admin, trace });
  const [delivery] = await deliveries();
  assert.equal(delivery?.state, 'failed');
  assert.match(delivery?.reason ?? '', /^loop_detected/);
  assert.deepEqual(await workspace.jobs.claim([worker]), []);
});

test('a listener goes on where it stopped, and says what it has missed', async (t) => {
  const { call, say, refused, clock } = await anEndpoint(t);
  const opened = await call('listeners.open', { name: 'laptop', events: ['message.received'] });
  assert.deepEqual([opened.created, opened.missed], [true, { count: 0, since: null }]);
  const from = new Date(clock.now()).toISOString();
  await say('One');
  clock.advance(60_000);
  await say('Two');
  const again = await call('listeners.open', { name: 'laptop' });
  assert.deepEqual([again.id, again.created, again.missed], [opened.id, false, { count: 2, since: from }]);
  const now = await call('listeners.open', { name: 'laptop', fromNow: true });
  assert.equal(now.missed.count, 0);
  const since = await call('listeners.open', { name: 'laptop', since: new Date(clock.now()).toISOString() });
  assert.equal(since.missed.count, 1);
  assert.equal((await refused('listeners.open', { name: 'x', events: ['nothing.*'] })).code, 'event_unknown');
  assert.deepEqual(
    (await call('listeners.list', {})).items.map(({ name }) => name),
    ['laptop'],
  );
});

test('a listener acknowledges what is done, and its attempts are in the log', async (t) => {
  const { call, say, refused, workspace } = await anEndpoint(t);
  const { id } = await call('listeners.open', { name: 'laptop' });
  await say('One');
  const page = await workspace.webhooks.nextForListener(id, undefined);
  const [first, second] = page.events;
  assert.ok(first && second);
  await call('listeners.ack', {
    id,
    cursor: second.cursor,
    attempts: [
      { eventId: first.event.id, status: null, error: 'nothing is listening', ms: 3, nextAttemptInMs: 5_000 },
      { eventId: first.event.id, status: 200, ms: 12 },
      { eventId: second.event.id, status: 500, ms: 12 },
    ],
  });
  const { items } = await call('deliveries.list', { endpointId: id });
  assert.deepEqual(
    items.map(({ state, attemptCount }) => [state, attemptCount]),
    [
      ['failed', 1],
      ['delivered', 2],
    ],
  );
  const back = await call('listeners.ack', { id, cursor: first.cursor });
  assert.equal(back.cursor, second.cursor);
  const unknown = await refused('listeners.ack', { id, attempts: [{ eventId: 'evt_0', ms: 1 }] });
  assert.equal(unknown.code, 'event_not_found');
  assert.equal((await refused('listeners.ack', { id, cursor: 'x.y' })).code, 'cursor_invalid');
});

test('what is sent to a listener again comes beside its events, until it is acknowledged', async (t) => {
  const { call, say, workspace } = await anEndpoint(t);
  await say('One');
  const [event] = (await call('events.list', { type: 'message.received' })).items;
  const { id } = await call('listeners.open', { name: 'laptop' });
  let told = 0;
  t.after(workspace.webhooks.onResend(() => told++));
  await call('deliveries.resend', { eventId: event?.id ?? '', endpointId: id });
  assert.equal(told, 1);
  const { resends } = await workspace.webhooks.nextForListener(id, undefined);
  assert.deepEqual(
    resends.map((one) => one.event),
    [event],
  );
  await call('listeners.ack', { id, attempts: [{ eventId: event?.id ?? '', status: 200, ms: 1 }] });
  assert.deepEqual((await workspace.webhooks.nextForListener(id, undefined)).resends, []);
});

test('a listener that was removed is forgotten', async (t) => {
  const { call, refused } = await aWorkspace(t);
  const { id } = await call('listeners.open', { name: 'laptop' });
  await call('listeners.remove', { id });
  for (const name of ['listeners.remove', 'listeners.ack'] as const)
    assert.equal((await refused(name, { id })).code, 'listener_not_found');
});

test('a reset removes endpoints, their secrets and what is under way, and leaves listeners', async (t) => {
  const { call, say, workspace } = await anEndpoint(t, ['message.received']);
  await call('listeners.open', { name: 'laptop' });
  await say('Hi');
  const [job] = await workspace.jobs.claim([worker]);
  assert.ok(job);
  await say('Later');
  await workspace.seed.reset();
  assert.equal(await workspace.webhooks.record(outcome(job, delivered)), false);
  assert.deepEqual(await workspace.jobs.claim([worker]), []);
  assert.deepEqual((await call('webhooks.list', {})).items, []);
  assert.deepEqual((await call('deliveries.list', {})).items, []);
  assert.equal((await call('listeners.list', {})).items.length, 1);
});
