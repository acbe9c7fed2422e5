import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { functionTypeNames } from '../../src/contract/index.ts';
import {
  applyScaffold,
  functionTemplates,
  type Language,
  planScaffold,
  readTemplates,
  templatesOf,
  writeEditorFiles,
} from '../../src/project/index.ts';
import { packageFile } from '../../src/std/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** An app with a function of each type, as `fn init` makes them, in a folder of its own. */
export async function anAppOfAllTypes(language: Language): Promise<string> {
  const folder = temporaryFolder('convo-fn-templates');
  const root = join(folder, `app-${language}`);
  for (const [index, type] of functionTypeNames.entries()) {
    const request = {
      root,
      app: `app-${language}`,
      newApp: index === 0,
      function: { type, name: functionTemplates[type].usualName },
      language,
      commonJs: false,
    };
    applyScaffold(planScaffold(request, readTemplates(templatesOf(request))));
  }
  return root;
}

/** As after `fn init` and `npm install`: the types of Node are a package, those of this package lie in the app. */
export async function install(root: string): Promise<void> {
  writeEditorFiles({ stateDir: join(root, '.fn') });
  await mkdir(join(root, 'node_modules'));
  await symlink(packageFile('node_modules/@types'), join(root, 'node_modules/@types'));
}

/** Runs a program; its whole output and exit code. */
export function run(
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<{ exitCode: number; output: string }> {
  return new Promise((resolve) => {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    execFile(program, args, { cwd, env, timeout: 120_000, maxBuffer: 2 ** 24 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ exitCode: code, output: `${stdout}${stderr}` });
    });
  });
}

/** Runs the tests of an app as `fn test` does, all in one process: nothing of them is shared, and it is faster. */
export function runTests(root: string, files: string): Promise<{ exitCode: number; output: string }> {
  const hook = packageFile('src/testing/resolve-self.ts');
  return run(process.execPath, ['--import', hook, '--test', '--test-isolation=none', files], root);
}
