import assert from 'node:assert/strict';
import { DatabaseSync, type SQLInputValue, StatementSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { aWorkspace, functionOf } from './support.ts';

const desk = functionOf('desk');

/** How SQLite reads the tables for the statements that `work` prepares. */
async function plansOf(t: TestContext, work: () => Promise<unknown>): Promise<string[]> {
  const prepare = t.mock.method(DatabaseSync.prototype, 'prepare');
  await work();
  const prepared = prepare.mock.calls.map((call) => ({ db: call.this as DatabaseSync, sql: call.arguments[0] }));
  prepare.mock.restore();
  return prepared
    .filter(({ sql }) => /^select/i.test(sql))
    .flatMap(({ db, sql }) => {
      const values: SQLInputValue[] = Array.from(sql.matchAll(/\?/g), () => 1);
      return db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
    })
    .map(({ detail }) => String(detail));
}

/** How often statements like this are run while `work` does. */
async function runsOf(t: TestContext, like: RegExp, work: () => Promise<unknown>): Promise<number> {
  const all = t.mock.method(StatementSync.prototype, 'all');
  await work();
  const count = all.mock.calls.filter((call) => like.test((call.this as StatementSync).sourceSQL)).length;
  all.mock.restore();
  return count;
}

test('the conversations of a customer are found without walking through the inbox', async (t) => {
  const { call } = await aWorkspace(t);
  const ofCustomer = await plansOf(t, async () => {
    for (const more of [{}, { inbox: 'all' }, { status: 'open' }] as const)
      await call('conversations.list', { customerId: 'cus_1', ...more });
  });
  const reads = ofCustomer.filter((plan) => !plan.includes('TEMP B-TREE'));
  assert.equal(reads.length, 3);
  for (const plan of reads) assert.match(plan, /^SEARCH conversation USING INDEX \w+ \(customer_id=\?\)$/);
  const plans = await plansOf(t, () => call('conversations.list', {}));
  assert.deepEqual(plans, ['SEARCH conversation USING INDEX conversation_inbox (inbox=?)']);
});

test('a page of a long list is read in its order, not sorted out of all', async (t) => {
  const { call } = await aWorkspace(t, { seed: { channels: [{ kind: 'sms', name: 'Texts' }] } });
  const { conversationId } = await call('messages.receive', { phone: '+4930901820', text: 'Hi' });
  const pages = {
    customers: () => call('customers.list', { search: 'ann' }),
    conversations: () => call('conversations.list', { inbox: 'all' }),
    messages: () => call('messages.list', { conversationId }),
    'newest messages': () => call('messages.list', { conversationId, order: 'desc' }),
    invocations: () => call('invocations.list', {}),
    'invocations of an app': () => call('invocations.list', { app: 'desk' }),
    'failures of an app': () => call('invocations.list', { app: 'desk', status: 'error' }),
    'invocations of a function': () => call('invocations.list', { app: 'desk', function: 'a' }),
    deployments: () => call('deployments.list', { app: 'desk' }),
    store: () => call('store.list', { prefix: 'a' }, desk),
  };
  for (const [what, page] of Object.entries(pages)) {
    const plans = await plansOf(t, page);
    assert.ok(plans.length > 0, what);
    assert.deepEqual(
      plans.filter((plan) => plan.includes('TEMP B-TREE')),
      [],
      what,
    );
  }
});

test('keys of a store are counted once, not with each new one', async (t) => {
  const { call } = await aWorkspace(t);
  const counts = await runsOf(t, /count\(/, async () => {
    for (let i = 0; i < 20; i++) await call('store.set', { key: `key ${i}`, value: i }, desk);
  });
  assert.equal(counts, 1);
});

test('a page of deployments is as long as asked for, however many functions each has', async (t) => {
  const { call } = await aWorkspace(t);
  const config = { type: 'server-side-method', expose: false } as const;
  const manifest = (n: number) =>
    Array.from({ length: 2_000 }, (_, i) => ({
      path: `${'long/'.repeat(20)}f${i}.js`,
      type: 'server-side-method' as const,
      config: { ...config, title: 'x'.repeat(500) },
      sha256: `${n}`.padStart(64, '0'),
      bytes: 1,
    }));
  for (let n = 0; n < 6; n++)
    await call('deployments.create', { app: 'desk', baseVersion: null, manifest: manifest(n) });
  const { items, nextCursor } = await call('deployments.list', { app: 'desk' });
  assert.deepEqual([items.length, nextCursor], [6, null]);
});

test('a follower of all events asks for the end of the journal only when nothing came', async (t) => {
  const { workspace, call } = await aWorkspace(t, { seed: { channels: [{ kind: 'sms', name: 'SMS' }] } });
  await call('messages.receive', { phone: '+4930901820', text: 'Hi' });
  const asked = (from: number, type?: string) =>
    runsOf(t, /^select max\("seq"\)/, async () => {
      const { seq } = await workspace.events.next(from, { type });
      assert.ok(seq > 0);
    });
  assert.deepEqual([await asked(0), await asked(0, '*'), await asked(0, 'message.*')], [0, 0, 1]);
  assert.equal(await asked((await workspace.events.next(0, {})).seq), 1);
});

test('due jobs are found in their order by an index, however many wait', async (t) => {
  const { workspace } = await aWorkspace(t);
  await workspace.jobs.enqueue([{ kind: 'delivery', group: 'whk_1', payload: {} }]);
  const plans = await plansOf(t, async () => {
    await workspace.jobs.nextDue(['delivery', 'cron']);
    await workspace.jobs.claim([
      { kind: 'delivery', free: 4, groups: { most: 2, running: new Map([['whk_2', 2]]) } },
      { kind: 'cron', free: 1 },
    ]);
  });
  const looks = plans.filter((plan) => plan.includes('job_due'));
  assert.equal(looks.length, 3, plans.join('; '));
  for (const plan of looks) assert.match(plan, /^SEARCH job USING COVERING INDEX job_due \(kind=\?/);
  assert.ok(!plans.some((plan) => plan.startsWith('SCAN job')), plans.join('; '));
});
