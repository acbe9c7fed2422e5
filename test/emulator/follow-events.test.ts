import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventsOf } from '../../src/client/index.ts';
import { anEmulator, everyone, token } from './an-emulator.ts';

const { url, emulator } = await anEmulator({
  functions: {
    'api/hello': {
      config: { type: 'server-side-method', expose: { methods: ['POST'], auth: 'token' } },
      body: `console.log('here'); return 1;`,
    },
  },
});
const call = emulator.door(everyone);
const { conversationId } = await call('messages.receive', { phone: '+4930901820', text: 'Hi' });

const headers = { authorization: `Bearer ${token}` };
const get = (query: string, more: Record<string, string> = {}) =>
  fetch(`${url}/api/dev/events/stream${query}`, { headers: { ...headers, ...more } });

interface Frame {
  readonly event: string;
  readonly id: string;
  readonly data: { text?: string; id?: string };
}

/** The next frames of a stream. */
async function frames(response: Response) {
  assert.equal(response.status, 200, await (response.ok ? '' : response.text()));
  assert.ok(response.body);
  const iterator = eventsOf(response.body as never)[Symbol.asyncIterator]();
  after(() => response.body?.cancel().catch(() => {}));
  return async (): Promise<Frame> => {
    const { value, done } = await iterator.next();
    assert.equal(done, false, 'the stream goes on');
    return { event: value.type, id: value.id, data: JSON.parse(value.data) };
  };
}

const say = (text: string) => call('messages.send', { conversationId, text });

test('a stream shows each event as it happens, with its cursor as id, and goes on from Last-Event-ID', async () => {
  const next = await frames(await get('?type=message.sent'));
  await say('one');
  const first = await next();
  assert.equal(first.event, 'message.sent');
  assert.ok(first.id);
  await say('two');
  await say('three');
  const resumed = await frames(await get('?type=message.sent', { 'last-event-id': first.id }));
  const seen = [await resumed(), await resumed()].map(({ data }) => data.id);
  assert.deepEqual(seen, [(await next()).data.id, (await next()).data.id]);
});

test('a stream from a time on shows what happened since', async () => {
  const { items } = await call('events.list', { limit: 1 });
  const next = await frames(await get(`?since=${items[0]?.timestamp}`));
  assert.equal((await next()).data.id, items[0]?.id);
});

test('live frames show logs and invocations, without an id', async () => {
  const next = await frames(await get('?live=log,invocation&type=channel.*'));
  await fetch(`${url}/api/dev/custom-functions/shop/api/hello.js`, { method: 'POST', headers });
  const [log, invocation] = [await next(), await next()];
  assert.deepEqual([log.event, log.data.text, log.id], ['live.log', 'here', '']);
  assert.equal(invocation.event, 'live.invocation');
});

for (const [query, status, code] of [
  ['?cursor=MTA.aaaaaaaaaaaaaaaa', 422, 'cursor_invalid'],
  ['?type=mesage.sent', 422, 'event_unknown'],
  ['?live=everything', 422, 'input_invalid'],
] as const) {
  test(`a stream with ${query} is refused with ${code}`, async () => {
    const response = await get(query);
    assert.equal(response.status, status);
    assert.equal(((await response.json()) as { code: string }).code, code);
  });
}

test('a stream without a token is refused', async () => {
  assert.equal((await fetch(`${url}/api/dev/events/stream`)).status, 401);
});
