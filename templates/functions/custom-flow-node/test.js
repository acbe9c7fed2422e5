import hours from '{{fixture}}' with { type: 'json' };
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aWorkspace } from 'convo-fn/testing';

const node = '{{name}}';

test('on a Monday the shop is open until closing time', async () => {
  await using workspace = await aWorkspace({ now: '2026-03-02T08:00:00Z' }); // 9:00 in Berlin

  const morning = await workspace.invoke(node, hours);
  assert.equal(morning.outcome, 'open');
  assert.deepEqual(morning.output, { weekday: 'Monday', time: '09:00' });

  await workspace.clock.advance('9h');
  const evening = await workspace.invoke(node, hours);
  assert.equal(evening.outcome, 'closed');
  assert.deepEqual(evening.variables, { shopIsOpen: false });
});

test('on a weekend the shop is closed all day', async () => {
  await using workspace = await aWorkspace({ now: '2026-03-07T11:00:00Z' });
  assert.equal((await workspace.invoke(node, hours)).outcome, 'closed');
});
