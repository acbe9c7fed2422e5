import assert from 'node:assert/strict';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { isOperationName, operationOf } from '../../src/contract/index.ts';
import { packageFile } from '../../src/std/index.ts';
import { install, run } from '../templates/scaffolded-apps.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Page, pagesForPeople, readPage } from './markdown.ts';

const tsc = packageFile('node_modules/typescript/bin/tsc');

test('what the pages show has no type error in an app that fn init makes', async () => {
  // Inside this repository, so that the packages of the pages resolve upward.
  const root = temporaryFolder('.example', packageFile(''));
  cpSync(packageFile('templates/app/tsconfig.json'), join(root, 'tsconfig.json'));
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  for (const page of pagesForPeople()) writeFilesOf(page, join(root, page.path.replaceAll(/\W/g, '-')));
  writeFileSync(join(root, 'calls.ts'), callsOf(readPage('docs/reference/operations.md')));
  await install(root);
  const { output } = await run(process.execPath, [tsc, '-p', 'tsconfig.json'], root);
  assert.equal(output, '');
});

function writeFilesOf(page: Page, folder: string): void {
  for (const { file, text } of page.blocks) {
    if (file === undefined) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

/** Every call of the reference that a function of anybody's app may make. */
function callsOf({ blocks }: Page): string {
  const calls = blocks.filter(({ language, text }) => {
    const name = /^await sdk\.(\w+\.\w+)/.exec(text)?.[1] ?? '';
    if (language !== 'js' || !isOperationName(name)) return false;
    const { onlyApp, faces } = operationOf(name);
    return onlyApp === undefined && faces.includes('sdk');
  });
  assert.ok(calls.length > 20);
  return [
    "import type { MethodSdk } from 'convo-fn';",
    'export default async function (sdk: MethodSdk): Promise<void> {',
    ...calls.map(({ text }) => text),
    '}',
  ].join('\n');
}
