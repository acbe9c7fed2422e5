import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { ProjectError } from '../../src/std/index.ts';
import { aBundler, anApp, evaluate, evaluateHere } from './helpers.ts';

describe('what a function becomes', () => {
  test('one text that registers the module, with its imports in it', async (t) => {
    const app = anApp({
      'functions/api/greet.js': `import { greeting } from '../_texts.ts';
export const config = { type: 'server-side-method' };
export default async (sdk) => greeting(sdk.name);`,
      'functions/_texts.ts': 'export const greeting = (name: string): string => "Hello " + name;',
    });
    const bundle = await aBundler(t).build(app.source('api/greet'));
    const module = await evaluate(bundle.code);
    assert.equal(await module.default({ name: 'Ann' }), 'Hello Ann');
    assert.deepEqual({ ...(module.config as object) }, { type: 'server-side-method' });
    assert.match(bundle.code, /^\(async function \(register\) \{ "use strict";/);
    assert.equal(bundle.id, createHash('sha256').update(bundle.code).digest('hex'));
    assert.equal(bundle.bytes, Buffer.byteLength(bundle.code));
    assert.deepEqual(bundle.inputs, [app.path('functions/_texts.ts'), app.path('functions/api/greet.js')]);
    assert.deepEqual(bundle.warnings, []);
  });

  test('a throw in TypeScript maps back to its line and column', async (t) => {
    const app = anApp({
      'functions/fail.ts': `interface Order { id: string }
import { check } from './_check.ts';

export default (order: Order): void => {
  check(order.id);
};`,
      'functions/_check.ts': `type Id = string;

export function check(id: Id): void {
  throw new Error('bad ' + id);
}`,
    });
    const bundle = await aBundler(t).build(app.source('fail', { file: 'functions/fail.ts' }));
    const module = await evaluate(bundle.code);
    const error = await Promise.resolve()
      .then(() => module.default({ id: 'x' }))
      .catch((reason: unknown) => reason);
    const [, line, column] = /bundle\.js:(\d+):(\d+)/.exec((error as Error).stack ?? '') ?? [];
    const map = JSON.parse(bundle.sourceMap) as ConstructorParameters<typeof SourceMap>[0];
    const origin = new SourceMap(map).findOrigin(Number(line), Number(column));
    assert.deepEqual(
      { ...origin },
      { name: undefined, fileName: 'functions/_check.ts', lineNumber: 4, columnNumber: 9 },
    );
    assert.ok(map.sources.includes('functions/fail.ts'));
    assert.equal(map.sourcesContent.length, map.sources.length);
  });

  test('top-level await works', async (t) => {
    const app = anApp({
      'functions/wait.js': 'const value = await Promise.resolve(42);\nexport default () => value;',
    });
    const { code } = await aBundler(t).build(app.source('wait'));
    assert.equal((await evaluate(code)).default(), 42);
  });

  test('import() of a file is bundled, and one of a computed name throws only when reached', async (t) => {
    const app = anApp({
      'functions/lazy.js': `export default async (name) => name ? import(name) : (await import('./_part.js')).part;`,
      'functions/_part.js': 'export const part = 7;',
    });
    const { code } = await aBundler(t).build(app.source('lazy'));
    const module = await evaluate(code);
    assert.equal(await module.default(), 7);
    await assert.rejects(
      Promise.resolve(module.default('./_part.js')),
      /Dynamic require of ".\/_part.js" is not supported/,
    );
  });

  test('the default import of source with ?raw says how to import its text', async (t) => {
    const app = anApp({
      'functions/f.js': "import text from './_a.ts?raw';\nexport default () => text;",
      'functions/g.js': "import text from './_a.ts' with { type: 'text' };\nexport default () => text;",
      'functions/_a.ts': 'export const a = 1;',
    });
    await assert.rejects(aBundler(t).build(app.source('f')), {
      code: 'build_failed',
      hint: "?raw is for other bundlers. Add with { type: 'text' } to import the text of the file.",
    });
    const { code } = await aBundler(t).build(app.source('g'));
    assert.equal((await evaluate(code)).default(), 'export const a = 1;');
  });

  test('import.meta, __filename and global have values that tell nothing of the machine', async (t) => {
    const app = anApp({
      'functions/api/me.js':
        'export default () => [import.meta.url, import.meta.dirname, typeof import.meta.resolve, __filename, global === globalThis];',
    });
    const { code } = await aBundler(t).build(app.source('api/me'));
    assert.deepEqual(
      [...((await evaluate(code)).default() as unknown[])],
      ['file:///functions/api/me.js', '/functions/api', 'undefined', '/functions/api/me.js', true],
    );
    assert.ok(!code.includes(app.root));
  });

  test('JSON, text and binary files are imported as values', async (t) => {
    const app = anApp({
      'functions/files.js': `import data from './data.json'; import text from './note.md'; import sql from './q.sql'; import bytes from './b.bin';
export default () => [data.a, text, sql, bytes instanceof Uint8Array, [...bytes]];`,
      'functions/data.json': '{"a":1}',
      'functions/note.md': '# Hi',
      'functions/q.sql': 'select 1',
      'functions/b.bin': 'AB',
    });
    const { code } = await aBundler(t).build(app.source('files'));
    const result = (await evaluate(code, { Uint8Array })).default();
    assert.equal(JSON.stringify(result), '[1,"# Hi","select 1",true,[65,66]]');
  });

  test('a CommonJS function works as well', async (t) => {
    const app = anApp({
      'functions/old.js': 'module.exports = () => 5;\nmodule.exports.config = { type: "cron-job" };',
    });
    const { code } = await aBundler(t).build(app.source('old'));
    const module = await evaluate(code);
    assert.equal(module.default(), 5);
    assert.equal((module.config as { type: string }).type, 'cron-job');
  });

  test('a package that cannot be strict code is refused in the words of functions', async (t) => {
    const app = anApp({
      'functions/old.js': "import floor from 'sloppy';\nexport default () => floor(1.5);",
      'node_modules/sloppy/package.json': '{"name":"sloppy"}',
      'node_modules/sloppy/index.js': 'module.exports = (n) => { with (Math) return floor(n); };',
    });
    await assert.rejects(aBundler(t).build(app.source('old')), ({ message, hint }: ProjectError) => {
      assert.match(
        message,
        /node_modules\/sloppy\/index\.js:1:27: With statements cannot be used in functions, which are strict code as ES modules are\n/,
      );
      assert.equal(hint, 'Use another package, or a newer version of this one.');
      return true;
    });
  });

  test('the environment of the build is not in the bundle', async (t) => {
    process.env['FN_TEST_CANARY'] = 'canary-4711';
    t.after(() => delete process.env['FN_TEST_CANARY']);
    const app = anApp({
      'functions/env.js': 'export default () => [process.env.FN_TEST_CANARY, process.env.NODE_ENV];',
    });
    const { code } = await aBundler(t).build(app.source('env'));
    assert.ok(!code.includes('canary-4711'));
    const result = (await evaluate(code, { process: { env: {} } })).default() as unknown[];
    assert.deepEqual([...result], [undefined, 'production']);
  });

  test('minified code keeps the names of classes and functions', async (t) => {
    const app = anApp({
      'functions/named.js':
        'class NotFound extends Error { name = this.constructor.name }\nexport default () => new NotFound("x").name;',
    });
    const plain = await aBundler(t).build(app.source('named'));
    const small = await aBundler(t, { minify: true }).build(app.source('named'));
    assert.equal((await evaluate(small.code)).default(), 'NotFound');
    assert.notEqual(small.id, plain.id);
  });

  test('the same sources in another folder make the same bundle', async (t) => {
    const files = { 'functions/same.js': 'import x from "./x.txt"; export default () => x;', 'functions/x.txt': 'x' };
    const [one, two] = [anApp(files), anApp(files)];
    const bundler = aBundler(t);
    const [a, b] = [await bundler.build(one.source('same')), await bundler.build(two.source('same'))];
    assert.equal(a.id, b.id);
    assert.equal(a.sourceMap, b.sourceMap);
  });
});

describe('what is said of a build that fails', () => {
  test('a syntax error has file, line, column and source line', async (t) => {
    const app = anApp({ 'functions/broken.js': 'export default () => {\n  const ä = "é" +;\n};' });
    await assert.rejects(
      aBundler(t).build(app.source('broken')),
      (error: Error & { location?: unknown; code?: string }) => {
        assert.equal(error.code, 'build_failed');
        assert.deepEqual(error.location, {
          file: 'functions/broken.js',
          line: 2,
          column: 18,
          text: '  const ä = "é" +;',
        });
        assert.match(
          error.message,
          /^broken does not build\n\nfunctions\/broken\.js:2:18: Unexpected ";"\n {2}2 \| {3}const ä = "é" \+;\n {4}\| {18}\^$/,
        );
        return true;
      },
    );
  });

  test('an alias that leads nowhere is not taken for a package', async (t) => {
    const app = anApp({
      'functions/two.js': "import a from '@/a';\nimport b from '#b';\nexport default () => [a, b];",
    });
    await assert.rejects(aBundler(t).build(app.source('two')), (error: Error & { hint?: string }) => {
      assert.match(error.hint ?? '', /"paths" in tsconfig\.json/);
      assert.match(error.hint ?? '', /"imports" in package\.json/);
      assert.doesNotMatch(error.hint ?? '', /npm install/);
      return true;
    });
  });

  test('a package that functions cannot use is not to be installed', async (t) => {
    const app = anApp({ 'functions/photo.js': "import sharp from 'sharp';\nexport default () => sharp;" });
    await assert.rejects(aBundler(t).build(app.source('photo')), (error: Error & { hint?: string }) => {
      assert.match(error.hint ?? '', /Installed, sharp would not work in functions as it is\. Let a service/);
      assert.doesNotMatch(error.hint ?? '', /npm install sharp/);
      return true;
    });
  });

  test('what package.json names and nobody installed is installed by one command', async (t) => {
    const app = anApp({
      'package.json': '{"dependencies": {"zod": "4"}, "devDependencies": {"preact": "11"}}',
      'functions/deep/two.jsx': "import * as z from 'zod/mini';\nexport default () => [z, <p />];",
    });
    await assert.rejects(aBundler(t).build(app.source('deep/two', { file: 'functions/deep/two.jsx' })), {
      code: 'packages_not_installed',
      hint: 'What package.json names is not installed here yet: npm install',
    });
    app.write({ 'functions/other.js': "import z from 'zod';\nimport a from './a.js';\nexport default () => [z, a];" });
    await assert.rejects(aBundler(t).build(app.source('other')), { code: 'build_failed' });
  });

  test('the advice names the package manager of the project', async (t) => {
    const files = {
      'package.json': '{"dependencies":{"named":"1"}}',
      'pnpm-lock.yaml': '',
      'functions/f.js':
        "import named from 'named';\nimport unnamed from 'unnamed';\nexport default () => [named, unnamed];",
    };
    await assert.rejects(aBundler(t).build(anApp(files).source('f')), {
      hint: 'What package.json names is not installed here yet: pnpm install\nInstall it in the project: pnpm add unnamed',
    });
  });

  test("archives of Yarn's Plug'n'Play are not looked into, and the hint says what to set", async (t) => {
    const files = {
      'package.json': '{"dependencies":{"named":"1"}}',
      'yarn.lock': '',
      '.pnp.cjs': '',
      'functions/f.js': "import named from 'named';\nexport default () => named;",
    };
    await assert.rejects(aBundler(t).build(anApp(files).source('f')), {
      code: 'build_failed',
      hint: /nodeLinker: node-modules in \.yarnrc\.yml, and run: yarn install$/,
    });
  });

  test('a package of the workspace that is not built yet is to be built, not installed', async (t) => {
    const app = anApp({
      'package.json': '{"dependencies": {"@acme/kit": "*"}}',
      'packages/kit/package.json': '{"name": "@acme/kit", "exports": "./dist/index.js"}',
      'functions/one.js': "import kit from '@acme/kit';\nexport default () => kit;",
    });
    mkdirSync(join(app.root, 'node_modules/@acme'), { recursive: true });
    symlinkSync(join(app.root, 'packages/kit'), join(app.root, 'node_modules/@acme/kit'), 'junction');
    await assert.rejects(aBundler(t).build(app.source('one')), {
      code: 'build_failed',
      hint: '@acme/kit is packages/kit of this project, and has no such file yet: build that package first, or check what its package.json names.',
    });
  });

  test('a package that is installed above the package.json that names it is not to be installed again', async (t) => {
    const app = anApp({
      'node_modules/kit/package.json': '{"name": "kit", "main": "./gone.js"}',
      'functions/package.json': '{"dependencies": {"kit": "*"}}',
      'functions/one.js': "import kit from 'kit';\nexport default () => kit;",
    });
    await assert.rejects(aBundler(t).build(app.source('one')), {
      hint: 'kit is installed, and has no such file: check the path behind its name.',
    });
  });

  test('a path that an installed package does not have is not to be installed', async (t) => {
    const app = anApp({
      'node_modules/kit/package.json': '{"name": "kit"}',
      'functions/one.js': "import part from 'kit/part';\nexport default () => part;",
    });
    await assert.rejects(aBundler(t).build(app.source('one')), {
      hint: 'kit is installed, and has no such file: check the path behind its name.',
    });
  });

  test('every problem is in the message, not only the first', async (t) => {
    const app = anApp({
      'functions/two.js': "import a from './a.js';\nimport z from 'not-installed';\nexport default () => [a, z];",
    });
    await assert.rejects(aBundler(t).build(app.source('two')), (error: Error & { hint?: string }) => {
      assert.match(error.message, /two\.js:1:15: Could not resolve ".\/a\.js"/);
      assert.match(error.message, /two\.js:2:15: Could not resolve "not-installed"/);
      assert.match(error.hint ?? '', /npm install not-installed/);
      return true;
    });
  });

  test('a missing default export is found when building, at the export that may have been meant', async (t) => {
    const app = anApp({
      'functions/nameless.js': 'export const config = {};\n\nexport async function handler() {}\n',
    });
    await assert.rejects(aBundler(t).build(app.source('nameless')), {
      code: 'build_failed',
      message: /functions\/nameless\.js:3:1: the file exports no default function/,
      location: { file: 'functions/nameless.js', line: 3, column: 1, text: 'export async function handler() {}' },
    });
  });

  test('however many blank lines a file without a default export has, its first export is named', async (t) => {
    const app = anApp({ 'functions/f.js': `${'\n'.repeat(900_000)}export const last = 1;` });
    await assert.rejects(aBundler(t).build(app.source('f')), {
      code: 'build_failed',
      location: { file: 'functions/f.js', line: 900_001, column: 1, text: 'export const last = 1;' },
    });
  });

  test('a file that is missing, a folder, or huge is named with the reason', async (t) => {
    const app = anApp({ 'functions/folder.js/x.txt': '', 'functions/huge.js': `// ${'x'.repeat(2000)}` });
    const bundler = aBundler(t, { limits: { sourceBytes: 1000 } });
    await assert.rejects(bundler.build(app.source('gone')), { code: 'build_failed', message: /there is no such file/ });
    await assert.rejects(bundler.build(app.source('folder')), { code: 'build_failed', message: /this is a folder/ });
    await assert.rejects(bundler.build(app.source('huge')), {
      code: 'build_failed',
      message: /a source file may have/,
    });
  });

  test('a huge imported file and a huge bundle are refused, with what is in it', async (t) => {
    const app = anApp({
      'functions/data.js': 'import d from "./d.json"; export default () => d;',
      'functions/d.json': JSON.stringify({ text: 'x'.repeat(5000) }),
      'functions/code.js': `export default () => ${JSON.stringify('y'.repeat(900))};`,
    });
    const bundler = aBundler(t, { limits: { sourceBytes: 1000, bundleBytes: 500 } });
    await assert.rejects(bundler.build(app.source('data')), {
      code: 'build_failed',
      message: /a source file may have/,
    });
    await assert.rejects(bundler.build(app.source('code')), {
      code: 'build_failed',
      message: /the bundle has .*the largest parts:\n.*functions\/code\.js/s,
    });
  });

  test('terminal controls in a source line do not reach the message', async (t) => {
    const app = anApp({ 'functions/esc.js': 'export default "\u001b[2J\u202e" +;' });
    await assert.rejects(aBundler(t).build(app.source('esc')), (error: Error) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the very characters looked for
      assert.doesNotMatch(error.message, /[\u001b\u202e]/);
      return true;
    });
  });
});

test('a file of any ending can be imported as text or bytes, and the refusal without an attribute says so', async (t) => {
  const app = anApp({
    'functions/f.js':
      "import text from './a.toml' with { type: 'text' };\nimport bytes from './a.toml' with { type: 'bytes' };\nexport default () => [text, [...bytes]];",
    'functions/plain.js': "import text from './a.toml';\nexport default () => text;",
    'functions/a.toml': 'a=1',
  });
  const bundler = aBundler(t);
  const { code } = await bundler.build(app.source('f'));
  assert.deepEqual(await (await evaluateHere(code)).default(), ['a=1', [97, 61, 49]]);
  await assert.rejects(bundler.build(app.source('plain')), {
    message: /A \.toml file cannot be imported: functions\/a\.toml/,
    hint: /Add with \{ type: 'text' \} or with \{ type: 'bytes' \} to import any other file\./,
  });
});
