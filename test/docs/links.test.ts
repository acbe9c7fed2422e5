import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { commands } from '../../src/cli/commands.ts';
import { packageRoot } from '../../src/std/index.ts';
import { anchorsOf, everyPage, prose } from './markdown.ts';

const root = packageRoot();
const pages = everyPage();

for (const { path, text } of pages) {
  test(`the links of ${path} lead somewhere`, () => {
    for (const [, target = ''] of prose(text).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [to = '', anchor] = target.split('#');
      const file = to === '' ? join(root, path) : join(root, dirname(path), to);
      assert.ok(existsSync(file), `${target}: there is no such file`);
      if (anchor === undefined) continue;
      assert.ok(anchorsOf(readFileSync(file, 'utf8')).has(anchor), `${target}: there is no such heading`);
    }
  });
}

test('every JSON that a page shows is JSON', () => {
  for (const { path, blocks } of pages) {
    for (const { language, text, line } of blocks) {
      if (language === 'json') assert.doesNotThrow(() => JSON.parse(text), `${path}:${line}`);
    }
  }
});

test('the index of the guide names every page of it', () => {
  const index = readFileSync(join(root, 'docs/guide/README.md'), 'utf8');
  const guide = pages.filter(({ path }) => /^docs\/guide\/(?!README)/.test(path));
  assert.ok(guide.length > 10);
  for (const { path } of guide) assert.ok(index.includes(`(${path.replace('docs/guide/', '')})`), path);
});

test('the index of the decisions names every decision', () => {
  const index = readFileSync(join(root, 'docs/decisions/README.md'), 'utf8');
  for (const { path } of pages.filter(({ path }) => /^docs\/decisions\/(?!README)/.test(path))) {
    assert.ok(index.includes(`(${path.replace('docs/decisions/', '')})`), path);
  }
});

test('the map of the house in CONTRIBUTING names every room, and no other', async () => {
  const { readdirSync } = await import('node:fs');
  const rooms = readdirSync(join(root, 'src')).filter((name) => statSync(join(root, 'src', name)).isDirectory());
  const map = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const named = [...map.matchAll(/^\| \d \| `(\w+)` \|/gm)].map(([, room]) => room ?? '');
  assert.deepEqual(named.toSorted(), rooms.toSorted());
});

test('every page that a command points to can be read', async () => {
  const names = new Set(pages.map(({ path }) => path.split('/').at(-1)));
  for (const { name, load } of commands) {
    for (const topic of (await load()).see ?? []) assert.ok(names.has(`${topic}.md`), `fn ${name} → fn docs ${topic}`);
  }
});

test('pictures are small enough to be looked at', () => {
  for (const { path, text } of pages) {
    for (const [, target = ''] of text.matchAll(/!\[[^\]]*\]\(([^)\s]+)\)/g)) {
      assert.ok(statSync(join(root, dirname(path), target)).size <= 200 * 1024, target);
    }
  }
});
