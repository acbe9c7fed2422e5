import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../until.ts';
import { App } from './app.ts';

test('a call of a tool that a kill has cut says after the restart that nobody knows whether it was done', async () => {
  const app = new App({
    'functions/slow.js': `export const config = { type: 'ai-tool', name: 'slow', description: 'Takes long', input: { type: 'object' } };
export default () => new Promise((resolve) => setTimeout(resolve, 25_000));`,
  });
  const logs = async () => JSON.parse((await app.fn(['tool', 'logs', '--json'])).out).items;
  const first = await app.dev();
  const calling = app.fn(['tool', 'call', 'slow']);
  await until('the call runs', async () => (await logs())[0]?.status === 'running');
  first.child.kill('SIGKILL');
  await Promise.all([first.ended, calling]);

  const second = await app.dev();
  await until('the call has ended', async () => (await logs())[0]?.status === 'error');
  const [call] = await logs();
  assert.equal(call.error?.code, 'tool_outcome_unknown', JSON.stringify(call));
  assert.match(call.error.message, /The workspace was stopped during the call/);
  const { out } = await app.fn(['event', 'list', '--type', 'aiTool.failed', '--json']);
  assert.equal(JSON.parse(out).items.length, 1);
  second.child.kill();
  await second.ended;
});
