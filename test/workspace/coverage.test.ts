import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { operationNames, operationOf } from '../../src/contract/index.ts';

const textOf = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts') && name !== 'coverage.test.ts')
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

const tests = textOf(import.meta.dirname);
/** The machine refuses some of what the state would do, before it is asked. */
const ofMachine = textOf(join(import.meta.dirname, '../emulator/webhooks'));

test('every operation on the state is called in a test of this room', () => {
  const rows = operationNames.filter((name) => operationOf(name).by === 'state');
  const untested = rows.filter((name) => !new RegExp(`(call|refused)\\(\\s*'${name.replace('.', '\\.')}'`).test(tests));
  assert.deepEqual(untested, []);
});

test('every refusal that a row of the state names is asserted in a test of this room', () => {
  const rows = operationNames.filter(
    (name) => operationOf(name).by === 'state' && operationOf(name).localOnly !== true,
  );
  const unasserted = rows.flatMap((name) => {
    const { errors = [], firstCheck } = operationOf(name);
    return errors.filter((code) => !`${tests}${firstCheck ? ofMachine : ''}`.includes(`'${code}'`));
  });
  assert.deepEqual(unasserted, []);
});
