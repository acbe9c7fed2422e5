import assert from 'node:assert/strict';
import test from 'node:test';
import type { Apps } from '../../src/emulator/apps.ts';
import { Scheduler, type SchedulerOptions } from '../../src/emulator/cron.ts';
import { TurnableClock } from '../../src/std/index.ts';
import { until } from '../until.ts';

/** A scheduler over one job; each look at it waits until it is let through. */
function aScheduler() {
  let schedule = '0 1 * * *';
  let change = () => {};
  const seen: string[] = [];
  const waiting: (() => void)[] = [];
  const source = {
    app: 'shop',
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
