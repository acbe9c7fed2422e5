import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isOperationName, operationNames, operationOf } from '../../src/contract/index.ts';
import { jsonSchemaOf, shapes } from '../../src/contract/shapes/index.ts';
import { packageFile } from '../../src/std/index.ts';
import { sourceFiles } from '../source-tree.ts';

/** Where an operation's name may stand as a key, because the compiler compares the keys with the table. */
const handlers = [
  'workspace/handlers/',
  'emulator/handlers/',
  'emulator/http/bytes.ts',
  'emulator/http/streams.ts',
  'client/simulations.ts',
];

/** Other names of operations, and why. */
const exceptions: readonly { file: string; name: string; why: string }[] = [
  {
    file: 'cli/workspaces/embedded.ts',
    name: 'functions.invoke',
    why: 'our own commands give it typed input, and would load the schema library for this alone',
  },
  {
    file: 'workspace/invocations/invocation-log.ts',
    name: 'functions.invoke',
    why: 'what the journal says of an invocation, which is not written through the door',
  },
];

const names = new RegExp(`'((?:${operationNames.map((name) => name.replace('.', '\\.')).join('|')}))'`, 'g');
const areas = [...new Set(operationNames.map((name) => name.split('.')[0]))];
const prefixes = new RegExp(`'((?:${areas.join('|')})\\.)'`, 'g');

/**
 * Names of operations in a text other than to call one, `call('customers.get', …)`, or for its types, `Input<'customers.get'>`:
 * the members of a list, a case, a comparison, a prefix.
 * @param keysAllowed whether a name may be a key: `'customers.get': …`, `async 'customers.get'(…)`
 */
function strayNames(text: string, keysAllowed: boolean): string[] {
  const code = text.replace(/^\s*(?:\/\/|\/\*|\*).*$/gm, '');
  const found = [...code.matchAll(names)].filter(({ 0: quoted, index }) => {
    const before = code.slice(0, index).trimEnd();
    const after = code.slice(index + quoted.length).trimStart();
    if (keysAllowed && /^[:(]/.test(after)) return false;
    if (/[<,]$/.test(before) && after.startsWith('>')) return false;
    if (/[\w)\]]\[$/.test(before) && after.startsWith(']')) return false;
    return !(/[(,]$/.test(before) && isArgument(before));
  });
  return [...found, ...code.matchAll(prefixes)].map(([, name = '']) => name);
}

/** Whether a place is inside the round brackets of a call. */
function isArgument(before: string): boolean {
  let depth = 0;
  for (let at = before.length - 1; at >= 0; at--) {
    const character = before[at] ?? '';
    if (')]}'.includes(character)) depth++;
    else if ('([{'.includes(character) && --depth < 0)
      return character === '(' && /[\w)\]>]$/.test(before.slice(0, at));
  }
  return false;
}

test('no list of operation names stands beside the table', () => {
  const strays = sourceFiles()
    .filter((file) => !file.startsWith('contract/areas/'))
    .flatMap((file) => {
      const keysAllowed = handlers.some((place) => file.startsWith(place));
      return strayNames(readFileSync(packageFile(`src/${file}`), 'utf8'), keysAllowed).map((name) => ({ file, name }));
    });
  assert.deepEqual(
    strays,
    exceptions.map(({ file, name }) => ({ file, name })),
  );
});

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
