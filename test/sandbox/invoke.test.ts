import assert from 'node:assert/strict';
import test from 'node:test';
import { aProgram, aRequest, aSandbox, echoHost } from './support/sandbox.ts';

const sandbox = aSandbox();

test('a function gets its argument and its JSON result comes back', async () => {
  const outcome = await sandbox.invoke(
    aProgram('return { doubled: sdk.argument.value * 2 };'),
    aRequest({ argument: { value: 21 } }),
    echoHost,
  );
  assert.equal(outcome.status, 'ok');
  assert.deepEqual(outcome.status === 'ok' && outcome.result, { doubled: 42 });
});
