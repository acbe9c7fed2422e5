import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleOf } from '../../scripts/generate/examples.ts';
import { generateReference } from '../../scripts/generate/reference.ts';
import { inputSchema } from '../../scripts/generate/schemas-of.ts';
import { configFields } from '../../src/contract/function-config/index.ts';
import { errorCodes, eventKinds, functionTypeNames, operationNames } from '../../src/contract/index.ts';
import { shapes } from '../../src/contract/shapes/index.ts';

const pages = await generateReference();
const pageOf = (name: string) => pages.get(`docs/reference/${name}.md`) ?? assert.fail(`there is no page ${name}`);

test('every example of the reference is an input that its operation takes', () => {
  for (const name of operationNames) {
    const parsed = shapes[name].input.safeParse(exampleOf(name, inputSchema(name)));
    assert.ok(parsed.success, `${name}: ${parsed.error?.message}`);
  }
});

test('every operation, error code, event and field of a config has its place', () => {
  for (const name of operationNames) assert.ok(pageOf('operations').includes(`\n### ${name}\n`), name);
  for (const code of Object.keys(errorCodes)) assert.ok(pageOf('errors').includes(`\`${code}\``), code);
  for (const kind of eventKinds) assert.ok(pageOf('events').includes(`\`${kind}\``), kind);
  for (const type of functionTypeNames)
    for (const field of Object.keys(configFields[type])) assert.ok(pageOf('functions').includes(`\`${field}\``), field);
});

test('the index names every page', () => {
  for (const file of pages.keys()) {
    const name = file.slice('docs/reference/'.length);
    if (name !== 'README.md') assert.ok(pageOf('README').includes(`](${name})`), name);
  }
});

test('every link leads to a heading that is there', () => {
  for (const [file, text] of pages) {
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      const [path = '', anchor] = target.split('#');
      if (path.startsWith('../')) continue; // leaves the reference; test/docs/links.test.ts follows it
      const there = path === '' ? text : pages.get(`docs/reference/${path}`);
      assert.ok(there, `${file}: ${target}`);
      if (anchor === undefined) continue;
      const anchors = [...there.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replace(/[^\w\s-]/g, '')
          .replaceAll(' ', '-'),
      );
      assert.ok(anchors.includes(anchor), `${file}: ${target}`);
    }
  }
});
