import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runFn as run } from '../../../src/cli/run.ts';
import { listenerSecret } from '../../../src/project/index.ts';
import { aReceiver } from '../../../src/testing/receiver.ts';
import type { ReceivedWebhook } from '../../../src/testing/types.ts';
import { anEmulator, everyone, token } from '../../emulator/an-emulator.ts';
import { until } from '../../until.ts';
import { aHost, runFn } from '../context.ts';
import { aFolder } from '../fn-process.ts';

const { url, emulator } = await anEmulator();
const call = emulator.door(everyone);
const home = aFolder();
const env = { FN_BASE_URL: url, FN_WORKSPACE: 'dev', FN_TOKEN: token, HOME: home };
const place = `${url}/api/dev`;
const secretOf = (name: string) => listenerSecret(place, name, env);
const say = (text: string) => call('messages.receive', { phone: '+4930901820', text });

interface Line {
  readonly type: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly status: number | null;
  readonly state: string;
  readonly attempt: number;
  readonly missed: { readonly count: number };
  readonly secret: string;
}

/** `fn webhook listen … --json` in this process, until it is stopped. */
async function listening(t: TestContext, name: string, ...flags: string[]) {
  const stop = new AbortController();
  const { host, out, err } = aHost({ env, cwd: aFolder(), signal: stop.signal });
  const ended = run(['webhook', 'listen', '--as', name, '--json', ...flags], host);
  const lines = (): Line[] =>
    out()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  const deliveries = () => lines().filter(({ type }) => type === 'delivery');
  const end = async () => {
    stop.abort();
    return await ended;
  };
  t.after(end);
  await until('the listener is ready', () => lines().length > 0 || err() !== '');
  return { lines, deliveries, end, ended, err };
}

const textOf = ({ event }: ReceivedWebhook) => (event['data'] as { message?: { text?: string } }).message?.text;

test('a message arrives signed, its attempt is recorded, and the secret stays on this machine', async (t) => {
  await using receiver = await aReceiver({ secret: await secretOf('one') });
  const listener = await listening(t, 'one', '-f', receiver.url, '-e', 'message.received');
  assert.equal(listener.lines()[0]?.secret, receiver.secret);
  await say('Hi');
  const { id, headers } = await receiver.next('message.received');
  assert.match(headers['tracestate'] ?? '', /^fn=1$/);
  await until('it is told', () => listener.deliveries().length === 1);
  assert.deepEqual(
    listener.deliveries().map(({ eventId, status, state, attempt }) => [eventId, status, state, attempt]),
    [[id, 204, 'delivered', 1]],
  );
  const recorded = await until('it is recorded', async () => {
    const { items } = await call('deliveries.list', { eventId: id });
    return items[0];
  });
  assert.equal(recorded.state, 'delivered');
  assert.deepEqual(receiver.refused, []);
  const folder = join(home, '.local/state/fn');
  assert.ok(readdirSync(folder).includes('listeners.json'));
  if (process.platform !== 'win32') assert.equal(statSync(join(folder, 'listeners.json')).mode & 0o777, 0o600);
  assert.ok(!JSON.stringify(await call('listeners.list', {})).includes(receiver.secret));
});

test('what was missed arrives in order when the listener starts again, and nothing arrives twice', async (t) => {
  await using receiver = await aReceiver({ secret: await secretOf('two') });
  const flags = ['-f', receiver.url, '-e', 'message.received'];
  const first = await listening(t, 'two', ...flags);
  await say('before');
  await receiver.next();
  assert.equal(await first.end(), 0);
  for (let n = 1; n <= 50; n++) await say(`missed ${n}`);
  const second = await listening(t, 'two', '-f', receiver.url);
  assert.equal(second.lines()[0]?.missed.count, 50);
  await until('all have come', () => receiver.received.length >= 51);
  await say('after');
  await until('it goes on', () => receiver.received.length >= 52);
  assert.deepEqual(receiver.received.map(textOf), [
    'before',
    ...Array.from({ length: 50 }, (_, n) => `missed ${n + 1}`),
    'after',
  ]);
});

test('what is sent again comes with the same id, and is recorded as another attempt', async (t) => {
  await using receiver = await aReceiver({ secret: await secretOf('again') });
  await listening(t, 'again', '-f', receiver.url, '-e', 'message.received');
  await say('Again?');
  const { id } = await receiver.next();
  const delivery = await until('it is recorded', async () => {
    const { items } = await call('deliveries.list', { eventId: id });
    return items[0];
  });
  await call('deliveries.resend', { id: delivery.id });
  assert.equal((await receiver.next()).id, id);
  await until('the attempt is recorded', async () => {
    const { attempts } = await call('deliveries.show', { id: delivery.id });
    return attempts.length === 2;
  });
});

