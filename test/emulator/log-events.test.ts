import assert from 'node:assert/strict';
import test from 'node:test';
import { eventsOf } from '../../src/client/index.ts';
import { anEmulator, method } from './an-emulator.ts';

const { ask, post } = await anEmulator({
  functions: {
    'api/talk': method('const { n } = await sdk.request.json(); for (let i = 0; i < n; i++) console.log(i);'),
  },
});

test('who asks for the head of a stream gets it at once', async () => {
  const response = await ask('/apps/shop/logs', { method: 'HEAD', headers: { accept: 'text/event-stream' } });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
});

test('a past of more lines than are read at once ends with a gap in front of what comes now', async (t) => {
  const talk = (n: number) => post('/custom-functions/shop/api/talk.js', { n });
  for (let times = 0; times < 5; times++) assert.equal((await talk(900)).status, 200);
  const gone = new AbortController();
  t.after(() => gone.abort());
  const response = await ask('/apps/shop/logs?since=2000-01-01T00:00:00Z', {
    headers: { accept: 'text/event-stream' },
    signal: gone.signal,
  });
  let past = 0;
  const after: string[] = [];
  for await (const { type, data } of eventsOf(response.body as unknown as AsyncIterable<Uint8Array>)) {
    if (type === 'log' && after.length === 0) {
      past++;
      continue;
    }
    after.push(`${type} ${type === 'log' ? JSON.parse(data).text : data}`);
    if (type === 'log') break;
    await talk(1);
  }
  assert.equal(past, 4_000);
  assert.deepEqual(after, ['gap {"missed":null}', 'log 0']);
});

test('logs can be followed before anything else has been asked of a new workspace', async (t) => {
  const fresh = await anEmulator();
  const gone = new AbortController();
  t.after(() => gone.abort());
  const response = await fresh.ask('/apps/shop/logs?since=2000-01-01T00:00:00Z', {
    headers: { accept: 'text/event-stream' },
    signal: gone.signal,
  });
  assert.equal(response.status, 200);
});
