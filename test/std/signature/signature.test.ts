import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { Webhook as Standard } from 'standardwebhooks';
import { Webhook as Svix } from 'svix';
import {
  decodeSigningSecret,
  explainSignature,
  newSigningSecret,
  refuseByHeaders,
  signMessage,
  type Verification,
  verifySignature,
} from '../../../src/std/index.ts';
import fc from '../../properties.ts';

const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const id = 'msg_example1';
const timestamp = 1767225600;
const body = '{"type":"message.received","timestamp":"2026-01-01T00:00:00.000Z","data":{"id":"msg_1"}}';
const nowMs = timestamp * 1000;

/** The two libraries that most receivers use; both look at the machine's clock only. */
const witnesses: Readonly<Record<string, (secret: string) => { verify(body: string, headers: object): unknown }>> = {
  standardwebhooks: (of) => new Standard(of) as { verify(body: string, headers: object): unknown },
  svix: (of) => new Svix(of) as { verify(body: string, headers: object): unknown },
};
const nowSeconds = () => Math.floor(Date.now() / 1000);

test('a message is signed as Standard Webhooks 1.0 says', () => {
  assert.deepEqual(signMessage({ id, timestamp, body }, [secret]), {
    'webhook-id': id,
    'webhook-timestamp': '1767225600',
    'webhook-signature': 'v1,EwelItVYm4vIGyg8nQfxSDCiq2kYPTFBTznACCF2ysU=',
  });
});

for (const [name, receiver] of Object.entries(witnesses)) {
  test(`${name} accepts our signature of any text`, () => {
    fc.assert(
      fc.property(fc.json(), fc.uint8Array({ minLength: 24, maxLength: 64 }), (text, key) => {
        const given = `whsec_${Buffer.from(key).toString('base64')}`;
        receiver(given).verify(text, signMessage({ id, timestamp: nowSeconds(), body: text }, [given]));
      }),
      { numRuns: 50 },
    );
  });

  test(`${name} accepts our signature with the new and with the old secret during a rotation`, () => {
    const [young, old] = [newSigningSecret(), newSigningSecret()];
    const headers = signMessage({ id, timestamp: nowSeconds(), body }, [young, old]);
    receiver(young).verify(body, headers);
    receiver(old).verify(body, headers);
    assert.throws(() => receiver(newSigningSecret()).verify(body, headers), /No matching signature/i);
  });

  test(`${name} refuses a changed body and a late timestamp`, () => {
    const headers = signMessage({ id, timestamp: nowSeconds(), body }, [secret]);
    assert.throws(() => receiver(secret).verify(body.replace('msg_1', 'msg_2'), headers), /No matching signature/i);
    const late = signMessage({ id, timestamp: nowSeconds() - 302, body }, [secret]);
    assert.throws(() => receiver(secret).verify(body, late), /too old/i);
  });

  test(`we accept what ${name} signs`, () => {
    const at = new Date();
    const signer = name === 'svix' ? new Svix(secret) : new Standard(secret);
    const headers = {
      'Webhook-Id': id,
      'Webhook-Timestamp': String(Math.floor(at.getTime() / 1000)),
      'Webhook-Signature': signer.sign(id, at, body),
    };
    assert.equal(verifySignature({ headers, body }, { secrets: [secret] }).isValid, true);
  });
}

test('a secret that is made has 32 bytes, and no two are the same', () => {
  const [one, other] = [newSigningSecret(), newSigningSecret()];
  assert.equal(decodeSigningSecret(one).length, 32);
  assert.notEqual(one, other);
});

for (const [given, says] of [
  ['', /is empty$/],
  ['hunter2', /does not start with whsec_$/],
  ['whsec_', /too short: 0 bytes$/],
  [`whsec_${Buffer.alloc(23).toString('base64')}`, /too short: 23 bytes$/],
  [`whsec_${Buffer.alloc(65).toString('base64')}`, /too long: 65 bytes$/],
  [`${secret}\n`, /white space/],
  [`whsec_${'-_'.repeat(16)}`, /base64url/],
  [secret.slice(0, -1), /not a multiple of 4/],
  [`whsec_${'!'.repeat(32)}`, /is not base64 after whsec_$/],
  ['whsk_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=', /asymmetric/],
] as const) {
  test(`the secret ${JSON.stringify(given)} is refused`, () => {
    assert.throws(() => decodeSigningSecret(given), { code: 'signing_secret_invalid', message: says, exitCode: 2 });
  });
}

