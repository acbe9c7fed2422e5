import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { assetPath, isBuilt, packageFile, UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';

export const command = defineCommand({
  description: `Runs the tests of the app with Node's own test runner: every test/**/*.test.js (or .ts). Tests import { aWorkspace, invoke } from 'convo-fn/testing': each gets a workspace of its own in memory, in which the functions run in the real sandbox.

What follows -- goes to node --test as it stands.`,
  arguments: { files: { summary: 'Test files; default: all below test/', many: true, optional: true } },
  passThrough: true,
  examples: [
    { line: 'fn test', does: 'runs every test', runs: true },
    { line: 'fn test -- --watch', does: 'runs them again on each save' },
    { line: 'fn test test/refund.test.js -- --test-name-pattern=refuses', does: 'runs some' },
  ],
  json: 'What the runner prints; choose with -- --test-reporter=junit (or tap, spec).',
  see: ['testing'],
  async run(context, { files, rest }) {
    const project = await context.requireProject();
    const found = files?.length ? files.map((file) => asked(file, context.cwd)) : await testFiles(project.root);
    if (found.length === 0) {
      throw new UsageError('tests_missing', 'There are no tests in test/', {
        hint: 'A test is a file like test/refund.test.js; "fn init" writes one for every function that it makes.',
      });
    }
    const hook = isBuilt ? assetPath('testing-hook.js') : packageFile('src/testing/resolve-self.ts');
    const args = ['--import', pathToFileURL(hook).href, '--test', ...rest, ...found];
    const runner = spawn(process.execPath, args, { cwd: project.root, stdio: 'inherit', env: { ...context.env } });
    context.signal.addEventListener('abort', () => runner.kill('SIGINT'), { once: true });
    const [code] = await once(runner, 'exit');
    context.signal.throwIfAborted();
    return code === 0 ? 0 : 5;
  },
});

/** As typed: from the current folder, which need not be the app's. */
function asked(file: string, cwd: string): string {
  const path = resolve(cwd, file);
  if (existsSync(path) || /[*?[{]/.test(file)) return path;
  throw new UsageError('test_missing', `There is no ${file}`, {
    hint: `It is looked for from the current folder: ${cwd}`,
  });
}

async function testFiles(root: string): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob('test/**/*.test.{js,mjs,ts,mts}', { cwd: root })) files.push(file);
  return files.sort();
}
