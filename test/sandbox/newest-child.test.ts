import assert from 'node:assert/strict';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { newestChild } from '../../src/sandbox/entry.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const source = 'src/sandbox/child/main.ts';
const below = 'src/std/text/one.ts';
const built = 'dist/sandbox/child.js';

/** A package whose files were changed at these seconds. */
function aPackage(files: Readonly<Record<string, number>>): string {
  const root = temporaryFolder('fn-newest-child');
  for (const [path, seconds] of Object.entries(files)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
    utimesSync(file, seconds, seconds);
  }
  return root;
}

const chosen = (root: string) =>
  newestChild(root)
    .slice(root.length + 1)
    .replaceAll('\\', '/');

test('from source, the child is the bundle that was built from the sources as they are', () => {
  assert.equal(chosen(aPackage({ [source]: 10, [below]: 20, [built]: 20 })), built);
});

test('a child that was built before one of its sources changed is not run', () => {
  assert.equal(chosen(aPackage({ [source]: 30, [below]: 10, [built]: 20 })), source);
  assert.equal(chosen(aPackage({ [source]: 10, [below]: 30, [built]: 20 })), source);
});

test('without a build the sources of the child run', () => {
  assert.equal(chosen(aPackage({ [source]: 10, [below]: 10 })), source);
});
