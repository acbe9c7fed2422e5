/**
 * Installs the packages of this folder, pinned by its lockfile, unless what is installed is what the lockfile says. Run before the
 * tests (`npm test`, `.ci/run`): the tests themselves download nothing.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = import.meta.dirname;
const mark = join(root, 'node_modules', '.installed-from');
const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');

if (!existsSync(mark) || readFileSync(mark, 'utf8') !== lock) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync(npm, ['ci', ...flags], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  writeFileSync(mark, lock);
}
