import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { type TestContext, test } from 'node:test';
import { watchApp } from '../../src/bundle/index.ts';
import type { MachineError } from '../../src/std/index.ts';
import { until } from '../until.ts';
import { anApp } from './helpers.ts';

/** Watches, changes, and waits until `expected` (relative paths) have all been told; returns the batches. */
async function told(
  t: TestContext,
  change: (path: (relative: string) => string) => void | Promise<void>,
  expected: string[],
) {
  const app = anApp({
    'functions/a.js': 'a',
    'functions/b.js': 'b',
    'node_modules/p/i.js': '',
    '.fn/x': '',
    '.git/HEAD': '',
  });
  const batches: string[][] = [];
  const missing = new Set(expected);
  const { promise, resolve } = Promise.withResolvers<void>();
  const watcher = await watchApp(
    app.root,
    (paths) => {
      const batch = paths.map((path) => relative(app.root, path));
      batches.push(batch);
      for (const path of batch) missing.delete(path);
      if (missing.size === 0) resolve();
    },
    assert.fail,
  );
  t.after(() => watcher.close());
  await change(app.path);
  await promise;
  return batches;
}

test('a save is told once, by its absolute path', async (t) => {
  assert.deepEqual(await told(t, (path) => writeFileSync(path('functions/a.js'), 'aa'), ['functions/a.js']), [
    ['functions/a.js'],
  ]);
});

test('a save that empties the file and then writes it is told once, with the file whole', async (t) => {
  const batches = await told(
    t,
    async (path) => {
      writeFileSync(path('functions/a.js'), '');
      await new Promise((done) => setTimeout(done, 20));
      writeFileSync(path('functions/a.js'), 'whole');
    },
    ['functions/a.js'],
  );
  assert.deepEqual(batches, [['functions/a.js']]);
});

test('a save by rename tells the file, not the temporary one', async (t) => {
  const batches = await told(
    t,
    (path) => {
      writeFileSync(path('functions/.a.js.swp'), 'x');
      writeFileSync(path('functions/a.js~'), 'x');
      writeFileSync(path('functions/a.js.tmp'), 'new');
      renameSync(path('functions/a.js.tmp'), path('functions/a.js'));
    },
    ['functions/a.js'],
  );
  assert.deepEqual(new Set(batches.flat()), new Set(['functions/a.js']));
});

test('new, changed and removed files are told', async (t) => {
  const expected = ['functions/a.js', 'functions/b.js', 'functions/new.js'];
  const batches = await told(
    t,
    (path) => {
      writeFileSync(path('functions/a.js'), 'aa');
      rmSync(path('functions/b.js'));
      writeFileSync(path('functions/new.js'), 'n');
    },
    expected,
  );
  assert.deepEqual(new Set(batches.flat()), new Set(expected));
});

test('files saved together are told together', async (t) => {
  const files = Array.from({ length: 100 }, (_, index) => `functions/new-${index}.js`);
  const batches = await told(
    t,
    (path) => {
      for (const file of files) writeFileSync(path(file), 'n');
    },
    files,
  );
  assert.ok(batches.length < files.length / 2, `${files.length} files were told in ${batches.length} calls`);
});

test('what happens in node_modules, .fn and .git is not told', async (t) => {
  const batches = await told(
    t,
    (path) => {
      for (const file of ['node_modules/p/i.js', '.fn/x', '.git/HEAD']) writeFileSync(path(file), 'changed');
      writeFileSync(path('functions/b.js'), 'bb');
    },
    ['functions/b.js'],
  );
  assert.deepEqual(new Set(batches.flat()), new Set(['functions/b.js']));
});

test('packages that were installed are told by what is written last, also where there were none before', async (t) => {
  for (const file of ['.package-lock.json', '.modules.yaml', '.yarn-state.yml', '.yarn-integrity']) {
    const marker = `node_modules/${file}`;
    const batches = await told(
      t,
      (path) => {
        rmSync(path('node_modules'), { recursive: true });
        mkdirSync(path('node_modules/q'), { recursive: true });
        writeFileSync(path('node_modules/q/package.json'), '{}');
        writeFileSync(path(marker), '{}');
      },
      [marker],
    );
    assert.deepEqual(new Set(batches.flat()), new Set([marker]));
  }
});

