import assert from 'node:assert/strict';
import { after, mock, test } from 'node:test';
import { newSigningSecret } from '../../src/std/index.ts';
import { aReceiver, type TestReceiver } from '../../src/testing/index.ts';
import { WebhookSender } from '../../src/webhook/index.ts';

const sender = new WebhookSender({ reach: 'loopback' });
after(() => sender.close());

const eventOf = (type: string, n = 1) => ({ id: `evt_${n}`, type, timestamp: '2026-01-01T00:00:00.000Z', data: { n } });

function send({ url, secret }: Pick<TestReceiver, 'url' | 'secret'>, body: unknown = eventOf('message.received')) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return sender.send({ url, id: 'evt_1', body: text, secrets: [secret] });
}

test('a webhook that is signed with the secret of the receiver is kept and answered with 204', async () => {
  await using receiver = await aReceiver();
  const { status } = await send(receiver);
  assert.equal(status, 204);
  const [webhook] = receiver.received;
  assert.equal(webhook?.id, 'evt_1');
  assert.deepEqual(webhook?.event, eventOf('message.received'));
  assert.deepEqual(JSON.parse(webhook?.body ?? ''), webhook?.event);
  assert.equal(webhook?.headers['webhook-id'], 'evt_1');
  assert.equal(receiver.refused.length, 0);
});

test('a webhook with another signature is refused with the reason', async () => {
  await using receiver = await aReceiver();
  const { status } = await send({ url: receiver.url, secret: newSigningSecret() });
  assert.deepEqual([status, receiver.received.length], [401, 0]);
  assert.match(receiver.refused[0]?.reason ?? '', /the secret is another one/);
});

test('a request without a signature, and one that is no POST, are refused', async () => {
  await using receiver = await aReceiver();
  const unsigned = await fetch(receiver.url, { method: 'POST', body: '{}' });
  const got = await fetch(receiver.url);
  assert.deepEqual([unsigned.status, got.status], [401, 405]);
  assert.match(
    receiver.refused[0]?.reason ?? '',
    /^The headers webhook-id, webhook-timestamp and webhook-signature are missing/,
  );
});

test('a signed body that is no event, or larger than 1 MiB, is refused', async () => {
  await using receiver = await aReceiver();
  assert.deepEqual(
    [(await send(receiver, 'hello')).status, (await send(receiver, '[1]')).status, (await send(receiver, {})).status],
    [400, 400, 400],
  );
  assert.equal((await send(receiver, eventOf('x'.repeat(1024 * 1024)))).status, 413);
  assert.equal(receiver.received.length, 0);
});

test('the answer can be a status, a Response, or depend on the webhook', async () => {
  let count = 0;
  await using receiver = await aReceiver({
    answer: ({ event }) => {
      assert.equal(event.type, 'message.received');
      count++;
      if (count === 1) return 500;
      return count === 2 ? new Response('slow down', { status: 429, headers: { 'retry-after': '7' } }) : undefined;
    },
  });
  const attempts = [await send(receiver), await send(receiver), await send(receiver)];
  assert.deepEqual(
    attempts.map(({ status }) => status),
    [500, 429, 204],
  );
  assert.deepEqual([attempts[1]?.answer?.body, attempts[1]?.answer?.headers['retry-after']], ['slow down', '7']);
  assert.equal(receiver.received.length, 3);
});

test('what the answer throws is a 500, and fails the test when the receiver is closed', async () => {
  const receiver = await aReceiver({
    answer: () => {
      throw new Error('wrong customer');
    },
  });
  assert.equal((await send(receiver)).status, 500);
  await assert.rejects(receiver.close(), /wrong customer/);
});

test('next resolves to what came already and to what comes, each once', async () => {
  await using receiver = await aReceiver();
  await send(receiver, eventOf('message.received', 1));
  await send(receiver, eventOf('conversation.closed', 2));
  assert.equal((await receiver.next('conversation.*')).event.id, 'evt_2');
  assert.equal((await receiver.next()).event.id, 'evt_1');
  const [first, second] = [receiver.next('message.sent'), receiver.next('message.sent')];
  await send(receiver, eventOf('message.sent', 3));
  await send(receiver, eventOf('message.sent', 4));
  assert.deepEqual([(await first).event.id, (await second).event.id], ['evt_3', 'evt_4']);
});

test('next gives up after 30 s and says what came instead', async () => {
  await using receiver = await aReceiver();
  await send(receiver, eventOf('message.sent'));
  await send({ url: receiver.url, secret: newSigningSecret() });
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const missing = receiver.next('message.received');
    mock.timers.tick(30_000);
    await assert.rejects(missing, {
      code: 'webhook_missing',
      message: 'No message.received webhook has come within 30 s',
      hint: /^Received so far: message\.sent\. One was refused: .*the secret is another one/,
    });
  } finally {
    mock.timers.reset();
  }
});

test('a given secret is used, and one that is none is refused', async () => {
  const secret = newSigningSecret();
  await using receiver = await aReceiver({ secret });
  assert.equal(receiver.secret, secret);
  await assert.rejects(aReceiver({ secret: 'hunter2' }), { code: 'signing_secret_invalid' });
});

test('an option that does not exist is refused with the one that was meant', async () => {
  await assert.rejects(aReceiver({ anwser: () => 204 } as object), {
    code: 'option_unknown',
    hint: 'Did you mean answer?',
  });
});
