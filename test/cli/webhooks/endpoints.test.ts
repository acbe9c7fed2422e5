import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newSigningSecret } from '../../../src/std/index.ts';
import { aReceiver } from '../../../src/testing/receiver.ts';
import { anEmulator, everyone, token } from '../../emulator/an-emulator.ts';
import { until } from '../../until.ts';
import { runFn } from '../context.ts';
import { aFolder } from '../fn-process.ts';

const { url, emulator } = await anEmulator();
const call = emulator.door(everyone);
const around = { env: { FN_BASE_URL: url, FN_WORKSPACE: 'dev', FN_TOKEN: token, HOME: aFolder() } };
const webhook = (...argv: string[]) => runFn(['webhook', ...argv], around);
const json = async (...argv: string[]) => JSON.parse((await webhook(...argv, '--json')).out);

test('add prints the secret alone, names the workspace, and no other command shows the secret', async () => {
  const { exitCode, out, err } = await webhook('add', 'https://one.example/hooks', '-e', 'message.received, note.*');
  assert.equal(exitCode, 0, err);
  assert.match(out, /^whsec_\S+\n$/);
  assert.match(
    err,
    /^→ dev \(127\.0\.0\.1:\d+\)\n.* gets message\.received, note\.\* at https:\/\/one\.example\/hooks in dev\./s,
  );
  const all = await webhook('list');
  assert.match(all.out, /enabled {2}https:\/\/one\.example\/hooks/);
  const shown = await webhook('show', 'https://one.example/hooks');
  for (const text of [all.out, shown.out]) assert.ok(!text.includes(out.trim()));
});

test('add --json prints id, url, events and secret', async () => {
  const made = await json('add', 'https://two.example/');
  assert.deepEqual([made.url, made.events, typeof made.secret], ['https://two.example/', ['*'], 'string']);
  assert.match(made.id, /^whk_/);
});

test('add takes a secret from standard input, and shows it again', async () => {
  const secret = newSigningSecret();
  const { out } = await runFn(['webhook', 'add', 'https://three.example/', '--secret-stdin'], {
    ...around,
    input: `${secret}\n`,
  });
  assert.equal(out, `${secret}\n`);
});

for (const [argv, exitCode, code, says] of [
  [['add', 'shop.example'], 1, 'webhook_url_invalid', /https:\/\/shop\.example/],
  [['add', 'http://shop.example/'], 1, 'webhook_url_insecure', /https/],
  [['add', 'https://192.168.0.7/'], 1, 'webhook_url_private', /fn webhook listen/],
  [['add', 'https://four.example/', '-e', 'message.recieved'], 1, 'event_unknown', /Did you mean message\.received/],
  [['add', 'https://two.example'], 9, 'webhook_exists', /fn webhook update whk_/],
  [['add', '--function', 'shop'], 1, 'input_invalid', /order-desk/],
  [['add'], 2, 'endpoint_ambiguous', /--function/],
  [['add', 'https://four.example/', '--function', 'shop/x'], 2, 'endpoint_ambiguous', /--function/],
  [['show', 'https://two.exmple/'], 1, 'webhook_not_found', /Did you mean https:\/\/two\.example/],
  [['show', 'whk_0'], 1, 'webhook_not_found', /whk_0/],
  [['update', 'https://two.example/'], 2, 'change_missing', /--events/],
  [['update', 'https://two.example/', '--enable', '--disable'], 2, 'flags_contradict', /--enable/],
  [['recover', 'https://two.example/', '--rate', '0'], 2, 'flag_invalid', /--rate/],
  [['resend'], 2, 'resend_ambiguous', /--failed-since/],
  [['resend', 'evt_0'], 1, 'event_not_found', /evt_0/],
  [['resend', 'dlv_0'], 1, 'delivery_not_found', /dlv_0/],
  [['resend', '--failed-since', 'soon'], 2, 'time_invalid', /^--failed-since: .* --failed-since 2h/],
  [['recover', 'https://two.example/', '--since', 'soon'], 2, 'time_invalid', /^--since: .* --since 2h/],
  [['deliveries', 'dlv_0'], 1, 'delivery_not_found', /dlv_0/],
  [['deliveries', '--endpoint', 'https://no.example'], 1, 'webhook_not_found', /no\.example/],
  [['events', 'message.recieved'], 2, 'event_unknown', /Did you mean message\.received/],
  [['events', '--schema', 'nothing'], 2, 'event_unknown', /fn webhook events/],
] as const) {
  test(`fn webhook ${argv.join(' ')} is refused with ${code}`, async () => {
    const { exitCode: ended, out, err } = await webhook(...argv, '--json');
    const { error } = JSON.parse(err);
    assert.deepEqual([ended, out, error.code], [exitCode, '', code]);
    assert.match(`${error.message} ${error.hint} ${JSON.stringify(error.errors ?? '')}`, says);
  });
}

