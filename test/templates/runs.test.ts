import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { isOperationName, operationOf } from '../../src/contract/index.ts';
import { applyScaffold, functionTemplates, planExample, readExample } from '../../src/project/index.ts';
import { packageFile } from '../../src/std/index.ts';
import { aWorkspace } from '../../src/testing/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { anAppOfAllTypes, runTests } from './scaffolded-apps.ts';

for (const language of ['js', 'ts'] as const)
  test(`the tests that fn init makes in ${language} pass in the sandbox, for each of the six types`, async () => {
    const root = await anAppOfAllTypes(language);
    const { exitCode, output } = await runTests(root, `test/**/*.test.${language}`);
    assert.equal(exitCode, 0, output);
    assert.match(output, /pass 16\n/);
  });

test('what fn init makes runs with its sample input on its sample data, and only the setup writes: a variable of its own app', async () => {
  const root = await anAppOfAllTypes('js');
  await using workspace = await aWorkspace({ app: root });
  const written = new Map<string, string[]>();
  for (const { usualName, invocable } of Object.values(functionTemplates)) {
    if (!invocable) continue;
    const input = JSON.parse(readFileSync(join(root, 'fixtures', usualName, 'default.json'), 'utf8'));
    const { status, calls, error } = await workspace.run(usualName, input);
    assert.equal(status, 'ok', error?.message);
    const writes = calls.filter(({ name }) => isOperationName(name) && operationOf(name).effect === 'write');
    if (writes.length > 0)
      written.set(
        usualName,
        writes.map(({ name }) => name),
      );
  }
  assert.deepEqual([...written], [['setup', ['vars.set']]]);
});

test('the tool that fn init makes may be called by no model, and a person confirms a lookup by e-mail address', async () => {
  for (const language of ['js', 'ts'] as const) {
    const root = await anAppOfAllTypes(language);
    await using workspace = await aWorkspace({ app: root });
    const { items } = await workspace.call('functions.list', { app: basename(root) });
    const config = items.find(({ type }) => type === 'ai-tool')?.config as { [field: string]: unknown } | undefined;
    assert.deepEqual(config?.['permissions'], { callers: {}, conversation: { read: ['id', 'channel'], write: [] } });
    assert.deepEqual(config?.['confirm'], { by: 'human', expiresAfter: '15m', when: { required: ['email'] } });
    assert.deepEqual(config?.['annotations'], { readOnly: true, destructive: false, idempotent: true });
  }
});

test('the tests of the example pass, with its packages from npm', async () => {
  // Inside this repository, so that its packages resolve upward.
  const folder = temporaryFolder('.example', packageFile(''));
  const root = join(folder, 'order-desk');
  applyScaffold(planExample({ root, app: 'order-desk', lockfile: false }, readExample('order-desk')));
  const { exitCode, output } = await runTests(root, 'test/*.test.{js,ts}');
  assert.equal(exitCode, 0, output);
  assert.match(output, /pass 26\n/);
});
