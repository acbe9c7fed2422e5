import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findProject, readFixture, saveFixture } from '../../src/project/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const root = temporaryFolder('fn-save-fixture');
writeFileSync(join(root, 'fn.config.json'), JSON.stringify({ version: 1, app: 'shop' }));
const project = await findProject(root);

test('a saved input is a fixture', async () => {
  assert.ok(project);
  assert.equal(saveFixture(project, 'api/orders/find', 'ann', { name: 'Ann' }), 'fixtures/api/orders/find/ann.json');
  assert.deepEqual(await readFixture(project, 'api/orders/find', 'ann'), { name: 'Ann' });
});

test('nothing is overwritten', () => {
  assert.ok(project);
  assert.throws(() => saveFixture(project, 'api/orders/find', 'ann', 7), { code: 'fixture_exists' });
  assert.match(readFileSync(join(root, 'fixtures/api/orders/find/ann.json'), 'utf8'), /Ann/);
});

test('nothing is written outside the app’s folder, wherever a link leads', {
  skip: process.platform === 'win32',
}, () => {
  assert.ok(project);
  const elsewhere = temporaryFolder('fn-elsewhere');
  mkdirSync(join(root, 'fixtures'), { recursive: true });
  symlinkSync(elsewhere, join(root, 'fixtures/linked'));
  assert.throws(() => saveFixture(project, 'linked', 'a', 1), { code: 'file_outside_app' });
  assert.throws(() => saveFixture(project, 'linked/deep/er', 'a', 1), { code: 'file_outside_app' });
});
