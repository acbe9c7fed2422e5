import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Outcome, Sandbox } from '../../src/sandbox/index.ts';
import { isHung } from '../../src/sandbox/pool/watch.ts';
import { aProgram, aRequest, aSandbox, echoHost } from './support/sandbox.ts';
import { starve } from './support/starve.ts';

const busy = 'let n = 0; for (const end = 2_000_000; n < end; n++); ';

/** A sandbox whose one child gets some milliseconds out of every `everyMs`. */
async function aStarvedSandbox(
  everyMs: number,
  runMs?: number,
): Promise<{ sandbox: Sandbox; problems: string[]; feed(): void }> {
  const problems: string[] = [];
  const sandbox = aSandbox({ processes: 1, onProblem: ({ message }) => problems.push(message) });
  await sandbox.ready;
  return { sandbox, problems, feed: starve(sandbox.stats().children[0]?.pid ?? 0, everyMs, runMs) };
}

function statusOf(outcome: Outcome): string {
  return outcome.status === 'ok' ? 'ok' : outcome.error.message;
}

// Each has a child of its own, and hardly runs: they do not disturb each other.
suite('a busy machine', { concurrency: true }, () => {
  test('a child that is not run for longer than a silent one may live is not taken for a hanging one', async () => {
    const { sandbox, problems, feed } = await aStarvedSandbox(100);
    feed();
    const pid = sandbox.stats().children[0]?.pid ?? 0;
    const asked = Promise.withResolvers<void>();
    const awake = Promise.withResolvers<void>();
    const running = sandbox.invoke(aProgram('await sdk.call("x"); return "healthy";'), aRequest(), {
      ...echoHost,
      call: async () => {
        asked.resolve();
        await awake.promise;
        return { ok: 1 };
      },
    });
    await asked.promise;
    process.kill(pid, 'SIGSTOP');
    // Longer than limits.silentChildMs: there is no other way to be silent for so long than to be.
    await new Promise((done) => setTimeout(done, 6_000));
    awake.resolve();
    process.kill(pid, 'SIGCONT');
    assert.deepEqual([statusOf(await running), sandbox.stats().killed, problems], ['ok', 0, []]);
  });

  test('on a starved machine healthy functions succeed, and their time limit counts from their own start', async () => {
    const { sandbox, problems } = await aStarvedSandbox(350, 8);
    const outcomes = await Promise.all(
      Array.from({ length: 3 }, (_, i) =>
        sandbox.invoke(
          aProgram(`${busy}return ${i};`, { name: `busy-${i}` }),
          aRequest({ limits: { wallMs: 300 } }),
          echoHost,
        ),
      ),
    );
    assert.deepEqual([outcomes.map(statusOf), problems], [['ok', 'ok', 'ok'], []]);
  });

  test('an isolate that is slow to stop because nothing runs does not take its child along', async () => {
    const { sandbox, problems } = await aStarvedSandbox(60);
    const begun = Promise.withResolvers<void>();
    const innocent = sandbox.invoke(
      aProgram('await sdk.call("x"); return "innocent";', { name: 'innocent' }),
      aRequest({ limits: { wallMs: 20_000 } }),
      {
        ...echoHost,
        call: async () => {
          begun.resolve();
          const looping = aProgram('for (;;) {}', { name: 'looping' });
          const outcome = await sandbox.invoke(looping, aRequest({ limits: { wallMs: 50 } }), echoHost);
          return { ok: outcome.status };
        },
      },
    );
    await begun.promise;
    assert.deepEqual([statusOf(await innocent), sandbox.stats().killed, problems], ['ok', 0, []]);
  });

  test('a replaced program whose isolate is slow to go harms nobody', async () => {
    const { sandbox, problems } = await aStarvedSandbox(60);
    // Its isolate is being made when it is replaced.
    const old = aProgram('return "old";', { top: busy, name: 'old' });
    sandbox.warm(old);
    const other = sandbox.invoke(aProgram('return "other";', { name: 'other' }), aRequest(), echoHost);
    sandbox.retire(old.id);
    assert.deepEqual([statusOf(await other), sandbox.stats().killed, problems], ['ok', 0, []]);
  });
});

test('silence is judged by the CPU that the child used meanwhile', () => {
  assert.equal(isHung(4_900, 4_900), false);
  assert.equal(isHung(5_000, 5_000), true);
  assert.equal(isHung(20_000, 100), false);
  assert.equal(isHung(20_000, undefined), false);
  assert.equal(isHung(30_000, 0), true);
});
