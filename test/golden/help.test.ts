import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { allCommands, rows } from '../../src/cli/commands.ts';
import { runFn } from '../cli/context.ts';
import { matchesGolden } from './golden.ts';

const commands = await allCommands();
const words = rows.filter((row) => 'verbs' in row).map(({ word }) => word);

test('fn help', async () => {
  const { exitCode, out, err } = await runFn(['help']);
  assert.deepEqual({ exitCode, err }, { exitCode: 0, err: '' });
  matchesGolden('help/fn.txt', out);
});

test('fn, fn help and fn --help say the same', async () => {
  const [bare, help, flag] = await Promise.all([runFn([]), runFn(['help']), runFn(['--help'])]);
  assert.equal(bare.out, help.out);
  assert.equal(flag.out, help.out);
});

for (const { name } of commands) {
  test(`fn help ${name}`, async () => {
    const { exitCode, out, err } = await runFn(['help', ...name.split(' ')], { columns: 100 });
    assert.deepEqual({ exitCode, err }, { exitCode: 0, err: '' });
    matchesGolden(`help/${name.replace(' ', '-')}.txt`, out);
    assert.equal((await runFn([...name.split(' '), '--help'], { columns: 100 })).out, out);
  });
}

for (const word of words) {
  test(`fn help ${word}`, async () => {
    const { out } = await runFn(['help', word]);
    matchesGolden(`help/${word}.group.txt`, out);
  });
}

test('there is no help of a command that is gone', () => {
  const expected = ['fn.txt', ...commands.map(({ name }) => `${name.replace(' ', '-')}.txt`), ...words.map((word) => `${word}.group.txt`)];
  assert.deepEqual(readdirSync(join(import.meta.dirname, 'help')).sort(), expected.sort());
});
