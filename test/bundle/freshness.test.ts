import assert from 'node:assert/strict';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Bundler } from '../../src/bundle/index.ts';
import { sha256Hex } from '../../src/std/index.ts';
import { aBundler, anApp, evaluate, type TestApp, untimed } from './helpers.ts';

const files = {
  'functions/f.js': 'import { a } from "./_a.js";\nexport default () => a;',
  'functions/_a.js': 'export const a = 1;',
};

/** Sets the modification time back a minute: what is saved after this is newer for sure. */
function age(app: TestApp): void {
  const past = Date.now() / 1000 - 60;
  for (const path of readdirSync(app.root, { recursive: true, encoding: 'utf8' }))
    utimesSync(app.path(path), past, past);
}

async function resultOf(bundler: Bundler, app: TestApp): Promise<unknown> {
  return (await evaluate((await bundler.build(app.source('f'))).code)).default();
}

describe('whether a build is stale', () => {
  test('never built: yes; built and nothing changed: no', async (t) => {
    const app = anApp(files);
    age(app);
    const bundler = aBundler(t);
    assert.equal(bundler.staleSince(app.source('f')), true);
    await bundler.build(app.source('f'));
    assert.equal(bundler.staleSince(app.source('f')), false);
  });

  const changes: [title: string, change: (app: TestApp) => void, result?: unknown][] = [
    ['a save of an imported file', (app) => app.write({ 'functions/_a.js': 'export const a = 2;' }), 2],
    [
      'a save by rename that keeps size and modification time',
      (app) => {
        const { atime, mtime } = statSync(app.path('functions/_a.js'));
        writeFileSync(app.path('functions/_a.js.new'), 'export const a = 3;');
        utimesSync(app.path('functions/_a.js.new'), atime, mtime);
        renameSync(app.path('functions/_a.js.new'), app.path('functions/_a.js'));
      },
      3,
    ],
    [
      'a file that now comes first in the search for an import',
      (app) => app.write({ 'functions/_b.ts': 'export const b = 5;' }),
      5,
    ],
    ['a file that goes away', (app) => rmSync(app.path('functions/_a.js'))],
    ['compiler settings', (app) => app.write({ 'tsconfig.json': '{}' }), 1],
    ['an install', (app) => app.write({ 'node_modules/.package-lock.json': '{}' }), 1],
    ['what a link points to', (app) => app.write({ 'lib/later.tsx': 'export const b = 5;' }), 5],
  ];
  const folders: [title: string, aheadMs: number][] = [
    ['in folders that have changed just now', 0],
    ['in folders that have not changed for long', 60_000],
  ];
  const cases = folders.flatMap((folder) => changes.map((change) => [...folder, ...change] as const));
  for (const [where, aheadMs, title, change, result] of cases) {
    test(`${where}, ${title} is seen, and the next build has it`, async (t) => {
      const app = anApp({
        ...files,
        'functions/_a.js': 'export const a = 1;',
        'functions/_b.js': 'export const b = undefined;',
        'functions/f.js': 'import { a } from "./_a.js"; import { b } from "./_b";\nexport default () => b ?? a;',
      });
      age(app);
      mkdirSync(app.path('lib'));
      symlinkSync('../lib/later.tsx', app.path('functions/_b.tsx'));
      t.mock.timers.enable({ apis: ['Date'], now: Date.now() + aheadMs });
      const bundler = aBundler(t);
      assert.equal(await resultOf(bundler, app), 1);
      assert.equal(bundler.staleSince(app.source('f')), false);
      assert.equal(bundler.staleSince(app.source('f')), false);
      change(app);
      assert.equal(bundler.staleSince(app.source('f')), true);
      if (result === undefined) await assert.rejects(bundler.build(app.source('f')), { code: 'build_failed' });
      else assert.equal(await resultOf(bundler, app), result);
    });
  }

  test('a file saved while it was being read counts as changed', async (t) => {
    const app = anApp(files);
    age(app);
    const bundler = aBundler(t);
    const building = bundler.build(app.source('f'));
    // A save before it has begun would be in it, and count as none.
    await turnsOf(building, 1);
    app.write({ 'functions/_a.js': 'export const a = 9;' });
    await building;
    assert.equal(bundler.staleSince(app.source('f')), true);
    assert.equal(await resultOf(bundler, app), 9);
  });

  test('what fails because a file was read in the middle of its save is built again', async (t) => {
    const large = Array.from({ length: 20_000 }, (_, at) => `export const a${at} = () => ${at} + 1;`).join('\n');
    const begun = () => {
      const app = anApp({ 'functions/f.js': "import './_large.js';", 'functions/_large.js': large });
      age(app);
      return { app, building: aBundler(t).build(app.source('f')) };
    };
    const failing = begun().building;
    let turns = await turnsOf(failing);
    await assert.rejects(failing, { code: 'build_failed' });

    for (let wanted = turns / 2; ; wanted /= 2) {
      const { app, building } = begun();
      turns = await turnsOf(building, wanted);
      if (turns < wanted) continue; // it had failed by then
      app.write({ 'functions/f.js': 'export default () => 3;' });
      assert.equal((await evaluate((await building).code)).default(), 3);
      return;
    }
  });

  test('what lacks a value because a file was read while its save had only emptied it is built again', async (t) => {
    const large = Array.from({ length: 20_000 }, (_, at) => `export const a${at} = () => ${at} + 1;`).join('\n');
    const begun = () => {
      const app = anApp({
        'functions/f.js': "import './_large.js'; import { a } from './_a.js';\nexport default () => a;",
        'functions/_large.js': `${large}\nglobalThis.kept = [a1];`,
        'functions/_a.js': '',
      });
      age(app);
      return { app, building: aBundler(t).build(app.source('f')) };
    };
    const whole = begun().building;
    let turns = await turnsOf(whole);
    assert.equal((await evaluate((await whole).code)).default(), undefined);

    for (let wanted = turns / 2; ; wanted /= 2) {
      const { app, building } = begun();
      turns = await turnsOf(building, wanted);
      if (turns < wanted) continue; // it had been built by then
      app.write({ 'functions/_a.js': 'export const a = 3;' });
      assert.equal((await evaluate((await building).code)).default(), 3);
      return;
    }
  });

  test('after a failed build: no, until something changes that could mend it', async (t) => {
    const app = anApp({
      'functions/f.js': 'import { a } from "./_mid.js";\nexport default () => a;',
      'functions/_mid.js': 'export { a } from "./_gone.js";',
    });
    age(app);
    const bundler = aBundler(t);
    await assert.rejects(bundler.build(app.source('f')), { code: 'build_failed' });
    assert.equal(bundler.staleSince(app.source('f')), false);
    app.write({ 'functions/_gone.ts': 'export const a = 4;' });
    assert.equal(bundler.staleSince(app.source('f')), true);
    assert.equal(await resultOf(bundler, app), 4);
  });

  test('however long a gap in a file that does not build: it is still looked through for imports at once', async (t) => {
    const app = anApp({
      'functions/f.js': `import ${' '.repeat(500_000)}{ a } from "./_gone.js"; const text = 'from${' '.repeat(500_000)}here';\nexport default () => a;`,
    });
    age(app);
    const bundler = aBundler(t);
    await assert.rejects(bundler.build(app.source('f')), { code: 'build_failed' });
    assert.equal(bundler.staleSince(app.source('f')), false);
  });

  test('a package that appears mends an import that was not found', async (t) => {
    const app = anApp({ ...files, 'functions/f.js': 'import a from "pkg";\nexport default () => a;' });
    age(app);
    const bundler = aBundler(t);
    await assert.rejects(bundler.build(app.source('f')), { code: 'build_failed' });
    assert.equal(bundler.staleSince(app.source('f')), false);
    app.write({
      'node_modules/pkg/package.json': '{"name":"pkg"}',
      'node_modules/pkg/index.js': 'module.exports = 6;',
    });
    assert.equal(bundler.staleSince(app.source('f')), true);
    assert.equal(await resultOf(bundler, app), 6);
  });

  test('another file in the exports of a package of the workspace: yes', async (t) => {
    const manifest = (file: string) => JSON.stringify({ name: 'kit', type: 'module', exports: file });
    const app = anApp({
      'functions/f.js': 'import { a } from "kit";\nexport default () => a;',
      'packages/kit/package.json': manifest('./src/one.js'),
      'packages/kit/src/one.js': 'export const a = 1;',
      'packages/kit/src/two.js': 'export const a = 2;',
    });
    mkdirSync(app.path('node_modules'));
    symlinkSync(app.path('packages/kit'), app.path('node_modules/kit'), 'junction');
    age(app);
    const bundler = aBundler(t);
    assert.equal(await resultOf(bundler, app), 1);
    assert.equal(bundler.staleSince(app.source('f')), false);
    app.write({ 'packages/kit/package.json': manifest('./src/two.js') });
    assert.equal(bundler.staleSince(app.source('f')), true);
    assert.equal(await resultOf(bundler, app), 2);
  });

  test('a link on the way to an imported file that leads elsewhere now: yes', async (t) => {
    const app = anApp({
      'functions/f.js': 'import { a } from "./_shared/a.js";\nexport default () => a;',
      'one/a.js': 'export const a = 1;',
      'two/a.js': 'export const a = 2;',
    });
    symlinkSync(app.path('one'), app.path('functions/_shared'), 'junction');
    age(app);
    const bundler = aBundler(t);
    assert.equal(await resultOf(bundler, app), 1);
    assert.equal(bundler.staleSince(app.source('f')), false);
    rmSync(app.path('functions/_shared'));
    symlinkSync(app.path('two'), app.path('functions/_shared'), 'junction');
    assert.equal(bundler.staleSince(app.source('f')), true);
    assert.equal(await resultOf(bundler, app), 2);
    assert.equal(bundler.staleSince(app.source('f')), false);
  });

  test('a save that empties the file first is waited for', async (t) => {
    const app = anApp(files);
    age(app);
    const bundler = aBundler(t);
    await bundler.build(app.source('f'));
    writeFileSync(app.path('functions/f.js'), '');
    const building = bundler.build(app.source('f'));
    setTimeout(() => app.write({ 'functions/f.js': 'export default () => "whole";' }), 5);
    assert.equal((await evaluate((await building).code)).default(), 'whole');
  });

  test('calls at once share builds, and each sees what was saved before it', async (t) => {
    const app = anApp(files);
    const bundler = aBundler(t);
    const first = bundler.build(app.source('f'));
    app.write({ 'functions/_a.js': 'export const a = 7;' });
    const later = await Promise.all(Array.from({ length: 20 }, () => bundler.build(app.source('f'))));
    await first;
    assert.equal(new Set(later.map(({ id }) => id)).size, 1);
    assert.equal((await evaluate(later[0]?.code ?? '')).default(), 7);
  });

  test('functions whose compiler memory was freed for others build as before', async (t) => {
    const text = JSON.stringify('x'.repeat(3 * 1024 * 1024));
    const app = anApp({
      'functions/f.js': `import text from './_big.json'; export default () => text.length;`,
      'functions/g.js': `import text from './_big.json'; export default () => text.length + 1;`,
      'functions/_big.json': text,
    });
    age(app);
    const bundler = aBundler(t);
    const first = await bundler.build(app.source('f'));
    await bundler.build(app.source('g'));
    assert.equal(bundler.staleSince(app.source('f')), false);
    assert.equal((await bundler.build(app.source('f'))).id, first.id);
    // A second build opens the compiler's context: that of the one makes way for that of the other.
    await bundler.build(app.source('g'));
    assert.equal((await bundler.build(app.source('f'))).id, first.id);
  });

  test('a large function that may be saved soon is read ahead by the compiler, a small one is not', async (t) => {
    const text = JSON.stringify('x'.repeat(128 * 1024));
    const app = anApp({
      'functions/f.js': `import text from './_big.json'; export default () => text.length;`,
      'functions/g.js': 'export default () => 1;',
      'functions/_big.json': text,
    });
    age(app);
    const bundler = aBundler(t);
    for (const name of ['f', 'g']) {
      const { id } = await bundler.build(app.source(name));
      await bundler.keepWarm(app.source(name));
      await bundler.keepWarm(app.source(name));
      assert.equal(bundler.staleSince(app.source(name)), false);
      assert.equal((await bundler.build(app.source(name))).id, id);
    }
  });

  test('closing frees a function, and it can be built again', async (t) => {
    const app = anApp(files);
    const bundler = aBundler(t);
    await bundler.build(app.source('f'));
    await bundler.close(app.source('f'));
    assert.equal(bundler.staleSince(app.source('f')), true);
    assert.equal(await resultOf(bundler, app), 1);
  });
});

