import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { operationNames, operationOf } from '../../src/contract/index.ts';

const tests = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.test.ts') && name !== 'coverage.test.ts')
  .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  .join('\n');

test('every operation on the state is called in a test of this room', () => {
  const rows = operationNames.filter((name) => operationOf(name).by === 'state');
  const untested = rows.filter((name) => !new RegExp(`(call|refused)\\(\\s*'${name.replace('.', '\\.')}'`).test(tests));
  assert.deepEqual(untested, []);
});

test('every refusal that a row of the state names is asserted in a test of this room', () => {
  const rows = operationNames.filter(
    (name) => operationOf(name).by === 'state' && operationOf(name).localOnly !== true,
  );
  const codes = new Set(rows.flatMap((name) => operationOf(name).errors ?? []));
  assert.deepEqual(
    [...codes].filter((code) => !tests.includes(`'${code}'`)),
    [],
  );
});
