import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFaultless, killWhileDelivering } from '../../bench/faults/webhooks.ts';
import { until } from '../until.ts';
import { App, aMethod } from './app.ts';

test('a function that enqueues itself ten times over three kills ends exactly ten steps further', async () => {
  const app = new App({
    'functions/start.js': aMethod("sdk.methods.enqueue('step', { left: 10 })"),
    'functions/steps.js': aMethod("sdk.store.get('steps')"),
    'functions/step.js': `
export const config = { type: 'server-side-method', expose: false };
export default async (sdk) => {
  const { left } = await sdk.request.json();
  await sdk.store.increment('steps');
  await new Promise((resolve) => setTimeout(resolve, 30));
  if (left > 1) await sdk.methods.enqueue('step', { left: left - 1 });
};
`,
  });
  let dev = await app.dev();
  const port = new URL(dev.ready.url).port;
  await dev.get('start');
  const steps = async () => Number((await dev.get('steps')).body ?? 0);
  for (const at of [1, 4, 7]) {
    await until(`step ${at}`, async () => (await steps()) >= at);
    dev.child.kill('SIGKILL');
    await dev.ended;
    dev = await app.dev('--port', port);
  }
  const states = async () => {
    const headers = { authorization: `Bearer ${dev.ready.token}` };
    const response = await fetch(`${dev.ready.url}/api/dev/jobs?kind=invocation`, { headers });
    return ((await response.json()) as { items: { state: string }[] }).items.map(({ state }) => state);
  };
  await until('the end', async () => (await states()).filter((state) => state === 'done').length >= 10);
  assert.deepEqual(
    await states(),
    Array.from({ length: 10 }, () => 'done'),
  );
  assert.equal(await steps(), 10);
  await dev.stop();
});

// A smaller version of bench/faults/webhooks.ts, with a fixed seed.
test('of the events of a server that is killed none is lost, out of order or badly signed', async () => {
  const faults = await killWhileDelivering(3, 120, 42, 2);
  assert.ok(isFaultless(faults), JSON.stringify(faults));
  assert.deepEqual([faults.kills, faults.messages], [3, 120]);
  assert.ok(faults.failedByPlan > 0 && faults.arrived >= 360);
});
