import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventsOf, type ServerEvent } from '../../src/client/index.ts';
import { anEmulator, everyone, token } from './an-emulator.ts';

const { url, emulator } = await anEmulator();
const call = emulator.door(everyone);
const say = (text: string) => call('messages.receive', { phone: '+4930901820', text });
const open = (name: string) => call('listeners.open', { name, events: ['message.received'] });

async function streamOf(id: string) {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/api/dev/listeners/${id}/stream`, { headers });
  if (response.status !== 200) return { status: response.status, problem: (await response.json()) as { code: string } };
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
  const cancel = () => response.body?.cancel().catch(() => {});
  after(cancel);
  const frames = eventsOf(response.body as never)[Symbol.asyncIterator]();
  return { status: 200, frames, cancel };
}

async function next(frames: AsyncIterator<ServerEvent> | undefined) {
  const { value, done } = (await frames?.next()) ?? { done: true };
  assert.ok(!done, 'the stream goes on');
  const { event, depth, deliveryId } = JSON.parse(value.data);
  return { type: value.type, cursor: value.id, id: event?.id, text: event?.data.message.text, depth, deliveryId };
}

test('a listener’s stream shows what came since its cursor, and then each event as it happens', async () => {
  const { id } = await open('one');
  await say('before');
  const { frames } = await streamOf(id);
  const first = await next(frames);
  assert.deepEqual([first.type, first.text, first.depth], ['event', 'before', 1]);
  assert.ok(first.cursor);
  await say('now');
  assert.equal((await next(frames)).text, 'now');
});

test('what was acknowledged does not come again, and what was not comes first', async () => {
  const { id } = await open('two');
  for (const text of ['done', 'not done', 'not done either']) await say(text);
  const before = await streamOf(id);
  const { cursor } = await next(before.frames);
  await call('listeners.ack', { id, cursor });
  await before.cancel?.();
  const { frames } = await streamOf(id);
  assert.deepEqual([(await next(frames)).text, (await next(frames)).text], ['not done', 'not done either']);
});

test('what is sent again comes without a cursor, with its delivery', async () => {
  const { id } = await open('three');
  const { frames } = await streamOf(id);
  await say('Again?');
  const event = await next(frames);
  await call('listeners.ack', { id, cursor: event.cursor, attempts: [{ eventId: event.id, status: 500, ms: 1 }] });
  const { deliveryIds } = await call('deliveries.resend', { eventId: event.id, endpointId: id });
  const resent = await next(frames);
  assert.deepEqual([resent.type, resent.id, resent.deliveryId], ['resend', event.id, deliveryIds[0]]);
});

test('a second stream of a listener takes over, and the first one is told and ends', async () => {
  const { id } = await open('four');
  const first = await streamOf(id);
  const second = await streamOf(id);
  const told = await first.frames?.next();
  assert.equal(told?.value?.type, 'replaced');
  assert.equal((await first.frames?.next())?.done, true);
  await say('to the second');
  assert.equal((await next(second.frames)).text, 'to the second');
});

test('the stream of an unknown listener is 404, and that of a removed listener breaks off', async () => {
  const unknown = await streamOf('lsn_0');
  assert.deepEqual([unknown.status, unknown.problem?.code], [404, 'listener_not_found']);
  const { id } = await open('five');
  const { frames } = await streamOf(id);
  await call('listeners.remove', { id });
  await assert.rejects(async () => {
    const { done } = (await frames?.next()) ?? {};
    if (done) throw new Error('it ended');
  });
});
