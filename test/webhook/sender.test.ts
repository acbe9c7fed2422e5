import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { newSigningSecret } from '../../src/std/index.ts';
import { type SenderOptions, WebhookSender } from '../../src/webhook/index.ts';
import { selfSigned } from '../client/certificate.ts';
import { deadPort, listening } from '../client/server.ts';
import { until } from '../until.ts';
import { aFailingReceiver, type Treatment } from './receiver.ts';

const secrets = [newSigningSecret()];
const body = '{"type":"message.received","data":{"text":"Grüße"}}';
const senders: WebhookSender[] = [];
after(() => Promise.all(senders.map((sender) => sender.close())));

function aSender(options: Partial<SenderOptions> = {}): WebhookSender {
  const sender = new WebhookSender({ reach: 'loopback', ...options });
  senders.push(sender);
  return sender;
}

/** Impatient, so that a test of an endless wait need not wait. */
const impatient = aSender({ limits: { attemptMs: 150, bodyMs: 50 } });
const sender = aSender();

async function attemptAt(treatment: Treatment, by = sender) {
  await using receiver = await aFailingReceiver({ secrets, treat: [treatment] });
  const attempt = await by.send({ url: receiver.url, id: 'evt_1', body, secrets });
  return { ...attempt, received: receiver.received };
}

test('what arrives is what the attempt says was sent, and its signature is right', async () => {
  const { status, error, answer, requestHeaders, received, ...attempt } = await attemptAt({
    status: 201,
    headers: { 'content-type': 'text/plain', 'set-cookie': 'a=b' },
    body: 'thanks',
  });
  const [request] = received;
  assert.ok(request);
  assert.deepEqual([request.method, request.path, request.verification.isValid], ['POST', '/hook', true]);
  assert.deepEqual(request.body, attempt.body);
  assert.equal(request.body.toString(), body);
  assert.equal(request.headers['content-type'], 'application/json');
  assert.equal(request.headers['webhook-id'], 'evt_1');
  for (const [name, value] of Object.entries(requestHeaders)) assert.equal(request.headers[name], value);
  assert.deepEqual([status, error, answer?.body, answer?.truncated], [201, undefined, 'thanks', false]);
  assert.equal(answer?.headers['content-type'], 'text/plain');
  assert.equal('set-cookie' in (answer?.headers ?? {}), false);
  assert.ok(attempt.ms >= 0 && Number.isInteger(attempt.ms) && attempt.startedAtMs <= Date.now());
});

test('both secrets sign during a rotation', async () => {
  const [young, old] = [newSigningSecret(), newSigningSecret()];
  for (const known of [young, old]) {
    await using receiver = await aFailingReceiver({ secrets: [known] });
    await sender.send({ url: receiver.url, id: 'evt_1', body, secrets: [young, old] });
    assert.equal(receiver.received[0]?.verification.isValid, true);
  }
});

test('each attempt has the same id and a timestamp of its own', async () => {
  await using receiver = await aFailingReceiver({ secrets, treat: [500] });
  const first = await sender.send({ url: receiver.url, id: 'evt_1', body, secrets });
  const second = await sender.send({ url: receiver.url, id: 'evt_1', body, secrets });
  assert.deepEqual([first.status, second.status], [500, 204]);
  assert.deepEqual(
    receiver.received.map(({ headers }) => headers['webhook-id']),
    ['evt_1', 'evt_1'],
  );
});

test('attempts share connections, of which there are at most 32', async () => {
  await using receiver = await aFailingReceiver({ secrets });
  const send = () => sender.send({ url: receiver.url, id: 'evt_1', body, secrets });
  for (let n = 0; n < 20; n++) await send();
  assert.ok(new Set(receiver.received.map(({ connection }) => connection)).size <= 2);
  const many = await Promise.all(Array.from({ length: 100 }, send));
  assert.ok(many.every(({ status }) => status === 204));
  assert.ok(new Set(receiver.received.map(({ connection }) => connection)).size <= 32);
});

test('a redirect is not followed', async () => {
  await using elsewhere = await aFailingReceiver({ secrets });
  for (const status of [301, 302, 303, 307, 308]) {
    const attempt = await attemptAt({ status, headers: { location: elsewhere.url } });
    assert.deepEqual([attempt.status, attempt.answer?.headers['location']], [status, elsewhere.url]);
  }
  assert.equal(elsewhere.received.length, 0);
});

test('an answer is kept up to 4 KiB, without half a character at its end', async () => {
  const { answer } = await attemptAt({ status: 500, body: `${'x'.repeat(4_095)}üü` });
  assert.deepEqual([answer?.body, answer?.truncated], ['x'.repeat(4_095), true]);
  const whole = await attemptAt({ status: 500, body: 'x'.repeat(4_096) });
  assert.deepEqual([whole.answer?.body.length, whole.answer?.truncated], [4_096, false]);
});

