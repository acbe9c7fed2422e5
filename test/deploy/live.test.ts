import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byWhom, type Live } from '../../src/deploy/index.ts';

test('who deployed is told in one line, whatever the names and the message hold', () => {
  const deployment = {
    createdBy: { type: 'token', id: 'tok_1', name: 'CI\u001b[2J\nLive: dpl_2' },
    createdAt: '2026-03-01T10:00:00.000Z',
    activatedAt: null,
    commit: null,
    message: 'fix\r\nerror nothing is live',
  } as unknown as Live['deployment'];
  assert.equal(byWhom(deployment), 'by CI[2J Live: dpl_2 at 2026-03-01 10:00 UTC: fix error nothing is live');
});
