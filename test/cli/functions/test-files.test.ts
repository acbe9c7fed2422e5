import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App, aMethod } from '../../flows/app.ts';

const aTest = (name: string) => `import { test } from 'node:test';\ntest('${name}', () => {});\n`;

const app = new App({
  // Brackets, as in a pattern.
  '[old] shop/fn.config.json': '{"version": 1, "app": "shop"}\n',
  '[old] shop/test/first.test.js': aTest('the first'),
  '[old] shop/test/deep/second.test.js': aTest('the second'),
  '[old] shop/test/deep/node_modules/package/third.test.js': aTest('of a package'),
});
const root = app.path('[old] shop');

/** The names of the tests that ran. */
async function ran(...files: string[]) {
  const { exitCode, out, err } = await app.fn(['test', '--app', root, ...files, '--', '--test-reporter=tap']);
  return { exitCode, names: [...out.matchAll(/^ok \d+ - (.*)$/gm)].map(([, name]) => name), err };
}

test('a file, a folder and a pattern run the tests they name, wherever the app lies', async () => {
  assert.deepEqual((await ran()).names, ['the second', 'the first']);
  assert.deepEqual((await ran('test/first.test.js')).names, ['the first']);
  assert.deepEqual((await ran('test/deep')).names, ['the second']);
  assert.deepEqual((await ran('test/f*.test.js')).names, ['the first']);
});

test('what names no test is refused instead of passing', async () => {
  for (const file of ['test/nope.test.js', 'test/nope*.test.js', 'test/deep/*.ts']) {
    const { exitCode, err } = await ran(file);
    assert.equal(exitCode, 2, file);
    assert.ok(err.includes(`There is no ${file}`), err);
  }
});

test('coverage is of the author’s files, functions included, not of ours or of the tests', async () => {
  const covered = new App({
    'lib/price.js': 'export const price = () => 21;\nexport const unused = () => 0;\n',
    'functions/price.js': aMethod('sdk.request ? 1 : net()', `import { net } from '../lib/net.js';`),
    'lib/net.js': 'export function net() {\n  return 19;\n}\n',
    'test/price.test.js': `import { test } from 'node:test';
import { invoke } from 'convo-fn/testing';
import { price } from '../lib/price.js';
test('the price', async () => { price(); await invoke('price', {}); });\n`,
  });
  const { exitCode, out, err } = await covered.fn(['test', '--coverage', '--', '--test-reporter=lcov']);
  assert.equal(exitCode, 0, err);
  assert.deepEqual(
    [...out.matchAll(/^SF:(.*)$/gm)].map(([, file]) => file),
    ['functions/price.js', 'lib/net.js', 'lib/price.js'],
  );
  assert.match(out, /SF:lib\/net\.js[\s\S]*?DA:2,0/);
});

test('coverage is the same at each run, and counts getters of config', async () => {
  const covered = new App({
    'lib/text.js': 'export const used = () => 1;\nexport const text = () => "a";\n',
    'functions/price.js': `import * as text from '../lib/text.js';
export const config = {
  type: 'server-side-method',
  get expose() {
    return false;
  },
  limits: { memoryMb: 48 },
};
export default function () {
  return [text.used(), Object.keys(text).length];
}
`,
    'test/price.test.js': `import { test } from 'node:test';
import { invoke } from 'convo-fn/testing';
test('the price', async () => { await invoke('price', {}); });\n`,
  });
  const runs = [];
  for (const _ of [1, 2]) {
    const { exitCode, out, err } = await covered.fn(['test', '--coverage', '--', '--test-reporter=lcov']);
    assert.equal(exitCode, 0, err);
    runs.push(out);
  }
  assert.equal(runs[1], runs[0]);
  const [price = ''] = runs[1]?.match(/SF:functions\/price\.js[\s\S]*?end_of_record/) ?? [];
  assert.deepEqual(price.match(/^FN:.*$/gm), ['FN:4,get expose', 'FN:9,default']);
  assert.match(price, /^FNF:2\nFNH:2$/m);
  const [library = ''] = runs[1]?.match(/SF:lib\/text\.js[\s\S]*?end_of_record/) ?? [];
  assert.deepEqual(library.match(/^FNDA:.*$/gm), ['FNDA:1,used', 'FNDA:0,text']);
});
