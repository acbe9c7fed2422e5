import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageFile } from '../src/std/index.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('a temporary folder is there until the process ends, and gone with all that is in it afterwards', () => {
  const script = join(temporaryFolder('fn-script'), 'script.ts');
  writeFileSync(
    script,
    `import { writeFileSync } from 'node:fs';
import { temporaryFolder } from ${JSON.stringify(packageFile('test/temporary-folder.ts'))};
const folder = temporaryFolder('fn-gone');
process.prependListener('exit', () => writeFileSync(folder + '/late.txt', ''));
console.log(folder);
`,
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /fn-gone-/);
  assert.equal(existsSync(stdout.trim()), false);
});

test('no test makes a temporary folder in another way: one that a hook removes may still be written to', () => {
  const others = globSync('**/*.ts', {
    cwd: packageFile('test'),
    exclude: (path) => /node_modules|^temporary-folder/.test(path),
  }).filter((path) => /mkdtemp/.test(readFileSync(packageFile(join('test', path)), 'utf8')));
  assert.deepEqual(others, []);
});
