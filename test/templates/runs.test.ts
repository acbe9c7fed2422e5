import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { applyScaffold, planExample, readExample } from '../../src/project/index.ts';
import { packageFile } from '../../src/std/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { anAppOfAllTypes, runTests } from './scaffolded-apps.ts';

for (const language of ['js', 'ts'] as const)
  test(`the tests that fn init makes in ${language} pass in the sandbox, for each of the six types`, async () => {
    const root = await anAppOfAllTypes(language);
    const { exitCode, output } = await runTests(root, `test/**/*.test.${language}`);
    assert.equal(exitCode, 0, output);
    assert.match(output, /pass 15\n/);
  });

test('the tests of the example pass, with its packages from npm', async () => {
  // Inside this repository, so that its packages resolve upward.
  const folder = temporaryFolder('.example', packageFile(''));
  const root = join(folder, 'order-desk');
  applyScaffold(planExample({ root, app: 'order-desk', version: '0.0.0', lockfile: false }, readExample('order-desk')));
  const { exitCode, output } = await runTests(root, 'test/*.test.{js,ts}');
  assert.equal(exitCode, 0, output);
  assert.match(output, /pass 20\n/);
});
