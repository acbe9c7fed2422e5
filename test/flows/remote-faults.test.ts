import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endDeploys } from '../../bench/faults/deploys.ts';
import { deployPairs } from '../../bench/faults/pairs.ts';
import { sendThroughChaos } from '../../bench/faults/sends.ts';
import { killServers } from '../../bench/faults/servers.ts';

// Smaller versions of the harnesses in bench/faults, with fixed seeds.

test('through a proxy that cuts, delays, resets and answers 500, every message arrives exactly once and no exit code lies', async () => {
  const { doubled, lost, lied, byExitCode } = await sendThroughChaos(60, 42);
  assert.deepEqual({ doubled, lost, lied }, { doubled: 0, lost: 0, lied: 0 });
  assert.ok((byExitCode[8] ?? 0) > 0, 'some outcomes were unknown');
});

test('of two deploys at once an older commit never ends up over a newer one', async () => {
  const { olderOverNewer } = await deployPairs(12, 42);
  assert.equal(olderOverNewer, 0);
});

test('a deploy that is killed leaves the old version or the new one, and a repeat brings the new one', async () => {
  const { mixed, lied, unrepaired } = await endDeploys(3, 42);
  assert.deepEqual({ mixed, lied, unrepaired }, { mixed: 0, lied: 0, unrepaired: 0 });
});

test('a server that is killed while it is deployed to serves the old version or the new one, and a repeat brings the new one', async () => {
  const { mixed, lied, unrepaired } = await killServers(2, 42);
  assert.deepEqual({ mixed, lied, unrepaired }, { mixed: 0, lied: 0, unrepaired: 0 });
});
