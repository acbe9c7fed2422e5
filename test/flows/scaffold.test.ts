import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { suite, test } from 'node:test';
import { functionTypeNames } from '../../src/contract/index.ts';
import { App } from './app.ts';

suite('from nothing to a tested app', { concurrency: 2 }, () => {
  for (const language of ['js', 'ts']) {
    test(`six commands scaffold six types in ${language}; they build, load, are listed and pass their tests`, async () => {
      const app = new App();
      rmSync(app.path('fn.config.json'));
      for (const [index, type] of functionTypeNames.entries()) {
        const argv = ['init', `one-${index}`, '--type', type, '--yes', ...(language === 'ts' ? ['--ts'] : [])];
        const made = await app.fn(argv);
        assert.equal(made.exitCode, 0, made.err);
      }
      const list = await app.fn(['list', '--json']);
      const { items }: { items: { type: string; file: string }[] } = JSON.parse(list.out);
      assert.deepEqual(items.map(({ type }) => type).sort(), [...functionTypeNames].sort());
      assert.ok(
        items.every(({ file }) => new RegExp(`\\.${language}x?$`).test(file)),
        list.out,
      );
      const build = await app.fn(['build', '--out', 'out']);
      assert.equal(build.exitCode, 0, build.err);
      const tests = await app.fn(['test']);
      assert.equal(tests.exitCode, 0, tests.out);
      assert.match(`${tests.out}${tests.err}`, /fail 0/);
    });
  }
});
