import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFiles } from '../../src/workspace/files.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder('fn-files');

test('no name leads out of the folder, whatever a database says', async () => {
  const files = openFiles(join(folder, 'files'));
  const victim = join(folder, 'thesis.txt');
  writeFileSync(victim, 'years of work');
  for (const name of ['../../thesis.txt', '..', '', `${'a'.repeat(64)}/../../../thesis.txt`]) {
    files.remove(name);
    assert.equal(await files.has(name), false);
    await assert.rejects(files.read(name), { code: 'file_not_found' });
  }
  assert.ok(existsSync(victim));
});
