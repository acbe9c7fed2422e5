import assert from 'node:assert/strict';
import test from 'node:test';
import { aProgram, aRequest, aSandbox, echoHost } from './support/sandbox.ts';

test('whenever children die, every invocation still ends, and later ones run', { timeout: 60_000 }, async (t) => {
  const sandbox = aSandbox();
  await sandbox.ready;
  const programs = Array.from({ length: 6 }, (_, i) =>
    aProgram(`await sdk.call("x"); return ${i};`, { name: `p${i}` }),
  );
  let killed = 0;
  const killer = setInterval(() => {
    const children = sandbox.stats().children;
    const victim = children[killed % children.length];
    if (killed < 12 && victim) process.kill(victim.pid, 'SIGKILL');
    killed++;
  }, 60);
  const statuses = new Map<string, number>();
  t.after(() => clearInterval(killer));
  await Promise.all(
    Array.from({ length: 8 }, async (_, i) => {
      while (killed < 14) {
        for (const isolation of ['fresh', 'warm'] as const) {
          const program = programs[(i + killed) % programs.length];
          assert.ok(program);
          const { status } = await sandbox.invoke(program, aRequest({ isolation }), echoHost);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }
    }),
  );
  clearInterval(killer);
  assert.deepEqual(
    [...statuses.keys()].filter((status) => status !== 'ok' && status !== 'crashed'),
    [],
  );
  for (const program of programs) assert.equal((await sandbox.invoke(program, aRequest(), echoHost)).status, 'ok');
  assert.equal(sandbox.stats().queued, 0);
});