test('--map sends kinds to addresses of their own, and passes over what no address wants', async (t) => {
  const secret = await secretOf('map');
  await using messages = await aReceiver({ secret });
  await using notes = await aReceiver({ secret });
  await listening(t, 'map', '--map', `message.received=${messages.url}`, '--map', `note.*=${notes.url}`);
  const { conversationId } = await say('Map');
  await call('notes.add', { conversationId, text: 'a note' });
  await messages.next('message.received');
  await notes.next('note.created');
  assert.deepEqual([messages.received.length, notes.received.length], [1, 1]);
});

test('a second listener of the same name takes over, and the first one says so and ends', async (t) => {
  await using receiver = await aReceiver({ secret: await secretOf('both') });
  const first = await listening(t, 'both', '-f', receiver.url);
  await until('it listens', async () => (await call('listeners.list', {})).items.some(({ name }) => name === 'both'));
  await say('one');
  await receiver.next('message.received');
  const second = await listening(t, 'both', '-f', receiver.url);
  assert.equal(await first.ended, 9);
  assert.match(first.err(), /listener_replaced/);
  await say('two');
  await receiver.next('message.received');
  assert.equal(await second.end(), 0);
});

test('a listener that is removed says so and ends', async (t) => {
  await using receiver = await aReceiver();
  const listener = await listening(t, 'gone', '-f', receiver.url);
  const found = await until('it is there', async () =>
    (await call('listeners.list', {})).items.find(({ name }) => name === 'gone'),
  );
  await call('listeners.remove', { id: found.id });
  assert.equal(await listener.ended, 9);
  assert.match(listener.err(), /listener_removed/);
});

test('a target that nobody listens at is told with the time of the next attempt', async (t) => {
  const receiver = await aReceiver();
  await receiver.close();
  const listener = await listening(t, 'down', '-f', receiver.url, '-e', 'message.received');
  await say('Hello?');
  const [line] = await until('it is told', () => listener.deliveries().length > 0 && listener.deliveries());
  assert.deepEqual([line?.status, line?.state, line?.attempt], [null, 'waiting', 1]);
  assert.equal(await listener.end(), 0);
  // It is not done, so the next start begins with it.
  await using back = await aReceiver({ secret: await secretOf('down') });
  const again = await listening(t, 'down', '-f', back.url);
  assert.equal(again.lines()[0]?.missed.count, 1);
  assert.equal(textOf(await back.next()), 'Hello?');
});

for (const [flags, code, says] of [
  [[], 'input_required', /--forward-to/],
  [['-f', 'ftp://example.com'], 'forward_target_invalid', /neither https nor http/],
  [['-f', 'http://me:pw@127.0.0.1/'], 'forward_target_invalid', /user name/],
  [['-f', 'localhost:1', '-e', 'mesage.received'], 'event_unknown', /Did you mean message\.received/],
  [['--map', 'localhost:1'], 'forward_target_invalid', /--map/],
  [['--map', 'note.creatd=localhost:1'], 'event_unknown', /note\.created/],
  [['-f', 'localhost:1', '--since', '1h', '--from-now'], 'flags_contradict', /--from-now/],
  [['-f', 'localhost:1', '--since', 'soon'], 'time_invalid', /--since/],
  [['-f', 'localhost:1', '-H', 'webhook-id: x'], 'header_invalid', /webhook-id/],
] as const) {
  test(`fn webhook listen ${flags.join(' ')} is refused with ${code}`, async () => {
    const { exitCode, out, err } = await runFn(['webhook', 'listen', '--json', ...flags], { env });
    assert.deepEqual([exitCode, out], [2, '']);
    const { error } = JSON.parse(err);
    if (flags.length > 0) assert.equal(error.code, code);
    assert.match(`${error.message} ${error.hint}`, says);
  });
}

test('without fn dev and without another workspace there is nothing to listen to', async () => {
  const { exitCode, err } = await runFn(['webhook', 'listen', '-f', 'localhost:1'], { env: { HOME: home } });
  assert.equal(exitCode, 2);
  assert.match(err, /There is no app/);
});