test('a secret that is too short is refused, and not repeated', async () => {
  const { exitCode, err } = await runFn(['webhook', 'add', 'https://five.example/', '--secret-stdin', '--json'], {
    ...around,
    input: 'whsec_c2hvcnQ=\n',
  });
  assert.deepEqual([exitCode, JSON.parse(err).error.code], [1, 'signing_secret_invalid']);
  assert.doesNotMatch(err, /c2hvcnQ/);
});

test('ping shows what the endpoint answers, and fails where it does not', async (t) => {
  await using receiver = await aReceiver();
  await call('webhooks.add', { url: receiver.url, events: ['note.*'], secret: receiver.secret });
  const { exitCode, out } = await webhook('ping', receiver.url);
  assert.equal(exitCode, 0);
  assert.match(out, /answered 204 \(\d+ ms\)/);
  assert.equal(receiver.received[0]?.event.type, 'webhook.ping');
  const gone = await aReceiver();
  t.after(() => gone.close());
  await call('webhooks.add', { url: `${gone.url}other`, events: ['note.*'] });
  const refused = await webhook('ping', `${gone.url}other`);
  assert.equal(refused.exitCode, 1);
  assert.match(refused.out, /answered 401; attempt 2 of 10 follows/);
});

test('what a disabled endpoint has missed is told when it is enabled, and recovered', async () => {
  await using receiver = await aReceiver();
  const { id } = await call('webhooks.add', {
    url: receiver.url,
    events: ['message.received'],
    secret: receiver.secret,
  });
  assert.match((await webhook('update', id, '--disable')).out, /disabled/);
  await call('messages.receive', { phone: '+4930901820', text: 'missed' });
  const enabled = await webhook('update', id, '--enable');
  assert.match(enabled.out, new RegExp(`^Changed: ${id}, enabled`));
  assert.match(enabled.err, new RegExp(`missed 1 since .*fn webhook recover ${id}`));
  const recovered = await webhook('recover', id);
  assert.equal(recovered.out, '1 are delivered now.\n');
  const { id: eventId } = await receiver.next();

  const again = await webhook('resend', eventId, '--endpoint', id);
  assert.match(again.out, /^1 sent again/);
  assert.equal((await receiver.next()).id, eventId);
  const { items } = await json('deliveries', '--endpoint', receiver.url, '--event', eventId);
  const [delivery] = items;
  await until('both attempts are recorded', async () => {
    const { attempts } = await call('deliveries.show', { id: delivery.id });
    return attempts.length === 2;
  });
  const shown = await webhook('deliveries', delivery.id);
  assert.match(shown.out, /attempt 1 at .*answered 204.*> webhook-signature: v1,.*attempt 2 at /s);
  assert.equal((await json('deliveries', '--endpoint', id, '--failed')).items.length, 0);
});

test('rotate prints the new secret and says how long the old one signs as well', async () => {
  const { id, secret } = await call('webhooks.add', { url: 'https://rotate.example/', events: ['*'] });
  const { out, err } = await webhook('rotate', id);
  assert.match(out, /^whsec_\S+\n$/);
  assert.notEqual(out.trim(), secret);
  assert.match(err, /shown only now\. The old one signs as well until \d{4}-/);
});

test('remove takes an address, and asks on a terminal', async () => {
  await call('webhooks.add', { url: 'https://remove.example/', events: ['*'] });
  const { exitCode, out } = await webhook('remove', 'https://remove.example');
  assert.equal(exitCode, 0);
  assert.match(out, /^Removed: whk_\S+ \(https:\/\/remove\.example\/\)\n$/);
  assert.equal((await webhook('show', 'https://remove.example/')).exitCode, 1);
});

test('events lists the kinds, shows an example and prints a schema, without a workspace', async () => {
  const nowhere = { env: { HOME: aFolder() } };
  const run = async (...argv: string[]) => runFn(['webhook', 'events', ...argv], nowhere);
  assert.match((await run()).out, /message\.received +A customer wrote/);
  assert.equal(JSON.parse((await run('message.received')).out).data.message.direction, 'in');
  const { items } = JSON.parse((await run('--json')).out);
  assert.ok(items.every(({ example, type }: { example: { type: string }; type: string }) => example.type === type));
  assert.equal(JSON.parse((await run('--schema', 'note.created')).out).title, 'note.created');
  assert.equal(JSON.parse((await run('--schema', 'note.created', '--json')).out).title, 'note.created');
});
