import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { allCommands } from '../../src/cli/commands.ts';
import { operations } from '../../src/contract/index.ts';
import { packageRoot } from '../../src/std/index.ts';
import { anchorsOf, everyPage, picturesOf, targetsOf } from './markdown.ts';

const root = packageRoot();
const pages = everyPage();

for (const { path, text } of pages) {
  test(`the links of ${path} lead somewhere`, () => {
    for (const target of targetsOf(text)) {
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

test('the map of the house in CONTRIBUTING names every room, and no other', () => {
  const rooms = readdirSync(join(root, 'src')).filter((name) => statSync(join(root, 'src', name)).isDirectory());
  const map = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const named = [...map.matchAll(/^\| \d \| `(\w+)` \|/gm)].map(([, room]) => room ?? '');
  assert.deepEqual(named.toSorted(), rooms.toSorted());
});

test('every file that CONTRIBUTING names is there', () => {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const named = [
    ...text.matchAll(/`((?:src|bin|test|docs|templates|examples|types|schema|scripts|bench)\/[\w./-]*)`/g),
  ];
  assert.ok(named.length > 20);
  for (const [, path = ''] of named) assert.ok(existsSync(join(root, path)), path);
});

test('every fact that an operation rests on stands in docs/platform', () => {
  const sections = {
    spec: anchorsOf(readFileSync(join(root, 'docs/platform/README.md'), 'utf8')),
    contract: anchorsOf(readFileSync(join(root, 'docs/platform/contract.md'), 'utf8')),
  };
  for (const [name, { fact }] of Object.entries(operations)) {
    const [, source = '', number = ''] = /^(spec|contract) ([\d.]+)/.exec(fact) ?? [];
    assert.ok(source === 'spec' || source === 'contract', `${name}: ${fact}`);
    const start = `${number.replaceAll('.', '')}-`;
    assert.ok(
      [...sections[source]].some((anchor) => anchor.startsWith(start)),
      `${name}: ${fact}`,
    );
  }
});

test('every documented route stands in docs/platform', () => {
  const page = readFileSync(join(root, 'docs/platform/README.md'), 'utf8');
  const documented = Object.values(operations).filter(({ source }) => source === 'documented');
  assert.ok(documented.length > 0);
  for (const { route } of documented) assert.ok(page.includes(route?.split(' ')[1] ?? '-'), route ?? '');
});

test('every page that a command points to can be read', async () => {
  const names = new Set(pages.map(({ path }) => path.split('/').at(-1)));
  for (const { name, command } of await allCommands()) {
    for (const topic of command.see ?? []) assert.ok(names.has(`${topic}.md`), `fn ${name} → fn docs ${topic}`);
  }
});

test('pictures are small enough to be looked at, and each is shown by a page', () => {
  const shown = new Set(
    pages.flatMap(({ path, text }) => picturesOf(text).map((target) => join(root, dirname(path), target))),
  );
  const kept = ['images', 'pictures'].flatMap((folder) => {
    return readdirSync(join(root, 'docs', folder)).map((name) => join(root, 'docs', folder, name));
  });
  assert.deepEqual([...shown].sort(), kept.sort());
  const sizes = kept.map((file) => statSync(file).size);
  assert.ok(Math.max(...sizes) <= 200 * 1024);
  assert.ok(sizes.reduce((a, b) => a + b) <= 750 * 1024, 'all of them');
});