test('packages of the workspace that an app belongs to are told, too', async (t) => {
  const repository = anApp({ 'pnpm-lock.yaml': '', 'apps/desk/functions/a.js': 'a' });
  const { promise, resolve } = Promise.withResolvers<string[]>();
  const watcher = await watchApp(repository.path('apps/desk'), resolve, assert.fail);
  t.after(() => watcher.close());
  mkdirSync(repository.path('node_modules/q'), { recursive: true });
  writeFileSync(repository.path('other.js'), 'not of this app');
  writeFileSync(repository.path('node_modules/.modules.yaml'), '');
  assert.deepEqual(await promise, [repository.path('node_modules/.modules.yaml')]);
});

test('a file beside the app from which a function was built is told, also after it was replaced; an installed one is not', async (t) => {
  const repository = anApp({ 'apps/desk/functions/a.js': 'a', 'kit/kit.js': '1', 'node_modules/p/i.js': '1' });
  let heard = Promise.withResolvers<string[]>();
  const watcher = await watchApp(repository.path('apps/desk'), (paths) => heard.resolve(paths), assert.fail);
  t.after(() => watcher.close());
  const kit = repository.path('kit/kit.js');
  watcher.follow([repository.path('apps/desk/functions/a.js'), kit, repository.path('node_modules/p/i.js')]);
  for (const text of ['two', 'three']) {
    heard = Promise.withResolvers();
    await until('the save is told', async () => {
      repository.write({ 'node_modules/p/i.js': text, 'kit/kit.js.tmp': text });
      renameSync(repository.path('kit/kit.js.tmp'), kit);
      return (await Promise.race([heard.promise, undefined])) !== undefined;
    });
    assert.deepEqual(await heard.promise, [kit]);
  }
});

test('a folder elsewhere that a link leads to is not watched: it may be the whole disk', async (t) => {
  const elsewhere = anApp({ 'notes.js': '1' });
  const app = anApp({ 'functions/a.js': 'a' });
  symlinkSync(elsewhere.root, app.path('functions/linked'), 'junction');
  const heard: string[] = [];
  const watcher = await watchApp(app.root, (paths) => heard.push(...paths), assert.fail);
  t.after(() => watcher.close());
  elsewhere.write({ 'notes.js': 'changed' });
  app.write({ 'functions/a.js': 'changed' });
  await until('the save in the app is told', () => heard.includes(app.path('functions/a.js')));
  assert.deepEqual(heard, [app.path('functions/a.js')]);
});

test('after close nothing is told', async () => {
  const app = anApp({ 'functions/a.js': 'a' });
  let calls = 0;
  const watcher = await watchApp(app.root, () => calls++, assert.fail);
  writeFileSync(app.path('functions/a.js'), 'b');
  await watcher.close();
  await new Promise((done) => setTimeout(done, 50));
  assert.equal(calls, 0);
});

test('what cannot be watched is told, once for each reason, and the rest is watched', async (t) => {
  const app = anApp({ 'functions/a.js': 'a' });
  for (const name of ['one', 'two']) symlinkSync(name, app.path(name));
  const problems: MachineError[] = [];
  const { promise, resolve } = Promise.withResolvers<string[]>();
  const watcher = await watchApp(app.root, resolve, (problem) => problems.push(problem));
  t.after(() => watcher.close());
  writeFileSync(app.path('functions/a.js'), 'aa');
  assert.deepEqual(await promise, [app.path('functions/a.js')]);
  assert.deepEqual(
    problems.map(({ code }) => code),
    ['watch_failed'],
  );
  assert.match(problems[0]?.message ?? '', /ELOOP/);
  assert.match(problems[0]?.hint ?? '', /next request/);
});
