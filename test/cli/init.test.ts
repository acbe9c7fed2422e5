import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
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
