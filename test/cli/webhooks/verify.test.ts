import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { newSigningSecret, signMessage } from '../../../src/std/index.ts';
import { runFn } from '../context.ts';
import { aFolder } from '../fn-process.ts';

const secret = newSigningSecret();
const body = '{"type":"message.received","text":"Grüße"}';
const now = () => Math.floor(Date.now() / 1000);
const signed = (timestamp = now(), secrets = [secret]) => signMessage({ id: 'evt_1', timestamp, body }, secrets);
const request = (headers: Readonly<Record<string, string>>, text = body, line = '') =>
  `${line}${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\r\n')}\r\n\r\n${text}`;
const verify = (input: string | Uint8Array, ...flags: string[]) =>
  runFn(['webhook', 'verify', '--secret', secret, ...flags], { input });

test('verify accepts headers and body as they arrived, with or without a request line', async () => {
  for (const line of ['', 'POST /hook HTTP/1.1\r\n']) {
    const { exitCode, out } = await verify(request({ host: 'shop.example', ...signed() }, body, line));
    assert.equal(exitCode, 0, out);
    assert.match(out, /^The signature is right: this secret has signed evt_1, \d+ s ago\.\n$/);
  }
});

test('verify reads a body from a file and headers from flags, and says which of several secrets it was', async () => {
  const cwd = aFolder();
  writeFileSync(join(cwd, 'body.json'), body);
  const headers = Object.entries(signed()).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const other = newSigningSecret();
  const { exitCode, out } = await runFn(
    ['webhook', 'verify', 'body.json', '--secret', other, '--secret', secret, '--json', ...headers],
    { cwd },
  );
  assert.equal(exitCode, 0);
  assert.deepEqual([JSON.parse(out).valid, JSON.parse(out).secretIndex], [true, 1]);
});

test('verify reads the secret from FN_WEBHOOK_SECRET', async () => {
  const { exitCode } = await runFn(['webhook', 'verify'], {
    input: request(signed()),
    env: { FN_WEBHOOK_SECRET: secret },
  });
  assert.equal(exitCode, 0);
});

for (const [what, input, problem] of [
  ['a late timestamp', request(signed(now() - 3600)), 'timestamp_too_old'],
  ['a body that was written again', request(signed(), JSON.stringify(JSON.parse(body), null, 2)), 'body_changed'],
  ['a line break at the end', request(signed(), `${body}\n`), 'body_changed'],
  ['another secret', request(signed(now(), [newSigningSecret()])), 'secret_wrong'],
  [
    'a signature in hexadecimal',
    request({
      ...signed(),
      'webhook-signature': Buffer.from(signed()['webhook-signature'].slice(3), 'base64').toString('hex'),
    }),
    'encoding_wrong',
  ],
  ['a missing header', request({ 'webhook-id': 'evt_1' }), 'header_missing'],
] as const) {
  test(`verify explains ${what}, and ends with 3`, async () => {
    const { exitCode, out } = await verify(input, '--json');
    assert.equal(exitCode, 3);
    const { valid, problem: found, message, hint } = JSON.parse(out);
    assert.deepEqual([valid, found], [false, problem]);
    assert.ok(message && hint);
    assert.match((await verify(input)).out, /\.\n.+/);
  });
}

for (const [what, argv, input, code] of [
  ['a secret that is none', ['--secret', 'whsec_short'], request(signed()), 'signing_secret_invalid'],
  ['no secret', [], request(signed()), 'input_required'],
  ['a body without headers', ['--secret', secret], body, 'request_unreadable'],
  ['a header without a colon', ['--secret', secret, '-H', 'webhook-id'], body, 'header_invalid'],
  ['a file that is not there', ['nothing.txt', '--secret', secret], '', 'data_unreadable'],
] as const) {
  test(`verify refuses ${what}`, async () => {
    const { exitCode, err } = await runFn(['webhook', 'verify', '--json', ...argv], { input });
    assert.equal(exitCode, 2);
    const { error } = JSON.parse(err);
    if (argv.length > 0) assert.equal(error.code, code);
    assert.doesNotMatch(err, /whsec_short/);
  });
}
