import assert from 'node:assert/strict';
import test from 'node:test';
import { missingAwaits } from '../../src/bundle/problems/missing-awaits.ts';
import { aBundler, anApp } from './helpers.ts';

/** `line:column` of each warning. */
function places(...lines: string[]): string[] {
  return missingAwaits('functions/a.ts', lines.join('\n')).map(
    ({ location }) => `${location?.line}:${location?.column}`,
  );
}

test('a promise that is used as if it were the answer is a warning with its place', () => {
  assert.deepEqual(
    missingAwaits('functions/a.js', 'export default async (sdk) => {\n  const { phone } = sdk.request.json();\n};'),
    [
      {
        code: 'await_missing',
        message: 'sdk.request.json(…) returns a promise. Is an "await" missing?',
        location: { file: 'functions/a.js', line: 2, column: 21, text: '  const { phone } = sdk.request.json();' },
      },
    ],
  );
  assert.deepEqual(places('const { phone, name = 1 } = sdk.request.json();'), []); // a default may hold anything
  assert.deepEqual(places('const { id }: Customer = sdk.customers.find({ phone });'), ['1:26']);
});

test('a property that is read from a promise is a warning', () => {
  assert.deepEqual(places("return sdk.secrets.get('KEY').length;"), ['1:8']);
  assert.deepEqual(places('return await sdk.request.json().phone;'), ['1:14']);
  assert.deepEqual(places('const customer = sdk.customers.find({ phone });', 'return customer.id;'), ['1:18']);
  assert.deepEqual(places('const body: Body = sdk.request.json();', 'return body?.phone + body.name;'), ['1:20']);
});

test('a promise that is used as one is none', () => {
  assert.deepEqual(places('const { phone } = await sdk.request.json();'), []);
  assert.deepEqual(places('sdk.customers.find({ phone }).then(({ id }) => id).catch(log);'), []);
  assert.deepEqual(places('const found = sdk.customers.find({ phone });', 'return (await found).id;'), []);
  assert.deepEqual(places('const found = sdk.customers.find({ phone });', 'return await found.then(idOf);'), []);
  assert.deepEqual(places('const a = sdk.agents.list();', 'const [{ items }] = await Promise.all([a]);'), []);
  assert.deepEqual(places('const a = sdk.agents.list();', 'return a;'), []);
  assert.deepEqual(places('const at = sdk.context.now();', 'return at.getTime();'), []);
  assert.deepEqual(places('const copy = sdk.request.clone();', 'return copy.headers;'), []);
});

test('a name that is used for something else, too, is left alone', () => {
  assert.deepEqual(
    places(
      'const a = sdk.agents.list();',
      'async () => {',
      '  const a = await sdk.agents.list();',
      '  return a.items;',
      '}',
    ),
    [],
  );
});

test('code in a comment is left alone', () => {
  assert.deepEqual(places('// const { phone } = sdk.request.json();', 'go(); // sdk.request.json().phone'), []);
  assert.deepEqual(places('/**', ' * const { phone } = sdk.request.json();', ' */'), []);
  assert.deepEqual(places("const at = 'https://a.example', n = sdk.request.json().n;"), ['1:37']);
});

test('a long text is read in no time', () => {
  const text =
    `${'const { '.repeat(20_000)}${'const x = sdk.'.repeat(20_000)}${'sdk.agents.list('.repeat(20_000)}${'const y: '.repeat(20_000)}`.slice(
      -250_000,
    );
  assert.deepEqual(missingAwaits('functions/a.js', text), []);
});

test('a build has the warnings of its function', async (t) => {
  const app = anApp({ 'functions/f.js': 'export default async (sdk) => sdk.request.json().phone;' });
  const { warnings } = await aBundler(t).build(app.source('f'));
  assert.deepEqual(
    warnings.map(({ code, location }) => [code, location?.file, location?.column]),
    [['await_missing', 'functions/f.js', 31]],
  );
});