test('a refused secret is not repeated in the message', () => {
  assert.throws(
    () => decodeSigningSecret('whsec_hunter2hunter2'),
    (error: Error) => !`${error.message} ${error.stack}`.includes('hunter2'),
  );
});

test('an id with a full stop or a line break, and a timestamp of fractions, are not signed', () => {
  for (const wrong of ['a.b', 'a\r\nx-admin: 1', '', 'a b', 'ü', 'a'.repeat(257)])
    assert.throws(() => signMessage({ id: wrong, timestamp, body }, [secret]), RangeError);
  for (const wrong of [1.5, -1, Number.NaN])
    assert.throws(() => signMessage({ id, timestamp: wrong, body }, [secret]), RangeError);
  assert.throws(() => signMessage({ id, timestamp, body }, []), RangeError);
});

const headers = signMessage({ id, timestamp, body }, [secret]);
const other = newSigningSecret();

test('verifying tells which secret has signed', () => {
  const both = signMessage({ id, timestamp, body }, [other, secret]);
  assert.deepEqual(verifySignature({ headers, body }, { secrets: [other, secret], nowMs }), {
    isValid: true,
    secretIndex: 1,
    id,
    timestamp,
  });
  assert.deepEqual(
    [[secret], [other], [secret, other]].map((secrets) => {
      const verified = verifySignature({ headers: both, body: Buffer.from(body) }, { secrets, nowMs });
      return verified.isValid && verified.secretIndex;
    }),
    [0, 0, 0],
  );
});

test('a foreign signature beside ours does no harm', () => {
  const signature = `v1a,AAAA v1,${'A'.repeat(43)}= ${headers['webhook-signature']} v2,xyz`;
  const verified = verifySignature(
    { headers: { ...headers, 'webhook-signature': signature }, body },
    { secrets: [secret], nowMs },
  );
  assert.equal(verified.isValid, true);
});

test('a timestamp may be 300 s off, and not 301', () => {
  const at = (seconds: number) =>
    verifySignature({ headers, body }, { secrets: [secret], nowMs: nowMs + seconds * 1000 });
  assert.deepEqual([at(300), at(-300)].map(isValid), [true, true]);
  assert.deepEqual(problemOf(at(301)), [
    'timestamp_too_old',
    'The signature is right, but its timestamp 2026-01-01T00:00:00.000Z is 301 s in the past; at most 300 s are accepted',
  ]);
  assert.deepEqual(problemOf(at(-301))[0], 'timestamp_too_new');
});

test('what is wrong with the headers is said without the body', () => {
  const at = (seconds: number) => refuseByHeaders(headers, { nowMs: nowMs + seconds * 1000 });
  assert.deepEqual([at(300), at(-300)], [undefined, undefined]);
  assert.equal(at(-301)?.problem, 'timestamp_too_new');
  assert.match(at(301)?.message ?? '', /^The timestamp 2026-01-01T00:00:00\.000Z is 301 s in the past/);
  assert.equal(refuseByHeaders({ ...headers, 'webhook-signature': undefined })?.problem, 'header_missing');
});

const isValid = (verified: Verification) => verified.isValid;

function problemOf(verified: Verification): [string, string] {
  assert.equal(verified.isValid, false);
  return [verified.problem, verified.message];
}

/** @param change of the headers or the body, as a mistake would make it */
function explained(change: {
  headers?: Record<string, string | undefined>;
  body?: string | Buffer;
  secrets?: string[];
}) {
  return problemOf(
    explainSignature(
      { headers: { ...headers, ...change.headers }, body: change.body ?? body },
      { secrets: change.secrets ?? [secret], nowMs },
    ),
  );
}

