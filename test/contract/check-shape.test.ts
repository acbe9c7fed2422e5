import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { checkShape, shapes } from '../../src/contract/shapes/index.ts';

function problemsOf(shape: z.ZodType, given: unknown): string[] {
  const checked = checkShape(shape, given);
  return checked.fits ? [] : checked.problems.map(({ path, message }) => `${path}: ${message}`);
}

test('what fits is given back as the shape reads it', () => {
  assert.deepEqual(checkShape(z.strictObject({ n: z.coerce.number() }), { n: '3' }), { fits: true, value: { n: 3 } });
});

const said: readonly [z.ZodType, unknown, string][] = [
  [z.string(), undefined, 'is missing'],
  [z.literal(1), undefined, 'is missing'],
  [z.enum(['a', 'b']), undefined, 'is missing'],
  [z.string(), 7, 'must be a text, not a number'],
  [z.number(), 'seven', 'must be a number, not a text'],
  [z.coerce.number(), 'seven', 'must be a number'],
  [z.int(), 1.5, 'must be a whole number, not 1.5'],
  [z.boolean(), 'yes', 'must be true or false, not a text'],
  [z.array(z.string()), {}, 'must be a list, not an object'],
  [z.strictObject({}), [], 'must be an object, not a list'],
  [z.record(z.string(), z.string()), null, 'must be an object, not null'],
  [z.string().min(1), '', 'is empty'],
  [z.string().min(3), 'ab', 'must have at least 3 characters'],
  [z.string().max(1), 'ab', 'must have at most 1 character'],
  [z.string().length(2), 'a', 'must have exactly 2 characters'],
  [z.array(z.string()).min(1), [], 'must have at least 1 item'],
  [z.number().min(1), 0, 'must be at least 1'],
  [z.number().positive(), 0, 'must be more than 0'],
  [z.number().lt(5), 5, 'must be less than 5'],
  [z.number().multipleOf(0.5), 0.3, 'must be a multiple of 0.5'],
  [z.literal('text'), 'image', 'must be "text"'],
  [z.enum(['open', 'closed']), 'shut', 'must be one of "open", "closed"'],
  [z.iso.datetime(), 'today', 'must be a time like 2030-01-31T09:00:00Z (RFC 3339, UTC)'],
  [z.url(), 'here', 'must be an address like https://example.com/path'],
  [z.email(), 'nobody', 'is not an e-mail address'],
  [z.union([z.string(), z.number()]), true, 'does not have an allowed type'],
  [z.string().regex(/^a/, 'begins with a'), 'b', 'begins with a'],
  [z.string().refine(() => false, { message: 'give another' }), 'b', 'give another'],
];
for (const [shape, given, message] of said) {
  test(`${JSON.stringify(given) ?? 'nothing'} is refused: "field ${message}"`, () => {
    assert.deepEqual(problemsOf(z.strictObject({ field: shape }), { field: given }), [`field: ${message}`]);
  });
}

test('a field that is not known is named, with the one that was probably meant', () => {
  const shape = z.strictObject({ items: z.array(z.strictObject({ value: z.string(), index: z.int().optional() })) });
  assert.deepEqual(problemsOf(shape, { items: [{ value: 'a', indx: 1, other: 2 }], itms: [] }), [
    'items[0].indx: is not a known field; did you mean "index"?',
    'items[0].other: is not a known field; known: value, index',
    'itms: is not a known field; did you mean "items"?',
  ]);
});

test('of the kinds that something may be, the one that was meant is spoken of', () => {
  const kinds = z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('text'), text: z.string() }),
    z.strictObject({ type: z.literal('image'), url: z.string() }),
  ]);
  assert.deepEqual(problemsOf(z.strictObject({ part: kinds }), { part: { type: 'text', txt: 'a' } }), [
    'part.text: is missing',
    'part.txt: is not a known field; did you mean "text"?',
  ]);
  assert.deepEqual(problemsOf(z.strictObject({ part: kinds }), { part: { type: 'video' } }), [
    'part.type: must be one of "text", "image"',
  ]);
});

