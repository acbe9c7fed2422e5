import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isOperationName, operationNames, operationOf } from '../../src/contract/index.ts';
import { jsonSchemaOf, shapes } from '../../src/contract/shapes/index.ts';
import { packageFile } from '../../src/std/index.ts';
import { strayNames } from '../operation-names.ts';
import { librariesAtLoad, sourceFiles } from '../source-tree.ts';

test('a list, a comparison, a case, a union and a prefix are found; a call, a type and a handler are not', () => {
  for (const text of [
    "new Set(['customers.get', 'vars.get'])",
    "call(['customers.get'])",
    "if (name === 'customers.get') return;",
    "  case 'customers.get':",
    "type Mine = 'customers.get' | 'vars.get';",
    "f({ 'customers.get': true })",
    "name.startsWith('vars.')",
  ]) {
    assert.notDeepEqual(strayNames(text, false), [], text);
  }
  for (const text of [
    "await call('customers.get', { id })",
    "door(\n  'customers.get',\n  { id })",
    "await (await door())('customers.get', { id })",
    "follow(client, { operation: 'events.stream', input })",
    "pageBy(tx, 'customers.list', input)",
    "let input: Input<'customers.get'>;",
    "type Rest = Omit<HandlersOf<'customers'>, 'customers.get'>;",
    "handlers['customers.get'](input)",
    "// 'customers.get' is called first",
  ]) {
    assert.deepEqual(strayNames(text, false), [], text);
  }
  assert.deepEqual(strayNames("{ async 'customers.get'({ id }) {}, 'vars.get': read }", true), []);
});

test('the file of an area holds its operations and their shapes', () => {
  for (const area of sourceFiles().filter((file) => /^contract\/areas\/\w+\.ts$/.test(file))) {
    const rows = keysIn(area);
    assert.ok(rows.length > 0, area);
    assert.deepEqual(keysIn(area.replace('.ts', '.shapes.ts')).sort(), rows.sort());
  }
});

/** The operations that a file has as keys, at the first level. */
function keysIn(file: string): string[] {
  const text = readFileSync(packageFile(`src/${file}`), 'utf8');
  return [...text.matchAll(/^ {2}'([^']+)': \{/gm)].map(([, name = '']) => name).filter(isOperationName);
}

test('there is no shape without an operation', () => {
  assert.deepEqual(Object.keys(shapes).sort(), [...operationNames].sort());
});

test('an operation that is called list answers with items', () => {
  for (const name of operationNames.filter((one) => one.endsWith('.list'))) {
    const { properties } = jsonSchemaOf(name, 'output') as { properties?: object };
    assert.ok(properties && 'items' in properties, name);
  }
});

test('what an operation needs of an answer is in its shape', () => {
  for (const name of operationNames) {
    const { properties = {} } = jsonSchemaOf(name, 'output') as { properties?: object };
    for (const member of Object.keys(operationOf(name).needs ?? {}))
      assert.ok(member in properties, `${name} ${member}`);
  }
});

test('an operation for functions names one that others can reach', () => {
  for (const name of operationNames) {
    const { outside } = operationOf(name);
    if (outside === undefined) continue;
    assert.ok(isOperationName(outside), outside);
    assert.notEqual(operationOf(outside).route, null);
  }
});

test('an operation of a built-in app has the address of its function', () => {
  for (const name of operationNames) {
    const { builtIn, route } = operationOf(name);
    if (builtIn === undefined) continue;
    assert.ok(route?.endsWith(` /custom-functions/${builtIn.app}/${builtIn.name}.js`), name);
  }
});

test('the table is loaded without a library, its shapes with the schema library', () => {
  assert.deepEqual(librariesAtLoad('contract/index.ts'), []);
  assert.ok(librariesAtLoad('contract/shapes/index.ts').includes('zod'));
});
