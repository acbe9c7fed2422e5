import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { packageFile } from '../src/std/index.ts';
import { temporaryFolder } from './temporary-folder.ts';

const tests = `
import { describe, test } from 'node:test';
const turn = () => new Promise(setImmediate);
const thrown = () => { throw new Error('thrown'); };
const held = () => new Promise((resolve) => setTimeout(resolve, 50));
describe('a suite that waits', async () => {
  await turn();
  test('an inner test', async (t) => {
    await turn();
    await t.test('a deeper test', () => turn());
  });
});
test('throws in a timer', () => (setTimeout(thrown, 1), held()));
test('throws in an immediate', () => (setImmediate(thrown), held()));
test('throws in a tick', () => (process.nextTick(thrown), held()));
test('rejects', () => (turn().then(thrown), held()));
describe('beside one another', { concurrency: 3 }, () => {
  test('one', held);
  test('two throws', () => (turn().then(() => setTimeout(thrown, 1)), held()));
  test('three', held);
});
test('throws too late', () => { setTimeout(thrown, 1); });
test('the last', held);
`;

test('an error belongs to the same test with the light hooks and without them', () => {
  const file = join(temporaryFolder('fn-light-test-hooks'), 'some.test.mjs');
  writeFileSync(file, tests);
  const light = pathToFileURL(packageFile('scripts/light-test-hooks.js')).href;
  const usual = outcomeOf(file, []);
  assert.match(usual, /^not ok \d+ - throws in a timer$/m);
  assert.match(usual, /^ {4}not ok \d+ - two throws$/m);
  assert.match(usual, /^exit code 1$/m);
  assert.equal(outcomeOf(file, ['--import', light]), usual);
});

/** What became of each test, what was said of the file, and the exit code. */
function outcomeOf(file: string, flags: readonly string[]): string {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const argv = [...flags, '--test', '--test-reporter=tap', file];
  const { stdout, status } = spawnSync(process.execPath, argv, { env, encoding: 'utf8' });
  const lines = stdout.split('\n').filter((line) => /^ *(?:not )?ok |^ *# (?!duration)|^ *error: /.test(line));
  return [...lines, `exit code ${status}`].join('\n');
}
