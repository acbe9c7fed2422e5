import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runFn } from './context.ts';
import { aFolder } from './fn-process.ts';

const init = (cwd: string, ...argv: string[]) =>
  runFn(['init', ...argv, '--type', 'tool', '--yes'], {
    cwd,
    env: { HOME: cwd, NO_COLOR: '1' },
    terminal: { out: true },
    columns: 60,
  });

test('the ending of a name says the language, whatever the rest of the app is written in', async () => {
  const cwd = aFolder();
  for (const [name, file] of [
    ['a.ts', 'a.ts'],
    ['b', 'b.ts'],
    ['functions/tools/c.js', 'c.js'],
  ] as const) {
    const { exitCode, err } = await init(cwd, name);
    assert.equal(exitCode, 0, err);
    assert.ok(existsSync(join(cwd, 'functions', 'tools', file)), file);
  }
});

test('the list of new files fits the terminal', async () => {
  const { out } = await init(aFolder(), 'refund');
  for (const line of out.split('\n')) assert.ok(line.length <= 60, line);
});

for (const [workspaces, app, schema] of [
  ['["apps/*"]', 'apps/desk', '../../node_modules/convo-fn/schema/'],
  ['{"packages":["./apps/**"]}', 'apps/eu/desk', '../../../node_modules/convo-fn/schema/'],
  ['["packages/*"]', 'apps/desk', './node_modules/convo-fn/schema/'],
  ['"apps/*"', 'apps/desk', './node_modules/convo-fn/schema/'],
] as const) {
  test(`in a repository with the workspaces ${workspaces}, the editor finds the schemas of ${app} in ${schema}`, async () => {
    const top = aFolder();
    writeFileSync(join(top, 'package.json'), `{"name":"shop","workspaces":${workspaces}}`);
    for (const more of [[], ['--example', 'order-desk']]) {
      const root = join(top, more.length === 0 ? app : `${app}-example`);
      mkdirSync(root, { recursive: true });
      const { exitCode, err } = await init(top, '-C', root, ...more);
      assert.equal(exitCode, 0, err);
      for (const [file, name] of [
        ['fn.config.json', 'fn.config.schema.json'],
        ['seed.json', 'seed.schema.json'],
      ] as const) {
        const { $schema } = JSON.parse(readFileSync(join(root, file), 'utf8')) as { $schema: string };
        assert.equal($schema, `${schema}${name}`);
      }
    }
  });
}
