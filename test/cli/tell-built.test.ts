import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rememberBuilt } from '../../src/cli/functions/tell-built.ts';
import { aContext } from './context.ts';

test('why a process of the sandbox has ended is told by the command that ran a function in it', () => {
  const { context, err } = aContext();
  const { hear } = rememberBuilt(context.io);
  hear({ type: 'problem', code: 'sandbox_child_crashed', message: 'A sandbox process ended by itself (SIGTRAP)' });
  assert.equal(err(), 'problem A sandbox process ended by itself (SIGTRAP)\n');
});

for (const code of ['job_failed', 'flows_unreadable']) {
  test(`a command tells of ${code}, which nothing else says`, () => {
    const { context, err } = aContext();
    rememberBuilt(context.io).hear({ type: 'problem', code, message: 'Cannot find package x' });
    assert.equal(err(), 'problem Cannot find package x\n');
  });
}
