/**
 * Installs what some tests need besides the project's own dependencies (popular packages that functions bundle; a generator of API
 * clients; MCP's official server and conformance suite), each folder pinned by its lockfile, unless what is installed is what the lockfile says. Run before the tests
 * (`npm test`, `.ci/run`): the tests themselves download nothing.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Those of vendors are large: they are installed when they are asked for, `npm run test:vendors`, and tests skip what is not there. */
const asked = process.argv.slice(2);
for (const folder of asked.length > 0 ? asked : ['packages', 'openapi', 'mcp/servers'])
  install(join(import.meta.dirname, folder));

function install(folder: string): void {
  const mark = join(folder, 'node_modules', '.installed-from');
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return;
  const windows = process.platform === 'win32';
  // Whatever the user's own settings of npm leave out or refuse.
  const flags = [
    '--include=dev',
    '--include=optional',
    '--no-engine-strict',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  execFileSync(windows ? 'npm.cmd' : 'npm', ['ci', ...flags], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: windows,
  });
  writeFileSync(mark, lock);
}
