import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { runFn } from './context.ts';
import { aFolder } from './fn-process.ts';

const home = aFolder();
const cwd = join(home, 'shop');
const around = { cwd, env: { HOME: home, PATH: process.env['PATH'] ?? '' } };
const build = (...argv: string[]) => runFn(['build', ...argv], around);
const source = join(cwd, 'functions/tools/refund.js');

before(async () => {
  const made = await runFn(['init', 'refund', '--type', 'tool', '--yes', '-C', 'shop'], { ...around, cwd: home });
  assert.equal(made.exitCode, 0, made.err);
  symlinkSync(join(cwd, 'functions'), join(cwd, 'a-link'));
});

for (const out of ['functions', './functions/built', 'a-link', 'a-link/not/there']) {
  test(`fn build --out ${out} does not write among the sources`, async () => {
    const text = readFileSync(source, 'utf8');
    const { exitCode, err } = await build('--out', out);
    assert.equal(exitCode, 2, err);
    assert.match(err, /would replace the sources of the functions\n→ Nothing was written/);
    assert.equal(readFileSync(source, 'utf8'), text);
    assert.ok(!existsSync(`${source}.map`));
  });
}

test('fn build replaces an earlier build, and no other script', async () => {
  for (const _ of [1, 2]) assert.equal((await build('--out', 'out')).exitCode, 0);
  mkdirSync(join(cwd, 'server/tools'), { recursive: true });
  const own = join(cwd, 'server/tools/refund.js');
  writeFileSync(own, 'export const mine = true;\n');
  const { exitCode, err } = await build('--out', 'server');
  assert.equal(exitCode, 2);
  assert.match(err, /refund\.js exists, and fn build did not write it\n→ Nothing was written/);
  assert.equal(readFileSync(own, 'utf8'), 'export const mine = true;\n');
});
