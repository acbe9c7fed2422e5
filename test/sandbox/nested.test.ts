import assert from 'node:assert/strict';
import test from 'node:test';
import type { Host, Outcome } from '../../src/sandbox/index.ts';
import { aProgram, aRequest, aSandbox } from './support/sandbox.ts';

test('a function that calls itself three times at each level is refused what is too much, and harms nobody', async () => {
  const problems: string[] = [];
  const sandbox = aSandbox({ onProblem: ({ code }) => problems.push(code) });
  const program = aProgram(`
    const answers = await Promise.all([1, 2, 3].map(() => sdk.call('again').catch((error) => error.code)));
    return answers.flat();`);
  let most = 0;
  const run = (depth: number): Promise<Outcome> => {
    const host: Host = {
      call: async () => {
        const outcome = await run(depth + 1);
        most = Math.max(most, ...sandbox.stats().children.map(({ isolates }) => isolates));
        return outcome.status === 'ok'
          ? { ok: outcome.result }
          : { error: { code: outcome.error.code, status: 503, message: outcome.error.message } };
      },
      fetch: () => Promise.reject(new Error('no network here')),
    };
    return sandbox.invoke(program, { ...aRequest({ limits: { wallMs: 60_000 } }), depth }, host);
  };
  const outcome = await run(0);
  assert.equal(outcome.status, 'ok');
  const codes = new Set(outcome.status === 'ok' ? (outcome.result as string[]) : []);
  assert.deepEqual(
    [...codes].filter((code) => code !== 'function_busy' && code !== 'function_depth'),
    [],
  );
  assert.ok(codes.has('function_busy'));
  assert.ok(most <= 90, `${most} isolates`);
  assert.deepEqual(problems, []);
});
