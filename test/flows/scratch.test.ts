import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { suite, test } from 'node:test';
import { App, aMethod } from './app.ts';

suite('fn invoke of a file', { concurrency: 2 }, () => {
  test('where there is no app: a default function is enough, and the folder stays as it is', async () => {
    const folder = new App({
      'try.mts': `import { word } from './_word.js';
export default async (sdk: { request: Request; store: { increment(key: string): Promise<number> } }) => {
  console.log('trying');
  return { word, input: await sdk.request.json(), count: await sdk.store.increment('n') };
};`,
      '_word.js': "export const word = 'kiwi';",
    });
    rmSync(folder.path('fn.config.json'));
    const before = readdirSync(folder.root);
    for (let i = 0; i < 2; i++) {
      const { exitCode, out, err } = await folder.fn(['invoke', './try.mts', '-d', '{"a":1}']);
      assert.deepEqual([exitCode, JSON.parse(out)], [0, { word: 'kiwi', input: { a: 1 }, count: 1 }], err);
      assert.equal(err, 'trying\n');
    }
    assert.deepEqual(readdirSync(folder.root), before);
  });

  test('in an app it can call the app’s functions, and a running fn dev is left alone', async () => {
    const app = new App({
      'functions/count.js': aMethod("sdk.store.increment('count')"),
      'scripts/try.mjs': "export default (sdk) => sdk.methods.call('count', undefined, { method: 'GET' });",
    });
    const dev = await app.dev();
    try {
      assert.equal((await dev.get('count')).body, 1);
      const { exitCode, out, err } = await app.fn(['invoke', 'scripts/try.mjs']);
      assert.deepEqual([exitCode, out], [0, '1\n'], err);
      assert.equal((await dev.get('count')).body, 2);
    } finally {
      await dev.stop();
    }
  });

  test('an error in it shows its own line', async () => {
    const app = new App({ 'try.mjs': 'export default () => {\n  throw new Error("no");\n};' });
    const { exitCode, err } = await app.fn(['invoke', './try.mjs']);
    assert.equal(exitCode, 5);
    assert.match(err, /try\.mjs:2:9\n {2}2 \| {3}throw new Error/);
  });

  test('with --json standard error holds the error and nothing else, with what was logged', async () => {
    const app = new App({
      'try.mjs':
        'const fail = () => {\n  throw new Error("no");\n};\nexport default () => {\n  console.log("trying");\n  fail();\n};',
    });
    const { exitCode, out, err } = await app.fn(['invoke', './try.mjs', '--json']);
    assert.deepEqual([exitCode, out], [5, '']);
    const { error } = JSON.parse(err);
    assert.equal(error.code, 'function_failed');
    assert.deepEqual(
      error.logs.map(({ text }: { text: string }) => text),
      ['trying'],
    );
    assert.deepEqual([error.location.line, error.frames.length], [2, 2]);
  });

  test('with --json a result carries what was logged, and standard error stays empty', async () => {
    const app = new App({ 'try.mjs': 'export default () => console.log("trying");' });
    const { exitCode, out, err } = await app.fn(['invoke', './try.mjs', '--json']);
    assert.deepEqual([exitCode, err], [0, '']);
    assert.equal(JSON.parse(out).logs[0].text, 'trying');
  });

  test('a file that is not there is told as that', async () => {
    const { exitCode, err } = await new App().fn(['invoke', './nowhere.mjs']);
    assert.equal(exitCode, 2);
    assert.match(err, /no file \.\/nowhere\.mjs/);
  });
});