test('an answer of other bytes than text is kept as far as it is text', async () => {
  const { answer } = await attemptAt({ status: 200, body: Uint8Array.of(0x61, 0xff, 0x62) });
  assert.equal(answer?.body, 'a\ufffdb');
});

test('an endless answer is left after 4 KiB, and counts by its status', async () => {
  await using receiver = await aFailingReceiver({ secrets, treat: ['endless'] });
  const attempt = await sender.send({ url: receiver.url, id: 'evt_1', body, secrets });
  assert.deepEqual([attempt.status, attempt.answer?.body.length, attempt.answer?.truncated], [200, 4_096, true]);
  await until('the connection is closed', () => receiver.open() === 0);
});

test('an answer that trickles is left after a while, and counts by its status', async () => {
  await using receiver = await aFailingReceiver({ secrets, treat: ['trickle'] });
  const attempt = await impatient.send({ url: receiver.url, id: 'evt_1', body, secrets });
  assert.deepEqual([attempt.status, attempt.answer?.truncated, attempt.error], [200, true, undefined]);
  assert.match(attempt.answer?.body ?? '', /^x*$/);
  await until('the connection is closed', () => receiver.open() === 0);
});

test('an answer that is cut after its head counts by its status', async () => {
  const { status, answer } = await attemptAt('cut in the answer');
  assert.deepEqual([status, answer], [200, { headers: answer?.headers, body: 'half', truncated: true }]);
});

for (const [treatment, code, says] of [
  ['cut', 'connection_cut', /closed the connection before it answered/],
  ['silence', 'timeout', /did not answer within 0\.15 s/],
  ['endless headers', 'timeout', /did not answer within/],
  ['noise', 'answer_invalid', /not HTTP/],
  [{ status: 101, headers: { upgrade: 'x', connection: 'upgrade' } }, 'answer_invalid', /not HTTP/],
] as const) {
  test(`a receiver that answers with ${JSON.stringify(treatment)} has failed: ${code}`, async () => {
    const { status, answer, error, received } = await attemptAt(treatment, impatient);
    assert.deepEqual([status, answer, error?.code], [undefined, undefined, code]);
    assert.match(error?.message ?? '', says);
    assert.equal(received.length, 1);
  });
}

test('a receiver that never reads is given up after the time of an attempt', async () => {
  const sockets = new Set<Socket>();
  const server = createServer({ pauseOnConnect: true }, (socket) => sockets.add(socket.on('error', () => {})));
  const port = await listening(server);
  const large = Buffer.alloc(16 * 1024 * 1024, 'x');
  const { error } = await impatient.send({ url: `http://127.0.0.1:${port}/`, id: 'evt_1', body: large, secrets });
  assert.equal(error?.code, 'timeout');
  for (const socket of sockets) socket.destroy();
  server.close();
});

test('headers of an answer that are larger than 16 KiB are refused', async () => {
  const { error } = await attemptAt({ status: 200, headers: { 'x-large': 'x'.repeat(20_000) } });
  assert.equal(error?.code, 'answer_invalid');
});

test('of the headers of an answer 4 KiB are kept, with those that decide', async () => {
  const { answer } = await attemptAt({
    status: 429,
    headers: { 'x-large': 'x'.repeat(5_000), 'retry-after': '7', 'webhook-delivery': 'abort-message' },
  });
  assert.deepEqual(answer?.headers, { 'retry-after': '7', 'webhook-delivery': 'abort-message' });
});

test('control characters in a header of an answer are replaced', async () => {
  const { answer } = await attemptAt({ status: 200, headers: { 'x-title': 'a\u009b2Jb' } });
  assert.equal(answer?.headers['x-title'], 'a\ufffd2Jb');
});

test('nothing listens', async () => {
  const { error } = await sender.send({ url: `http://127.0.0.1:${deadPort}/`, id: 'evt_1', body, secrets });
  assert.deepEqual(error, { code: 'connection_refused', message: `nothing is listening at 127.0.0.1:${deadPort}` });
});

test('a certificate that nobody vouches for is refused, unless its authority is given', async () => {
  const certificate = selfSigned([-1, 1]);
  await using receiver = await aFailingReceiver({ secrets, certificate });
  const request = { url: receiver.url, id: 'evt_1', body, secrets };
  const { error } = await sender.send(request);
  assert.equal(error?.code, 'certificate_invalid');
  assert.match(error?.message ?? '', /not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/);
  assert.equal(receiver.received.length, 0);
  assert.equal((await aSender({ ca: [certificate.cert] }).send(request)).status, 204);
});

test('an expired certificate is refused', async () => {
  const certificate = selfSigned([-3, -1]);
  await using receiver = await aFailingReceiver({ secrets, certificate });
  const { error } = await aSender({ ca: [certificate.cert] }).send({ url: receiver.url, id: 'evt_1', body, secrets });
  assert.deepEqual([error?.code, /has expired/.test(error?.message ?? '')], ['certificate_invalid', true]);
});

