import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { failureOf } from '../../src/client/failure.ts';
import { eventsOf } from '../../src/client/index.ts';
import { retryAfterSeconds, waitBefore } from '../../src/client/repeat.ts';
import fc from '../properties.ts';

async function* pieces(text: string, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let from = 0;
  for (let i = 0; from < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    yield bytes.subarray(from, from + size);
    from += size;
  }
}

test('events are the same, however the stream is cut into pieces', async () => {
  const text =
    ': hello\n\nevent: log\nid: a.1\ndata: {"text":"grüße"}\n\ndata: one\ndata: two\n\nid: a.2\nevent: gap\ndata: {}\n\n';
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), async (sizes) => {
      const events = [];
      for await (const event of eventsOf(pieces(text, sizes))) events.push(event);
      assert.deepEqual(events, [
        { type: 'log', data: '{"text":"grüße"}', id: 'a.1' },
        { type: 'message', data: 'one\ntwo', id: 'a.1' },
        { type: 'gap', data: '{}', id: 'a.2' },
      ]);
    }),
  );
});

async function* repeated(text: string, times: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let i = 0; i < times; i++) yield bytes;
}

for (const [what, text] of [
  ['one line without end', 'data: xxxxxxxxxx'.repeat(1_000)],
  ['lines without end', `data: ${'x'.repeat(1_000)}\n`.repeat(20)],
  ['empty lines of data without end', 'data\n'.repeat(100_000)],
] as const) {
  test(`an event of ${what} is not collected`, async () => {
    const events = eventsOf(repeated(text, 1_000));
    await assert.rejects(events.next(), { name: 'TransportFailure', kind: 'answer_too_large' });
  });
}

test('an id that cannot be sent back is none', async () => {
  const ids = [];
  for (const id of ['a', 'b c', 'ü', 'x'.repeat(10_000), 'd'])
    for await (const event of eventsOf(pieces(`id: first\ndata: 1\n\nid: ${id}\ndata: 2\n\n`, [100])))
      ids.push(event.id);
  assert.deepEqual(
    ids.filter((_, index) => index % 2 === 1),
    ['a', 'first', 'first', 'first', 'd'],
  );
});

describe('waiting', () => {
  const now = Date.UTC(2026, 0, 1);

  test('Retry-After is seconds or a date; garbage is not "at once"', () => {
    assert.equal(retryAfterSeconds('12', now), 12);
    assert.equal(retryAfterSeconds('Thu, 01 Jan 2026 00:00:30 GMT', now), 30);
    // The last day that there is, and a clock before the first year: what is counted from it must be a time, too.
    const longest = retryAfterSeconds('Sat, 13 Sep 275760 00:00:00 GMT', Date.UTC(-1000));
    assert.equal(longest, retryAfterSeconds('999999999', now));
    for (const garbage of ['', 'soon', '-5', '1e9', '0x10'])
      assert.equal(retryAfterSeconds(garbage, now), undefined, garbage);
  });

  test('without it the wait grows with jitter, between half a second and eight', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (attempt, random) => {
        const wait = waitBefore(attempt, undefined, now, random);
        assert.ok('ms' in wait && wait.ms >= 500 && wait.ms <= 8_000);
      }),
    );
  });
});

describe('what went wrong is said in its own words', () => {
  const said = (code: string, written = false, proxy?: string) =>
    failureOf(Object.assign(new Error('x'), { code }), 'https://app.example.com/a', written, proxy);

  for (const [code, kind] of [
    ['ENOTFOUND', 'dns_failed'],
    ['ECONNREFUSED', 'connection_refused'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls_untrusted'],
    ['CERT_HAS_EXPIRED', 'tls_expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_wrong_host'],
    ['EPROTO', 'tls_failed'],
    ['ERR_PROXY_TUNNEL', 'proxy_refused'],
    ['HPE_INVALID_CONSTANT', 'answer_broken'],
  ] as const) {
    test(`${code} is ${kind}`, () => {
      const failure = said(code);
      assert.equal(failure.kind, kind);
      assert.match(failure.message, /app\.example\.com/);
    });
  }

  test('a reset is a failed connection before the request was written, a lost one after it', () => {
    assert.equal(said('ECONNRESET').kind, 'connection_failed');
    assert.equal(said('ECONNRESET', true).kind, 'connection_lost');
  });

  test('a refused connection to a proxy names the proxy, without its password', () => {
    const { kind, message } = said('ECONNREFUSED', false, 'http://user:secret@proxy.example:3128');
    assert.equal(kind, 'proxy_unreachable');
    assert.match(message, /proxy\.example:3128/);
    assert.doesNotMatch(message, /secret/);
  });
});
