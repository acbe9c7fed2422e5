import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newSigningSecret } from '../../src/std/index.ts';
import { readExtraHeaders, WebhookSender } from '../../src/webhook/index.ts';
import { aFailingReceiver } from './receiver.ts';

test('headers are read, and the last of two with the same name counts', () => {
  assert.deepEqual(readExtraHeaders(['X-Team: a', 'authorization:Bearer a:b ', 'x-team: b', 'x-empty:']), {
    'x-team': 'b',
    authorization: 'Bearer a:b',
    'x-empty': '',
  });
  assert.deepEqual(readExtraHeaders([]), {});
});

for (const [given, says] of [
  ['no colon', /no colon/],
  [': value', /not the name/],
  ['a b: value', /not the name/],
  ['x\r\nx-admin: 1', /not the name/],
  ['x-a: 1\r\nx-admin: 1', /no header can have/],
  ['x-a: 1\u0000', /no header can have/],
  ['x-a: 😀', /no header can have/],
  ['Webhook-Signature: v1,x', /webhook-signature cannot be set/],
  ['Host: other.example', /host cannot be set/],
  ['content-length: 1', /cannot be set/],
  ['Transfer-Encoding: chunked', /cannot be set/],
  [`x-a: ${'x'.repeat(9_000)}`, /more than 8192/],
] as const) {
  test(`the header ${JSON.stringify(given.slice(0, 40))} is refused`, () => {
    assert.throws(() => readExtraHeaders([given]), { code: 'header_invalid', message: says });
  });
}

test('too many headers are refused', () => {
  assert.throws(() => readExtraHeaders(Array.from({ length: 51 }, (_, n) => `x-${n}: 1`)), { code: 'header_invalid' });
});

test('a refused value is not repeated in the message', () => {
  assert.throws(
    () => readExtraHeaders(['authorization: Bearer hunter2\u0007']),
    (error: Error) => !error.message.includes('hunter2'),
  );
});

test('extra headers arrive beside our own', async () => {
  const secrets = [newSigningSecret()];
  await using receiver = await aFailingReceiver({ secrets });
  const sender = new WebhookSender({ reach: 'loopback' });
  const headers = readExtraHeaders(['X-Team: blue', 'user-agent: mine']);
  await sender.send({ url: receiver.url, id: 'evt_1', body: '{}', secrets, headers });
  await sender.close();
  const [request] = receiver.received;
  assert.deepEqual([request?.headers['x-team'], request?.headers['user-agent']], ['blue', 'mine']);
  assert.equal(request?.verification.isValid, true);
});