test('https to a port that speaks http fails', async () => {
  await using receiver = await aFailingReceiver({ secrets });
  const url = receiver.url.replace('http:', 'https:');
  assert.equal((await sender.send({ url, id: 'evt_1', body, secrets })).error?.code, 'tls_failed');
});

test('an attempt can be stopped, before it begins and while it waits', async () => {
  await using receiver = await aFailingReceiver({ secrets, treat: ['silence'] });
  const request = { url: receiver.url, id: 'evt_1', body, secrets };
  assert.equal((await sender.send(request, AbortSignal.abort())).error?.code, 'stopped');
  const stop = new AbortController();
  const attempt = sender.send(request, stop.signal);
  await until('it has arrived', () => receiver.received.length === 1);
  stop.abort();
  assert.deepEqual((await attempt).error, { code: 'stopped', message: 'the attempt was stopped' });
});

test('a name that does not resolve is an error of its own', async () => {
  const lost = aSender({ resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })) });
  const { error } = await lost.send({ url: 'https://shop.example/', id: 'evt_1', body, secrets });
  assert.deepEqual(error, { code: 'host_not_found', message: 'the name shop.example cannot be resolved' });
});

test('a resolver that never answers is waited for no longer than the attempt', async () => {
  const stuck = aSender({ resolve: () => new Promise(() => {}), limits: { attemptMs: 100 } });
  const { error } = await stuck.send({ url: 'https://shop.example/', id: 'evt_1', body, secrets });
  assert.equal(error?.code, 'timeout');
});

/** Names and what they lead to. */
const resolving = (...addresses: string[]): Pick<SenderOptions, 'resolve'> => ({
  resolve: () => Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))),
});

for (const address of [
  '10.0.0.5',
  '169.254.169.254',
  '0.0.0.0',
  '::',
  '::ffff:10.0.0.5',
  '::ffff:169.254.169.254',
  'fe80::1',
  'fd00:ec2::254',
  '64:ff9b::a00:5',
  '100.100.100.200',
]) {
  test(`a public name that leads to ${address} is not connected to`, async () => {
    for (const reach of ['public', 'loopback'] as const) {
      const { error } = await aSender({ reach, ...resolving(address) }).send({
        url: 'https://shop.example/hook',
        id: 'evt_1',
        body,
        secrets,
      });
      assert.equal(error?.code, 'address_refused');
      assert.ok(error?.message.startsWith(`shop.example leads to ${address}, which is a`), error?.message);
    }
  });
}

test('this machine is reached only where that is allowed', async () => {
  await using receiver = await aFailingReceiver({ secrets });
  const { port } = new URL(receiver.url);
  const statusOf = async (reach: SenderOptions['reach'], host: string, address: string) => {
    const url = `http://${host}:${port}/hook`;
    const { status, error } = await aSender({ reach, ...resolving(address) }).send({ url, id: 'evt_1', body, secrets });
    return status ?? error?.code;
  };
  assert.equal(await statusOf('loopback', 'localhost', '127.0.0.1'), 204);
  assert.equal(await statusOf('any', 'shop.example', '127.0.0.1'), 204);
  assert.equal(await statusOf('public', 'localhost', '127.0.0.1'), 'address_refused');
  assert.equal(await statusOf('public', '127.0.0.1', ''), 'address_refused');
  assert.equal(await statusOf('public', '[::1]', ''), 'address_refused');
  assert.equal(await statusOf('loopback', '0.0.0.0', ''), 'address_refused');
  assert.equal(await statusOf('loopback', 'localhost', '93.184.216.34'), 'address_refused');
  assert.equal(receiver.received.length, 2);
});

test('a name with an allowed and a refused address is reached at the allowed one', async () => {
  await using receiver = await aFailingReceiver({ secrets });
  const { port } = new URL(receiver.url);
  const mixed = aSender(resolving('10.0.0.5', '127.0.0.1'));
  const { status } = await mixed.send({ url: `http://localhost:${port}/`, id: 'evt_1', body, secrets });
  assert.equal(status, 204);
});

test('a name that changes between two answers of its server is resolved once for each connection', async () => {
  await using receiver = await aFailingReceiver({ secrets });
  const { port } = new URL(receiver.url);
  const answers = ['127.0.0.1', '10.0.0.5'];
  let asked = 0;
  const rebinding = aSender({ resolve: () => Promise.resolve([{ address: answers[asked++] ?? '', family: 4 }]) });
  const { status } = await rebinding.send({ url: `http://localhost:${port}/`, id: 'evt_1', body, secrets });
  assert.deepEqual([status, asked], [204, 1]);
});

test('an id with a line break is never sent', async () => {
  await assert.rejects(sender.send({ url: 'http://127.0.0.1:9/', id: 'a\r\nx-a: b', body, secrets }), RangeError);
});
