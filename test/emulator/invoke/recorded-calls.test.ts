import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anEmulator, everyone } from '../an-emulator.ts';

const method = (body: string) => ({ config: { type: 'server-side-method' }, body });

const { emulator } = await anEmulator({
  functions: {
    'api/calls': method(`
      const key = await sdk.secrets.get('KEY');
      await sdk.store.set('a', { key, text: 'visible' });
      await sdk.store.get('a');
      return 1;`),
    'api/large': method(`
      for (let i = 0; i < 40; i++) await sdk.store.set('a' + i, 'x'.repeat(10_000));
      return 1;`),
  },
});
const call = emulator.door(everyone);
const value = 'sesame-open-7719';
await call('secrets.set', { app: 'shop', name: 'KEY', value });

async function callsOf(name: string) {
  const { invocationId } = await call('functions.invoke', { app: 'shop', name });
  return (await call('invocations.show', { id: invocationId })).calls;
}

test('a call is recorded with its input and answer, without the values of secrets', async () => {
  const calls = await callsOf('api/calls');
  assert.deepEqual(
    calls.map(({ name }) => name),
    ['secrets.get', 'store.set', 'store.get'],
  );
  assert.equal(calls[0]?.answer, undefined, 'what reads a secret shows it');
  assert.match(String(calls[1]?.input), /"text":"visible"/);
  assert.match(String(calls[2]?.answer), /"text":"visible"/);
  assert.doesNotMatch(JSON.stringify(calls), new RegExp(value));
  assert.match(JSON.stringify(calls), /\[redacted\]/);
});

test('of many large calls the names are all recorded, and the beginning of the first inputs', async () => {
  const calls = await callsOf('api/large');
  assert.equal(calls.length, 40);
  assert.equal(calls[0]?.input?.length, 4096);
  assert.equal(calls.at(-1)?.input, undefined);
  assert.ok(JSON.stringify(calls).length < 100_000);
});
