import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App } from '../../flows/app.ts';
import { runFn } from '../context.ts';

const nightly = {
  nodes: {
    start: { type: 'trigger', on: 'manual', next: 'which' },
    which: {
      type: 'condition',
      branches: [{ if: { field: 'input.day', op: 'eq', value: '2026-11-20' }, next: 'pause' }],
      else: 'end',
    },
    pause: { type: 'wait', for: 'time', duration: '1h', next: 'end' },
    end: { type: 'end' },
  },
};
const app = new App({ 'flows/nightly.json': JSON.stringify(nightly), 'day.json': '{"day":"2026-11-20"}' });
const flow = (argv: readonly string[], input = '') =>
  runFn(['flow', ...argv], { cwd: app.root, env: { HOME: app.root }, input });

for (const [given, input] of [
  ['{"day":"2026-11-20"}', ''],
  ['@day.json', ''],
  ['@-', '{"day":"2026-11-20"}'],
] as const) {
  test(`fn flow run takes its input as ${given}`, async () => {
    const { exitCode, out, err } = await flow(['run', 'nightly', '-d', given, '--json'], input);
    assert.equal(exitCode, 0, err);
    const run = JSON.parse(out);
    assert.deepEqual([run.status, run.node], ['waiting', 'pause']);
  });
}

test('an input of fn flow run that is no JSON is refused as everywhere', async () => {
  const { exitCode, err } = await flow(['run', 'nightly', '-d', '{day}', '--json']);
  assert.equal(exitCode, 2);
  assert.match(JSON.parse(err).error.message, /^--data is not valid JSON: /);
});

test('fn flow show names the ways out of a node as the drawing does', async () => {
  const { out } = await flow(['show', 'nightly']);
  assert.match(out, /^which +condition +input\.day = 2026-11-20: pause, else: end$/m);
  assert.match(out, /^pause +wait +end$/m);
});
