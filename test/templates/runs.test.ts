import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { applyScaffold, planExample, readExample } from '../../src/project/index.ts';
import { packageFile } from '../../src/std/index.ts';
import { anAppOfAllTypes, runTests } from './scaffolded-apps.ts';

for (const language of ['js', 'ts'] as const)
  test(`the tests that fn init makes in ${language} pass in the sandbox, for each of the six types`, async (t) => {
    const root = await anAppOfAllTypes(t, language);
    const { exitCode, output } = await runTests(root, `test/**/*.test.${language}`);
    assert.equal(exitCode, 0, output);
    assert.match(output, /pass 15\n/);
  });

test('the tests of the example pass, with its packages from npm', async (t) => {
  // Inside this repository, so that its packages resolve upward.
  const folder = await mkdtemp(packageFile('.example-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const root = join(folder, 'order-desk');
  applyScaffold(planExample({ root, app: 'order-desk', version: '0.0.0', lockfile: false }, readExample('order-desk')));
  const { exitCode, output } = await runTests(root, 'test/*.test.{js,ts}');
  assert.equal(exitCode, 0, output);
  assert.match(output, /pass 20\n/);
});