const digest = Buffer.from('EwelItVYm4vIGyg8nQfxSDCiq2kYPTFBTznACCF2ysU=', 'base64');
const v1 = (key: string | Buffer, signed: string) => ({
  'webhook-signature': `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
});

test('a missing header is named', () => {
  assert.deepEqual(explained({ headers: { 'webhook-id': undefined } }), [
    'header_missing',
    'The header webhook-id is missing',
  ]);
  assert.deepEqual(explained({ headers: { 'webhook-signature': '', 'webhook-timestamp': undefined } }), [
    'header_missing',
    'The headers webhook-timestamp and webhook-signature are missing',
  ]);
});

test('a timestamp that is not whole seconds is refused', () => {
  for (const wrong of ['1767225600.5', '-1', '0x10', 'now', '1767225600000', '1e9'])
    assert.equal(explained({ headers: { 'webhook-timestamp': wrong } })[0], 'timestamp_invalid');
});

test('a signature in another encoding is told from a wrong one', () => {
  const written = (text: string) => explained({ headers: { 'webhook-signature': text } });
  assert.deepEqual(written(`v1,${digest.toString('hex')}`), [
    'encoding_wrong',
    'The signature is right, but written in hexadecimal',
  ]);
  assert.match(written(`sha256=${digest.toString('hex')}`)[1], /in hexadecimal$/);
  assert.match(written(digest.toString('base64'))[1], /without "v1," before it$/);
  assert.match(written(`v1,${digest.toString('base64url')}`)[1], /without its last "="/);
  assert.match(written('v1,abc')[1], /no signature that is "v1,"/);
  assert.match(written('v1a,abc')[1], /only asymmetric signatures/);
});

test('a signature in base64url is told from a wrong one', () => {
  const text = Array.from({ length: 100 }, (_, n) => `{"n":${n}}`).find((candidate) =>
    /[+/]/.test(signMessage({ id, timestamp, body: candidate }, [secret])['webhook-signature']),
  );
  assert.ok(text !== undefined);
  const [, base64 = ''] = signMessage({ id, timestamp, body: text }, [secret])['webhook-signature'].split(',');
  const url = Buffer.from(base64, 'base64').toString('base64url');
  assert.match(explained({ body: text, headers: { 'webhook-signature': `v1,${url}` } })[1], /base64url/);
});

test('a secret that was used as text is recognized', () => {
  for (const key of [secret, secret.slice('whsec_'.length)])
    assert.deepEqual(explained({ headers: v1(key, `${id}.${timestamp}.${body}`) })[0], 'encoding_wrong');
});

test('something else than id.timestamp.body that was signed is recognized', () => {
  const key = decodeSigningSecret(secret);
  assert.deepEqual(explained({ headers: v1(key, body) }), [
    'content_wrong',
    'What is signed is the body alone, not id.timestamp.body',
  ]);
  assert.deepEqual(explained({ headers: v1(key, `${timestamp}.${body}`) })[0], 'content_wrong');
});

for (const [name, change, says] of [
  ['parsed and written again', (text: string) => JSON.stringify(JSON.parse(text), null, 4), /written again as JSON/],
  ['given a line break', (text: string) => `${text}\n`, /a line break was added at its end/],
  ['given a byte order mark', (text: string) => `\ufeff${text}`, /a byte order mark/],
  ['read as Latin-1', (text: string) => Buffer.from(text).toString('latin1'), /read as Latin-1/],
  ['emptied', () => '', /it is empty/],
  ['cut', (text: string) => text.slice(0, -5), /it is not JSON/],
] as const) {
  test(`a body that was ${name} is recognized`, () => {
    const text = '{"text":"Grüße 😀","n":1}';
    const signed = signMessage({ id, timestamp, body: text }, [secret]);
    const [problem, message] = explained({ headers: { ...signed }, body: change(text) });
    assert.equal(problem, 'body_changed');
    assert.match(message, says);
  });
}

test('a body in which line breaks were changed is recognized', () => {
  const text = '{\n"a": 1\n}\n';
  const crlf = text.replaceAll('\n', '\r\n');
  for (const [signed, arrived] of [
    [text, crlf],
    [crlf, text],
    [text, text.slice(0, -1)],
  ] as const) {
    const [problem, message] = explained({
      headers: { ...signMessage({ id, timestamp, body: signed }, [secret]) },
      body: arrived,
    });
    assert.equal(problem, 'body_changed');
    assert.match(message, /line break/);
  }
});

test('a wrong secret is told from a changed body', () => {
  assert.deepEqual(explained({ secrets: [other] }), [
    'secret_wrong',
    'This secret has not made this signature, and the body looks untouched: the secret is another one',
  ]);
  assert.match(explained({ secrets: [other, newSigningSecret()] })[1], /^None of the 2 secrets has made/);
});

test('whatever arrives is answered with a value', () => {
  const anything = fc.record({
    'webhook-id': fc.string(),
    'webhook-timestamp': fc.oneof(fc.string(), fc.nat().map(String)),
    'webhook-signature': fc.oneof(
      fc.string(),
      fc.base64String().map((text) => `v1,${text}`),
    ),
  });
  fc.assert(
    fc.property(anything, fc.uint8Array(), (given, bytes) => {
      assert.equal(explainSignature({ headers: given, body: bytes }, { secrets: [secret] }).isValid, false);
    }),
  );
});

test('a body nested a hundred thousand deep is answered like any other', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  assert.equal(explained({ body: deep })[0], 'body_changed');
});
