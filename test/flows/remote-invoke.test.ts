import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runFn } from '../cli/context.ts';
import { json, weather } from '../client/server.ts';
import { anApp } from '../deploy/elsewhere.ts';

test('a function that runs elsewhere may go on after Ctrl-C, and the exit code says so', async () => {
  const folder = anApp({});
  const stopping = new AbortController();
  const workspace = await weather(({ method }, response, socket) => {
    if (method === 'GET') return json(response, 200, { items: [{ name: 'api/greet' }], nextCursor: null });
    stopping.abort();
    socket.destroy();
  });
  const env = { FN_BASE_URL: workspace.url, FN_WORKSPACE: 'acme', FN_TOKEN: 'tok-of-this-test' };
  const argv = ['invoke', 'greet', '--remote', '--json'];
  const { exitCode, out, err } = await runFn(argv, { cwd: folder, env, signal: stopping.signal });
  assert.equal(exitCode, 8, err);
  assert.equal(JSON.parse(err).error.code, 'outcome_unknown');
  assert.equal(out, '');
  await workspace.close();
});
