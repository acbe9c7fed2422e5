import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { newSigningSecret } from '../../../src/std/index.ts';
import { until } from '../../until.ts';
import { aFailingReceiver, type Treatment } from '../../webhook/receiver.ts';
import { anEmulator, everyone } from '../an-emulator.ts';

const secret = newSigningSecret();

async function aReceiver(t: TestContext, treat: readonly Treatment[] | ((n: number) => Treatment) = []) {
  const receiver = await aFailingReceiver({
    secrets: [secret],
    treat: typeof treat === 'function' ? (_request, count) => treat(count) : treat,
  });
  t.after(() => receiver[Symbol.asyncDispose]());
  return receiver;
}

/** A living workspace with one endpoint. */
async function anEndpoint(t: TestContext, treat?: Parameters<typeof aReceiver>[1], events: string[] = ['*']) {
  const receiver = await aReceiver(t, treat);
  const made = await anEmulator();
  const door = made.emulator.door(everyone);
  const endpoint = await door('webhooks.add', { url: receiver.url, events, secret });
  const deliveries = async () => (await door('deliveries.list', { endpointId: endpoint.id })).items;
  const advance = (ms: number) => door('clock.advance', { ms });
  const say = (text: string) => door('messages.receive', { phone: '+4930901820', text });
  return { ...made, receiver, door, endpoint, deliveries, advance, say };
}

test('an endpoint gets the event of a message, signed, with the id and the body of the event', async (t) => {
  const { receiver, say, door } = await anEndpoint(t, [], ['message.received']);
  const message = await say('Hi');
  const [received] = await until('the delivery', () => receiver.received.length > 0 && receiver.received);
  const event = (await door('events.list', { type: 'message.received' })).items.at(-1);
  assert.ok(received && event);
  assert.equal(received.verification.isValid, true);
  assert.equal(received.headers['webhook-id'], event.id);
  assert.deepEqual(JSON.parse(received.body.toString()), event);
  assert.deepEqual(event.data, { message });
  assert.match(String(received.headers['traceparent']), new RegExp(`^00-${event.traceId}-[0-9a-f]{16}-01$`));
  assert.equal(received.headers['tracestate'], 'fn=1');
});
