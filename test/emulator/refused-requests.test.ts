import assert from 'node:assert/strict';
import test from 'node:test';
import type { EmulatorEvent } from '../../src/emulator/index.ts';
import { anEmulator, method, token } from './an-emulator.ts';

const { url, events } = await anEmulator({
  functions: {
    'api/pay': method('return new Response(null, { status: 401 });', ['POST'], {
      input: { type: 'object', required: ['amount'] },
    }),
    'api/throws': method('throw new Error("broken");'),
  },
});

const own = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

/** The events of one request. */
async function eventsOf(path: string, init: RequestInit): Promise<EmulatorEvent[]> {
  const before = events.length;
  await (await fetch(`${url}${path}`, init)).arrayBuffer();
  await new Promise((resolve) => setImmediate(resolve)); // an invocation is recorded in the turn after its answer
  return events.slice(before);
}

async function refusalOf(path: string, init: RequestInit): Promise<string | undefined> {
  const [event, ...others] = await eventsOf(path, init);
  assert.deepEqual(others, []);
  return event?.type === 'refused' ? `${event.request.method} ${event.error.status} ${event.error.code}` : event?.type;
}

test('a request that is refused before its function runs is reported with the reason', async () => {
  const post = { method: 'POST', headers: own, body: '{"amount":1}' };
  const pay = '/api/dev/custom-functions/shop/api/pay.js';
  assert.equal(await refusalOf(pay, { headers: own }), 'GET 405 function_method_not_allowed');
  assert.equal(await refusalOf(pay, { method: 'POST' }), 'POST 401 token_missing');
  assert.equal(await refusalOf(pay, { ...post, body: '{}' }), 'POST 422 function_input_invalid');
  assert.equal(await refusalOf(pay, { ...post, body: '{' }), 'POST 400 body_invalid');
  assert.equal(await refusalOf(pay.replace('pay', 'pya'), post), 'POST 404 function_not_found');
  assert.equal(await refusalOf(pay.replace('dev', 'acme'), post), 'POST 404 workspace_unknown');
  assert.equal(await refusalOf(pay.slice('/api/dev'.length), post), 'POST 404 route_unknown');
  assert.equal(
    await refusalOf(pay, { ...post, headers: { ...own, origin: 'https://a.example' } }),
    'POST 403 request_foreign',
  );
});

test('an answer that the function gave itself is an invocation with its HTTP status, not a refusal', async () => {
  const [event, ...others] = await eventsOf('/api/dev/custom-functions/shop/api/pay.js', {
    method: 'POST',
    headers: own,
    body: '{"amount":1}',
  });
  assert.deepEqual(others, []);
  assert.equal(event?.type === 'invoked' && event.httpStatus, 401);
});

test('a function that throws is an invocation, not a refusal', async () => {
  const path = '/api/dev/custom-functions/shop/api/throws.js';
  const kinds = await eventsOf(path, { method: 'POST', headers: own, body: '{}' });
  assert.deepEqual(
    kinds.map(({ type }) => type),
    ['invoked'],
  );
});

test('refusals of other addresses are told to their caller only', async () => {
  assert.deepEqual(await eventsOf('/api/dev/customers/cus_none', { headers: own }), []);
  assert.deepEqual(await eventsOf('/api/dev/nothing', { headers: own }), []);
});
