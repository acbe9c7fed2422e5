import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { limits } from '../../../src/contract/index.ts';
import { TurnableClock } from '../../../src/std/index.ts';
import { type FreeWorkers, type JobSpec, openWorkspace, type Workspace } from '../../../src/workspace/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const noon = Date.parse('2026-11-20T12:00:00Z');

async function aTableOfJobs(t: TestContext, file = ':memory:', clock = new TurnableClock()) {
  if (clock.stoppedAtMs === undefined) clock.stop(noon);
  const workspace = await openWorkspace({ file, slug: 'dev', baseUrl: () => 'http://127.0.0.1', clock });
  t.after(() => workspace.close());
  return { workspace, clock, jobs: workspace.jobs };
}

const workers = (kind: FreeWorkers['kind'], free = 32): FreeWorkers[] => [{ kind, free }];
const delivery = (name: string, more: Partial<JobSpec> = {}): JobSpec => ({
  kind: 'delivery',
  payload: { name },
  ...more,
});

async function claimedNames({ jobs }: Pick<Workspace, 'jobs'>, free = 32) {
  return (await jobs.claim(workers('delivery', free))).map(({ payload }) => payload['name']);
}

test('due jobs are claimed once, in the order in which they are due', async (t) => {
  const { workspace, jobs } = await aTableOfJobs(t);
  await jobs.enqueue([delivery('later', { due: noon - 1 }), delivery('first', { due: noon - 2 }), delivery('now')]);
  await jobs.enqueue([delivery('not yet', { due: noon + 1 })]);
  assert.deepEqual(await claimedNames(workspace), ['first', 'later', 'now']);
  assert.deepEqual(await claimedNames(workspace), []);
});

test('at most 32 jobs are claimed at once, and no more than there are free workers', async (t) => {
  const { workspace, jobs } = await aTableOfJobs(t);
  await jobs.enqueue(Array.from({ length: 40 }, (_, n) => delivery(`${n}`)));
  assert.equal((await claimedNames(workspace, 3)).length, 3);
  assert.equal((await claimedNames(workspace, 100)).length, 32);
});

test('jobs of another kind are left', async (t) => {
  const { jobs } = await aTableOfJobs(t);
  await jobs.enqueue([delivery('a'), { kind: 'expiry', payload: {} }]);
  assert.deepEqual(
    (await jobs.claim(workers('expiry'))).map(({ kind }) => kind),
    ['expiry'],
  );
});

test('jobs of a lane run one after another, in the order in which they were enqueued', async (t) => {
  const { jobs, workspace } = await aTableOfJobs(t);
  await jobs.enqueue(['a', 'b', 'c'].map((name) => delivery(name, { lane: 'one' })));
  await jobs.enqueue([delivery('other', { lane: 'two' })]);
  for (const expected of [['a', 'other'], ['b'], ['c']]) {
    const claimed = await jobs.claim(workers('delivery'));
    assert.deepEqual(
      claimed.map(({ payload }) => payload['name']),
      expected,
    );
    for (const job of claimed) assert.equal(await jobs.finish(job, { state: 'done' }), true);
  }
  assert.deepEqual(await claimedNames(workspace), []);
});

test('a job that is tried again holds its lane until it lets go', async (t) => {
  const { jobs, workspace, clock } = await aTableOfJobs(t);
  await jobs.enqueue(['a', 'b', 'c'].map((name) => delivery(name, { lane: 'one' })));
  const [first] = await jobs.claim(workers('delivery'));
  assert.ok(first);
  await jobs.finish(first, { state: 'waiting', due: noon + 1000 });
  assert.deepEqual(await claimedNames(workspace), []);
  clock.advance(1000);
  const [again] = await jobs.claim(workers('delivery'));
  assert.ok(again);
  assert.equal(again.attempt, 1);
  await jobs.finish(again, { state: 'waiting', due: noon + 5000, holdsLane: false });
  assert.deepEqual(await claimedNames(workspace), ['b']);
  clock.advance(10_000);
  assert.deepEqual(await claimedNames(workspace), ['a']);
});

test('a removed job lets the next one of its lane run', async (t) => {
  const { jobs, workspace } = await aTableOfJobs(t);
  const [a] = await jobs.enqueue([delivery('a', { lane: 'one', due: noon + 1 }), delivery('b', { lane: 'one' })]);
  assert.ok(a);
  await jobs.remove([a.id]);
  assert.deepEqual(await claimedNames(workspace), ['b']);
});