test('no operation answers an input of the wrong kind in words of the schema library', () => {
  const theirs = /Invalid|expected|received|Too (small|big)|Unrecognized/;
  const wrongs = [null, 7, 'text', [], [7], {}, true, Number.NaN, { nothing: 1 }, 'x'.repeat(10_000)];
  for (const [name, { input }] of Object.entries(shapes)) {
    const fields = input instanceof z.ZodObject ? Object.keys(input.shape) : [];
    for (const wrong of wrongs) {
      for (const given of [wrong, Object.fromEntries(fields.map((field) => [field, wrong]))]) {
        for (const problem of problemsOf(input, given)) assert.doesNotMatch(problem, theirs, name);
      }
    }
  }
});

const notJson: readonly [unknown, string][] = [
  [undefined, 'value: is missing'],
  [Number.NaN, 'value: is not JSON'],
  [new Date(0), 'value: is not JSON'],
  [{ list: [1, undefined] }, 'value.list[1]: is missing'],
  [{ a: { call: () => 1 } }, 'value.a.call: is not JSON'],
];
for (const [value, problem] of notJson) {
  test(`a value that is not JSON is refused at its place: "${problem}"`, () => {
    assert.deepEqual(problemsOf(shapes['vars.set'].input, { app: 'desk', name: 'LEVEL', value }), [problem]);
  });
}

test('any JSON value is kept as it is', () => {
  const value = { text: '', list: [0, -1.5, true, null, [], {}], 'a key': { '': 'x' } };
  const given = { app: 'desk', name: 'LEVEL', value };
  assert.deepEqual(checkShape(shapes['vars.set'].input, given), { fits: true, value: given });
});

test('a name that could be taken for a prototype is left out of a JSON value', () => {
  const value = JSON.parse('[{ "__proto__": { "a": 1 }, "b": { "__proto__": 1, "c": 2 } }]');
  const checked = checkShape(shapes['vars.set'].input, { app: 'desk', name: 'LEVEL', value });
  assert.deepEqual(checked.fits && checked.value, { app: 'desk', name: 'LEVEL', value: [{ b: { c: 2 } }] });
  value.push(undefined);
  assert.deepEqual(problemsOf(shapes['vars.set'].input, { app: 'desk', name: 'LEVEL', value }), [
    'value[1]: is missing',
  ]);
});

test('a name of a million characters is not repeated', () => {
  const [problem = ''] = problemsOf(z.strictObject({ a: z.string() }), { a: 'x', ['b'.repeat(1_000_000)]: 1 });
  assert.match(problem, /^b{99}…: is not a known field(; known: [\w, ]+)?$/);
  const inner = z.strictObject({ fields: z.record(z.string(), z.string()) });
  assert.match(problemsOf(inner, { fields: { ['c'.repeat(1_000_000)]: 1 } })[0] ?? '', /^fields\.c{99}…: must be/);
});

test('of thousands of unknown fields each is told, and what the first were meant to be', () => {
  const given = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`named${i}`, 1]));
  const problems = problemsOf(z.strictObject({ named0000: z.string() }), { named0000: '', ...given });
  assert.equal(problems.length, 5_000);
  assert.ok(problems.filter((problem) => problem.includes('did you mean')).length <= 100);
});

test('a number may arrive as text, but true, null, lists, empty and other texts are no numbers', () => {
  const shape = shapes['packs.use'].input;
  for (const days of [2, '2', '0.25']) assert.deepEqual(problemsOf(shape, { days }), []);
  for (const days of [true, null, [2], '', ' 2', '0x2', '2e0']) {
    assert.match(problemsOf(shape, { days }).join(), /^days: must be a number, not /, JSON.stringify(days));
  }
  assert.match(
    problemsOf(shapes['customers.list'].input, { limit: '' }).join(),
    /^limit: must be a number, not a text$/,
  );
});
