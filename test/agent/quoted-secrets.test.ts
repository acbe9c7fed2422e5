import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { quoteForeign } from '../../src/agent/run-error.ts';
import { ofType, runAgent } from './a-run.ts';

const key = `sk-${'0123456789'.repeat(4)}`;
const signing = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** A server that refuses everything with these words. */
async function openRefusing(words: string) {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(400, { 'content-type': 'application/json' }).end(words);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('the words of a server that are cut', () => {
  test('hold no half of a key of the model', async () => {
    const message = `${'x'.repeat(470)} ${key} is wrong`;
    await using server = await openRefusing(JSON.stringify({ error: { message, type: 'invalid', code: null } }));
    const harness = { provider: 'openai-compatible', baseUrl: server.url, apiKey: key } as const;
    const events = await runAgent({ say: 'hello', harness, models: { main: 'big' } });
    assert.match(ofType(events, 'error')[0]?.message ?? '', /x{400} \[secret\]/);
    assert.doesNotMatch(JSON.stringify(events), /sk-0/);
  });

  test('hold no half of a secret that signs', async () => {
    await using server = await openRefusing(`${'x'.repeat(180)} ${signing} is wrong`);
    const harness = { kind: 'custom', baseUrl: server.url, secrets: [signing] } as const;
    const events = await runAgent({ say: 'hello', harness });
    assert.match(ofType(events, 'error')[0]?.message ?? '', /x{100}/);
    assert.doesNotMatch(JSON.stringify(events), /whsec/);
  });
});

describe('a quote', () => {
  test('is as long as it may be, and holds no part of a secret, wherever it is cut', () => {
    for (let before = 0; before < 120; before++) {
      const quote = quoteForeign(`${'x'.repeat(before)}${key}${'y'.repeat(100)}`, 100, [key]);
      assert.ok(quote.length <= 100);
      assert.doesNotMatch(quote, /sk-|\d/);
    }
  });

  test('holds no half of a secret with which the text itself ends', () => {
    assert.equal(quoteForeign(`bad key ${key.slice(0, 20)}`, 100, [key]), 'bad key [secret]');
  });

  test('hides a secret that begins like another', () => {
    assert.equal(quoteForeign('abcdefgh', 100, ['abcd', 'abcdefgh']), '[secret]');
  });

  test('is the text itself where nothing is to be hidden', () => {
    assert.equal(quoteForeign('all is well', 100, [undefined, 'all', '']), 'all is well');
  });
});