describe('the cache on disk', () => {
  /** Builds in a bundler of its own, as another process would; says whether the compiler was needed. */
  async function buildAnew(app: TestApp, options: { minify?: boolean } = {}) {
    const bundler = new Bundler({ cacheDir: app.path('.fn/bundles'), ...options });
    const bundle = await bundler.build(app.source('f'));
    await bundler.close();
    return bundle;
  }
  const entries = (app: TestApp) => readdirSync(app.path('.fn/bundles'));

  test('answers another process with the same bundle, and writes nowhere else', async () => {
    const app = anApp(files);
    age(app);
    const first = await buildAnew(app);
    assert.equal(entries(app).length, 1);
    assert.deepEqual(readdirSync(app.root).sort(), ['.fn', 'functions', 'package.json']);
    const written = statSync(app.path(join('.fn/bundles', entries(app)[0] ?? ''))).mtimeMs;
    assert.deepEqual(untimed(await buildAnew(app)), untimed(first));
    assert.equal(statSync(app.path(join('.fn/bundles', entries(app)[0] ?? ''))).mtimeMs, written);
  });

  test('is not believed when an input changed, even an installed one', async () => {
    const app = anApp({
      ...files,
      'functions/f.js': 'import a from "pkg"; export default () => a;',
      'node_modules/pkg/package.json': '{}',
      'node_modules/pkg/index.js': 'module.exports = 1;',
    });
    const first = await buildAnew(app);
    app.write({ 'node_modules/pkg/index.js': 'module.exports = 22;' });
    const second = await buildAnew(app);
    assert.notEqual(second.id, first.id);
    assert.equal((await evaluate(second.code)).default(), 22);
  });

  test('keeps minified and plain bundles apart', async () => {
    const app = anApp(files);
    assert.notEqual((await buildAnew(app)).id, (await buildAnew(app, { minify: true })).id);
    assert.equal(entries(app).length, 2);
  });

  test('that is damaged is made again', async () => {
    const app = anApp(files);
    age(app);
    const first = await buildAnew(app);
    const file = app.path(join('.fn/bundles', entries(app)[0] ?? ''));
    const whole = readFileSync(file);
    for (const damage of [
      Buffer.alloc(0),
      whole.subarray(0, whole.length - 5),
      Buffer.concat([whole, Buffer.from('x')]),
      Buffer.from('{}\nx'),
    ]) {
      writeFileSync(file, damage);
      assert.equal((await buildAnew(app)).id, first.id);
    }
    const changed = Buffer.from(whole);
    changed[changed.length - 20] = 0x20;
    writeFileSync(file, changed);
    assert.equal((await buildAnew(app)).id, first.id);
  });

  test('that came with a copy of the app is not believed, whatever it says of its inputs', async () => {
    const app = anApp(files);
    const honest = await buildAnew(app);
    const [name = ''] = entries(app);
    // As somebody plants it in a repository: other code, which hangs on no file.
    const [head = '', ...body] = readFileSync(app.path(join('.fn/bundles', name)), 'utf8').split('\n');
    const code = body.join('\n').replace('1', '2');
    const planted = `${JSON.stringify({ ...JSON.parse(head), stamps: [], body: sha256Hex(code) })}\n${code}`;
    rmSync(app.path('.fn'), { recursive: true });
    app.write({ [`.fn/bundles/${name}`]: planted });
    assert.equal((await buildAnew(app)).code, honest.code);
  });

  test('that cannot be written costs nothing but time', async () => {
    const app = anApp(files);
    mkdirSync(app.path('.fn'));
    writeFileSync(app.path('.fn/bundles'), 'a file in its place');
    assert.equal((await evaluate((await buildAnew(app)).code)).default(), 1);
    assert.equal(readFileSync(app.path('.fn/bundles'), 'utf8'), 'a file in its place');
  });

  test('removes what nobody has written for a month, and nothing that it has not made itself', async () => {
    const elsewhere = anApp({ 'thesis.txt': 'years of work', [`${'ab'.repeat(16)}.bundle`]: 'old' });
    const app = anApp(files);
    mkdirSync(app.path('.fn'));
    symlinkSync(elsewhere.root, app.path('.fn/bundles'), 'junction');
    const longAgo = new Date(Date.now() - 60 * 86_400_000);
    for (const name of readdirSync(elsewhere.root)) utimesSync(elsewhere.path(name), longAgo, longAgo);
    await buildAnew(app);
    const left = readdirSync(elsewhere.root);
    assert.ok(left.includes('thesis.txt'));
    assert.ok(!left.includes(`${'ab'.repeat(16)}.bundle`));
  });
});

/** Turns of the event loop until the work has ended, or as many as are given. */
async function turnsOf(work: Promise<unknown>, most = Number.POSITIVE_INFINITY): Promise<number> {
  let ended = false;
  const end = () => {
    ended = true;
  };
  work.then(end, end);
  let turns = 0;
  for (; !ended && turns < most; turns++) await new Promise((resolve) => setImmediate(resolve));
  return turns;
}
