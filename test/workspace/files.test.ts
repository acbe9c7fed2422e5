import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFiles } from '../../src/workspace/files/files.ts';
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

async function* bytes() {
  yield Buffer.from('hello');
}

for (const code of ['ENOSPC', 'EDQUOT']) {
  test(`a file that finds no room on the disk (${code}) is refused as such, not reported as a bug`, async (t) => {
    const files = openFiles(join(folder, 'full'));
    const error = Object.assign(new Error(`${code}: no room`), { code });
    t.mock.method(process.getBuiltinModule('node:fs/promises'), 'open', () => Promise.reject(error));
    await assert.rejects(files.receive(bytes(), { mostBytes: 5, tooLarge: () => new Error() }), {
      name: 'MachineError',
      code: 'disk_full',
      cause: error,
    });
  });
}
