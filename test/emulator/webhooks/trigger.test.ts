import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { eventKinds } from '../../../src/contract/index.ts';
import { packageFile } from '../../../src/std/index.ts';
import { aReceiver } from '../../../src/testing/receiver.ts';
import { until } from '../../until.ts';
import { anEmulator, everyone } from '../an-emulator.ts';

const { emulator } = await anEmulator();
const call = emulator.door(everyone);
const ajv = new Ajv2020({ allErrors: true, strict: false });
formats.default(ajv);

test('each kind can be triggered, and each delivered body fits its published schema', async () => {
  await using receiver = await aReceiver();
  await call('webhooks.add', { url: receiver.url, events: [...eventKinds], secret: receiver.secret });
  for (const kind of eventKinds) {
    const event = await call('events.trigger', { type: kind });
    assert.deepEqual(await call('events.show', { id: event.id }), event);
    const { id, body } = await receiver.next(kind);
    assert.equal(id, event.id);
    const delivered = JSON.parse(body);
    assert.equal(delivered.synthetic, true);
    const check = ajv.compile(JSON.parse(readFileSync(packageFile(`schema/events/${kind}.schema.json`), 'utf8')));
    assert.ok(check(delivered), `${kind}: ${ajv.errorsText(check.errors)}`);
  }
  assert.deepEqual(receiver.refused, []);
});

test('what really happens fits the published schema of its kind, too', async () => {
  await using receiver = await aReceiver();
  const { id } = await call('webhooks.add', { url: receiver.url, events: ['*'], secret: receiver.secret });
  const { conversationId } = await call('messages.receive', { phone: '+4930901821', text: 'Hi' });
  const sent = await call('messages.send', { conversationId, text: 'Hello' });
  await call('messages.updateStatus', { id: sent.id, status: 'read' });
  await call('notes.add', { conversationId, text: 'a note' });
  await call('conversations.update', { id: conversationId, fields: { orderId: 'A-1017' } });
  const { items: agents } = await call('agents.list', {});
  await call('conversations.assign', { id: conversationId, assign: { agentId: agents[0]?.id ?? '' } });
  await call('conversations.assign', { id: conversationId, assign: null });
  await call('conversations.close', { id: conversationId });
  await call('conversations.reopen', { id: conversationId });
  await call('templates.send', {
    to: '+4930901821',
    template: 'order_shipped',
    variables: { body: ['Ann', 'Friday'], header: 'A', buttons: [{ index: 0, value: 'A' }] },
  }).catch(() => {});
  const channel = await call('channels.connect', { kind: 'sms', name: 'Texts' });
  await call('channels.disconnect', { id: channel.id });
  await until(
    'all is delivered',
    async () => (await call('deliveries.list', { endpointId: id, state: 'waiting' })).items.length === 0,
  );
  const kinds = new Set(receiver.received.map(({ event }) => event.type));
  assert.ok(kinds.size >= 10, [...kinds].join(' '));
  for (const { event, body } of receiver.received) {
    const schema = JSON.parse(readFileSync(packageFile(`schema/events/${event.type}.schema.json`), 'utf8'));
    const check = ajv.compile({ ...schema, title: undefined, $id: undefined });
    assert.ok(check(JSON.parse(body)), `${event.type}: ${ajv.errorsText(check.errors)}`);
  }
});
