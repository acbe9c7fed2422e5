import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { Scheduler, type SchedulerOptions } from '../../../src/emulator/jobs/cron.ts';
import { JobRunner } from '../../../src/emulator/jobs/runner.ts';
import { TurnableClock } from '../../../src/std/index.ts';
import { openWorkspace } from '../../../src/workspace/index.ts';
import { until } from '../../until.ts';

interface Config {
  readonly type: 'cron-job';
  readonly schedule: string;
  readonly timezone: string;
  readonly overlap: 'skip' | 'queue';
}

/** A scheduler over functions that the test names, on a real table of jobs; runs end when `invoke` resolves. */
async function aScheduler(
  t: TestContext,
  {
    list,
    invoke,
  }: { list: () => Promise<{ name: string; config: Config }[]>; invoke: (name: string) => Promise<void> },
) {
  const clock = new TurnableClock();
  clock.stop(Date.parse('2026-11-20T12:30:00Z'));
  const workspace = await openWorkspace({ file: ':memory:', slug: 'dev', baseUrl: () => 'http://127.0.0.1', clock });
  let change = () => {};
  const apps = {
    all: async () => [{ app: 'shop', version: 'local', list }],
    onChange(listener: () => void) {
      change = listener;
      return () => {};
    },
    isLive: async () => true,
    load: async (_app: string, name: string) => ({ name, config: { type: 'cron-job' } }),
  };
  const invoker = { invoke: ({ name }: { name: string }) => invoke(name) };
  const emit = (event: unknown) => assert.fail(JSON.stringify(event));
  const runner = new JobRunner({ workspace, clock, emit });
  const scheduler = new Scheduler({ apps, invoker, workspace, clock, runner, emit } as unknown as SchedulerOptions);
  t.after(async () => {
    scheduler.close();
    await runner.close();
    await workspace.close();
  });
  return { scheduler, runner, clock, workspace, change: () => change() };
}

const job = (schedule: string, overlap: 'skip' | 'queue' = 'skip') => ({
  name: 'job',
  config: { type: 'cron-job', schedule, timezone: 'UTC', overlap } as const,
});

test('a schedule that is saved while the schedules are read is read, too', async (t) => {
  let schedule = '0 1 * * *';
  const seen: string[] = [];
  const waiting: (() => void)[] = [];
  const { scheduler, change } = await aScheduler(t, {
    list: async () => {
      const read = schedule;
      await new Promise<void>((resolve) => waiting.push(resolve));
      seen.push(read);
      return [job(read)];
    },
    invoke: async () => assert.fail('a job ran'),
  });
  const letThrough = () => until('it looks', () => waiting.shift()).then((go) => go());
  const starting = scheduler.start();
  await until('it looks', () => waiting.length > 0);
  schedule = '* * * * *';
  change();
  const looked = scheduler.look();
  await letThrough();
  await starting;
  await letThrough();
  await looked;
  assert.deepEqual(seen, ['0 1 * * *', '* * * * *']);
});

test('a closed scheduler does not start', async (t) => {
  const { scheduler } = await aScheduler(t, {
    list: async () => assert.fail('it looked'),
    invoke: async () => assert.fail('a job ran'),
  });
  scheduler.close();
  await scheduler.start();
});

test('of a thousand jobs that fall due together at most 32 run at once, and each runs', async (t) => {
  const names = Array.from({ length: 1_000 }, (_, n) => `job-${n}`);
  const ran: string[] = [];
  let [running, most] = [0, 0];
  const { scheduler, runner, clock } = await aScheduler(t, {
    list: async () => names.map((name) => ({ ...job('0 * * * *'), name })),
    async invoke(name) {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      ran.push(name);
    },
  });
  await scheduler.look();
  clock.advance(3_600_000);
  assert.deepEqual(await runner.settled(), []);
  assert.deepEqual(ran.toSorted(), names.toSorted());
  assert.ok(most > 1 && most <= 32, `${most} at once`);
});

/** A scheduler at work, whose runs end when they are let go. */
async function aRunningScheduler(t: TestContext, overlap: 'skip' | 'queue') {
  let jobs: readonly string[] = ['0 * * * *'];
  const running: (() => void)[] = [];
  const { scheduler, runner, clock, workspace } = await aScheduler(t, {
    list: async () => jobs.map((schedule) => job(schedule, overlap)),
    invoke: () => new Promise<void>((resolve) => running.push(resolve)),
  });
  const planned = () => workspace.jobs.waiting('cron');
  t.after(() => {
    for (const end of running) end();
  });
  await scheduler.start();
  runner.start();
  return {
    scheduler,
    runner,
    running,
    planned,
    async change(...schedules: string[]) {
      jobs = schedules;
      await scheduler.look();
    },
    /** Resolves when the next job is planned, so that the one of this hour was looked at. */
    async hourLater() {
      clock.advance(3_600_000);
      await until('the next job', async () => (await planned()).some(({ due }) => due > clock.now()));
    },
    runs: () => until('it runs', () => running.length > 0),
  };
}

for (const [what, schedules] of [
  ['whose schedule is changed', [['30 * * * *']]],
  ['whose file is gone for a moment', [[], ['0 * * * *']]],
] as const) {
  test(`a job ${what} does not fire while the run before has not ended`, async (t) => {
    const { scheduler, running, runner, change, hourLater, runs } = await aRunningScheduler(t, 'skip');
    await hourLater();
    await runs();
    for (const changed of schedules) await change(...changed);
    await hourLater();
    assert.equal(scheduler.fired, 1);
    running.shift()?.();
    await runner.settled();
    await hourLater();
    await runs();
    assert.equal(scheduler.fired, 2);
    running.shift()?.();
  });
}

test('with overlap queue a job whose schedule is changed waits for the run before', async (t) => {
  const { scheduler, running, change, hourLater, runs } = await aRunningScheduler(t, 'queue');
  await hourLater();
  await runs();
  await change('30 * * * *');
  await hourLater();
  assert.equal(running.length, 1);
  running.shift()?.();
  await runs();
  assert.equal(scheduler.fired, 2);
  running.shift()?.();
});
