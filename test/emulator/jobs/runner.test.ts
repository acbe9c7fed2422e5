import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Ended, JobRunner } from '../../../src/emulator/jobs/runner.ts';
import { TurnableClock } from '../../../src/std/index.ts';
import { type Job, openWorkspace } from '../../../src/workspace/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../../until.ts';

const noon = Date.parse('2026-11-20T12:00:00Z');
const done: Ended = { end: { state: 'done' } };

async function aRunner(t: TestContext, run: (job: Job) => Promise<Ended>, file = ':memory:') {
  const clock = new TurnableClock();
  clock.stop(noon);
  const workspace = await openWorkspace({ file, slug: 'dev', baseUrl: () => 'http://127.0.0.1', clock });
  const problems: string[] = [];
  const runner = new JobRunner({
    workspace,
    clock,
    emit: (event) => {
      if (event.type === 'problem') problems.push(event.code);
    },
  });
  runner.register('expiry', { maxAtOnce: 4, run });
  const close = async () => {
    await runner.close();
    await workspace.close();
  };
  t.after(close);
  return { runner, clock, jobs: workspace.jobs, problems, close, set: async (ms: number) => clock.stop(ms) };
}

const expiry = (name: string, due = noon) => ({ kind: 'expiry' as const, due, payload: { name } });

test('a commit that enqueues wakes the runner', async (t) => {
  const ran: unknown[] = [];
  const { runner, jobs } = await aRunner(t, async ({ payload }) => {
    ran.push(payload['name']);
    return done;
  });
  runner.start();
  await jobs.enqueue([expiry('a')]);
  await until('it runs', () => ran.length === 1);
});

test('a turned clock makes due what it passes', async (t) => {
  const ran: unknown[] = [];
  const { runner, jobs, clock } = await aRunner(t, async ({ payload }) => {
    ran.push(payload['name']);
    return done;
  });
  runner.start();
  await jobs.enqueue([expiry('tomorrow', noon + 86_400_000)]);
  assert.deepEqual(ran, []);
  clock.advance(86_400_000);
  await until('it runs', () => ran.length === 1);
});

test('a turn goes from due time to due time, and what a job leads to is part of it', async (t) => {
  const ran: [unknown, number][] = [];
  const { runner, jobs, clock, set } = await aRunner(t, async ({ payload, due }) => {
    ran.push([payload['name'], clock.now() - noon]);
    return payload['name'] === 'a' ? { ...done, next: [expiry('led to', due + 500)] } : done;
  });
  await jobs.enqueue([expiry('b', noon + 2000), expiry('a', noon + 1000), expiry('beyond', noon + 10_001)]);
  assert.deepEqual(await runner.turn(noon + 10_000, set), { stillRunning: false });
  assert.equal(clock.now(), noon + 10_000);
  assert.deepEqual(ran, [
    ['a', 1000],
    ['led to', 1500],
    ['b', 2000],
  ]);
});

test('a worker that throws ends its job as failed, with the stack kept, and is reported once', async (t) => {
  const { runner, jobs, problems } = await aRunner(t, async () => {
    throw new Error('a bug');
  });
  runner.start();
  await jobs.enqueue([expiry('a')]);
  await until('the problem', () => problems.length > 0);
  assert.deepEqual(await runner.settled(), []);
  assert.deepEqual(problems, ['job_failed']);
});

test('settled names what still runs after its limit', async (t) => {
  let end = () => {};
  const { runner, jobs } = await aRunner(t, async () => {
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    return done;
  });
  runner.start();
  const [job] = await jobs.enqueue([expiry('a')]);
  assert.deepEqual(await runner.settled(50), [`expiry ${job?.id}`]);
  end();
  assert.deepEqual(await runner.settled(), []);
});

test('what had not ended when the workspace stopped runs again at the next start, with a higher epoch', async (t) => {
  const file = join(temporaryFolder('jobs'), 'workspace.db');
  const begun: Job[] = [];
  const first = await aRunner(
    t,
    async (job) => {
      begun.push(job);
      return new Promise<Ended>(() => {});
    },
    file,
  );
  first.runner.start();
  await first.jobs.enqueue([expiry('a')]);
  await until('it runs', () => begun.length === 1);
  await first.close();
  const second = await aRunner(
    t,
    async (job) => {
      begun.push(job);
      return done;
    },
    file,
  );
  second.runner.start();
  await until('it runs again', () => begun.length === 2);
  assert.deepEqual(
    begun.map(({ id, epoch, attempt }) => ({ id, epoch, attempt })),
    [1, 2].map((epoch) => ({ id: begun[0]?.id, epoch, attempt: 0 })),
  );
});