test('of a group no more run than it may', async (t) => {
  const { jobs } = await aTableOfJobs(t);
  await jobs.enqueue(Array.from({ length: 10 }, (_, n) => delivery(`a${n}`, { group: 'a' })));
  await jobs.enqueue([delivery('b0', { group: 'b' })]);
  const claim = (running: [string, number][]) =>
    jobs.claim([{ kind: 'delivery', free: 32, groups: { most: 4, running: new Map(running) } }]);
  const names = (claimed: { payload: object }[]) => claimed.map(({ payload }) => (payload as { name: string }).name);
  assert.deepEqual(names(await claim([['a', 2]])), ['a0', 'a1', 'b0']);
  assert.deepEqual(names(await claim([['a', 4]])), []);
});

test('a key names one job while it waits or runs, and for 24 h after its end', async (t) => {
  const { jobs, clock } = await aTableOfJobs(t);
  const once = () => jobs.enqueue([delivery('a', { key: 'k' })]).then(([job]) => job);
  const made = await once();
  assert.equal(made?.created, true);
  assert.deepEqual(await once(), { id: made?.id, created: false });
  const [job] = await jobs.claim(workers('delivery'));
  assert.ok(job);
  assert.deepEqual(await once(), { id: made?.id, created: false });
  await jobs.finish(job, { state: 'done' });
  clock.advance(24 * 3_600_000 - 1);
  assert.deepEqual(await once(), { id: made?.id, created: false });
  clock.advance(1);
  assert.equal((await once())?.created, true);
});

test('what a job leads to is enqueued with its end, in its trace', async (t) => {
  const { jobs } = await aTableOfJobs(t);
  await jobs.enqueue([delivery('a')]);
  const [job] = await jobs.claim(workers('delivery'));
  assert.ok(job);
  await jobs.finish(job, { state: 'done' }, [delivery('b')]);
  const [next] = await jobs.claim(workers('delivery'));
  assert.equal(next?.payload['name'], 'b');
  assert.equal(next?.trace.traceId, job.trace.traceId);
  assert.equal(next?.causeId, job.id);
});

test('a worker whose lease is lost changes nothing', async (t) => {
  const file = join(temporaryFolder('jobs'), 'workspace.db');
  const first = await aTableOfJobs(t, file);
  await first.jobs.enqueue([delivery('a')]);
  const [lost] = await first.jobs.claim(workers('delivery'));
  assert.ok(lost);
  await first.workspace.close();
  const { jobs } = await aTableOfJobs(t, file);
  const [own] = await jobs.claim(workers('delivery'));
  assert.equal(own?.id, lost.id);
  assert.ok(own);
  assert.equal(await jobs.finish(lost, { state: 'done' }, [delivery('b')]), false);
  assert.deepEqual(await jobs.waiting('delivery'), []);
  assert.equal(await jobs.finish(own, { state: 'done' }), true);
});

test('a payload of more than 64 KiB is refused', async (t) => {
  const { jobs } = await aTableOfJobs(t);
  await assert.rejects(jobs.enqueue([delivery('x'.repeat(limits.jobs.payloadBytes))]), { code: 'body_too_large' });
});

test('when the clock is turned back a delay stays as long, and a moment stays where it is', async (t) => {
  const { jobs, clock } = await aTableOfJobs(t);
  await jobs.enqueue([
    delivery('delay', { due: noon + 60_000 }),
    delivery('moment', { due: noon + 60_000, fixed: true }),
  ]);
  clock.advance(-3_600_000);
  await jobs.shift(-3_600_000);
  assert.equal(await jobs.nextDue(['delivery']), noon - 3_540_000);
  assert.deepEqual(
    (await jobs.waiting('delivery')).map(({ due }) => due),
    [noon - 3_540_000, noon + 60_000],
  );
});

test('listeners hear of jobs after the commit', async (t) => {
  const { jobs } = await aTableOfJobs(t);
  let heard = 0;
  jobs.onChange(() => heard++);
  await jobs.enqueue([delivery('a'), delivery('b')]);
  assert.equal(heard, 1);
});
