import assert from 'node:assert/strict';
import test from 'node:test';
import { Scheduler, type SchedulerOptions } from '../../../src/emulator/jobs/cron.ts';
import type { Apps } from '../../../src/emulator/sources/apps.ts';
import { TurnableClock } from '../../../src/std/index.ts';
import { until } from '../../until.ts';

/** A scheduler over one job; each look at it waits until it is let through. */
function aScheduler() {
  let schedule = '0 1 * * *';
  let change = () => {};
  const seen: string[] = [];
  const waiting: (() => void)[] = [];
  const source = {
    app: 'shop',
    version: 'local',
    list: async () => {
      const read = schedule;
      await new Promise<void>((resolve) => waiting.push(resolve));
      seen.push(read);
      return [
        { name: 'job', path: 'job.js', config: { type: 'cron-job', schedule: read, timezone: 'UTC', overlap: 'skip' } },
      ];
    },
  };
  const apps = {
    all: async () => [source],
    onChange(listener: () => void) {
      change = listener;
      return () => {};
    },
  } as unknown as Apps;
  const options = { apps, clock: new TurnableClock(), emit: assert.fail } as unknown as SchedulerOptions;
  return {
    scheduler: new Scheduler(options),
    seen,
    save(next: string) {
      schedule = next;
      change();
    },
    looks: () => until('it looks', () => waiting.length > 0),
    letThrough: () => until('it looks', () => waiting.shift()).then((go) => go()),
  };
}

test('a schedule that is saved while the schedules are read is read, too', async (t) => {
  const { scheduler, seen, save, looks, letThrough } = aScheduler();
  t.after(() => scheduler.close());
  const starting = scheduler.start();
  await looks();
  save('* * * * *');
  const looked = scheduler.look();
  await letThrough();
  await starting;
  await letThrough();
  await looked;
  assert.deepEqual(seen, ['0 1 * * *', '* * * * *']);
});

test('what is closed does not start any more', async () => {
  const { scheduler, seen } = aScheduler();
  scheduler.close();
  await scheduler.start();
  assert.deepEqual(seen, []);
});

test('of a thousand jobs that fall due together some run at once, and each runs', async (t) => {
  const clock = new TurnableClock();
  clock.stop(Date.parse('2026-11-20T12:30:00Z'));
  const config = { type: 'cron-job', schedule: '0 * * * *', timezone: 'UTC', overlap: 'skip' };
  const names = Array.from({ length: 1_000 }, (_, n) => `job-${n}`);
  const list = async () => names.map((name) => ({ name, path: `${name}.js`, config }));
  const apps = {
    all: async () => [{ app: 'shop', version: 'local', list }],
    onChange: () => () => {},
    load: async (_app: string, name: string) => ({ name, config }),
  };
  const ran: string[] = [];
  let [running, most] = [0, 0];
  const invoker = {
    async invoke({ name }: { name: string }) {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      ran.push(name);
    },
  };
  const workspace = { call: async () => ({ items: [] }) };
  const options = { apps, clock, invoker, workspace, emit: assert.fail } as unknown as SchedulerOptions;
  const scheduler = new Scheduler(options);
  t.after(() => scheduler.close());
  await scheduler.look();
  clock.advance(3_600_000);
  assert.equal(await scheduler.turned(), 1_000);
  assert.deepEqual(ran.toSorted(), names.toSorted());
  assert.ok(most > 1 && most <= 32, `${most} at once`);
});

/** A scheduler whose runs end when they are let go. */
function aRunningScheduler(overlap: 'skip' | 'queue') {
  const clock = new TurnableClock();
  clock.stop(Date.parse('2026-11-20T12:30:00Z'));
  let jobs = ['0 * * * *'];
  const list = async () =>
    jobs.map((schedule) => ({
      name: 'job',
      path: 'job.js',
      config: { type: 'cron-job', schedule, timezone: 'UTC', overlap },
    }));
  const apps = {
    all: async () => [{ app: 'shop', version: 'local', list }],
    onChange: () => () => {},
    load: async () => ({ name: 'job', config: { type: 'cron-job' } }),
  };
  const running: (() => void)[] = [];
  const invoker = { invoke: () => new Promise<void>((resolve) => running.push(resolve)) };
  const workspace = { call: async () => ({ items: [] }) };
  const options = { apps, clock, invoker, workspace, emit: assert.fail } as unknown as SchedulerOptions;
  const scheduler = new Scheduler(options);
  return {
    scheduler,
    running,
    async change(...schedules: string[]) {
      jobs = schedules;
      await scheduler.look();
    },
    hourLater() {
      clock.advance(3_600_000);
      return scheduler.turned();
    },
    runs: () => until('it runs', () => running.length > 0),
  };
}

for (const [what, schedules] of [
  ['whose schedule is changed', [['30 * * * *']]],
  ['whose file is gone for a moment', [[], ['0 * * * *']]],
] as const) {
  test(`a job ${what} does not fire while the run before has not ended`, async (t) => {
    const { scheduler, running, change, hourLater, runs } = aRunningScheduler('skip');
    t.after(() => scheduler.close());
    await change('0 * * * *');
    const first = hourLater();
    await runs();
    for (const changed of schedules) await change(...changed);
    assert.equal(await hourLater(), 0);
    running.shift()?.();
    assert.equal(await first, 1);
    const next = hourLater();
    await runs();
    running.shift()?.();
    assert.equal(await next, 1);
  });
}

test('with overlap queue a job whose schedule is changed waits for the run before', async (t) => {
  const { scheduler, running, change, hourLater, runs } = aRunningScheduler('queue');
  t.after(() => scheduler.close());
  await change('0 * * * *');
  const first = hourLater();
  await runs();
  await change('30 * * * *');
  const second = hourLater();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(running.length, 1);
  running.shift()?.();
  await first;
  await runs();
  running.shift()?.();
  assert.equal(await second, 1);
});
