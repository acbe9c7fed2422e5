import assert from 'node:assert/strict';
import test from 'node:test';
import {
  configFields,
  type Fields,
  parseFunctionConfig,
  schemaCheck,
} from '../../src/contract/function-config/index.ts';
import { type FunctionType, functionTypeNames } from '../../src/contract/index.ts';
import { ProjectError } from '../../src/std/index.ts';
import fc from '../properties.ts';

const parse = (raw: unknown) => parseFunctionConfig(raw, { app: 'shop', name: 'api/x', file: 'functions/api/x.js' });

function refused(raw: unknown, code: string, said: RegExp): ProjectError {
  try {
    parse(raw);
  } catch (error) {
    assert.ok(error instanceof ProjectError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(`${error.message} ${error.hint}`, said);
    assert.equal(error.location?.file, 'functions/api/x.js');
    return error;
  }
  return assert.fail(`${JSON.stringify(raw)} was not refused`);
}

const tool = { type: 'ai-tool', name: 'refund', description: 'Refunds an order', input: { type: 'object' } };
const least: Record<FunctionType, Record<string, unknown>> = {
  'server-side-method': { type: 'server-side-method' },
  'custom-flow-node': { type: 'custom-flow-node', title: 'Check', outcomes: ['yes'] },
  'custom-view': { type: 'custom-view', title: 'Panel', placement: 'page' },
  'ai-tool': tool,
  'cron-job': { type: 'cron-job', schedule: '@hourly' },
  'custom-app-setup': { type: 'custom-app-setup' },
};

test('each type is content with the least', () => {
  for (const type of functionTypeNames) assert.equal(parse(least[type]).type, type);
});

test('parsing what was parsed gives the same', () => {
  for (const type of functionTypeNames) assert.deepEqual(parse(parse(least[type])), parse(least[type]));
  const long = { ...tool, limits: { timeoutMs: 500 }, annotations: { destructive: true } };
  assert.deepEqual(parse(parse(long)), parse(long));
});

test('what is left out has the value that is safe', () => {
  assert.deepEqual(parse({ type: 'server-side-method' }), { type: 'server-side-method', expose: false });
  assert.deepEqual(parse({ type: 'server-side-method', expose: {} }), {
    type: 'server-side-method',
    expose: { methods: ['POST'], auth: 'token' },
  });
  assert.deepEqual(parse(least['cron-job']), {
    type: 'cron-job',
    schedule: '@hourly',
    timezone: 'UTC',
    overlap: 'skip',
  });
  assert.equal((parse({ ...tool, annotations: { destructive: true } }) as { confirm: string }).confirm, 'human');
  assert.equal((parse(tool) as { confirm: string }).confirm, 'never');
});

test('no config, another type and no type say what to write', () => {
  refused(undefined, 'config_missing', /export const config = \{ type: 'server-side-method' \}/);
  refused([], 'config_invalid', /must be an object/);
  refused({}, 'config_invalid', /type: 'server-side-method'/);
  refused({ type: 'tool' }, 'config_type_unknown', /Did you mean 'ai-tool'/);
  refused({ type: 'server-side-metod' }, 'config_type_unknown', /Did you mean 'server-side-method'/);
});

test('a field that the type does not have is refused, and the near one is named', () => {
  refused({ type: 'server-side-method', expos: {} }, 'config_unknown_field', /config\.expos .*Did you mean "expose"/);
  refused({ ...tool, limits: { walMs: 1 } }, 'config_unknown_field', /config\.limits\.walMs .*wallMs/);
  refused({ type: 'cron-job', schedule: '@hourly', title: 'x' }, 'config_unknown_field', /config\.title/);
});

test('limits can only be lowered', () => {
  refused({ type: 'server-side-method', limits: { wallMs: 30_001 } }, 'config_invalid', /at most 30000/);
  refused({ type: 'server-side-method', limits: { wallMs: 0 } }, 'config_invalid', /at least 1/);
  refused({ type: 'server-side-method', limits: { wallMs: '1s' } }, 'config_invalid', /whole number/);
});

test('what cannot be true together is refused', () => {
  refused(
    { ...tool, annotations: { readOnly: true, destructive: true } },
    'config_contradictory',
    /readOnly and destructive/,
  );
  refused({ ...tool, limits: { timeoutMs: 1, wallMs: 2 } }, 'config_contradictory', /timeoutMs and wallMs/);
  refused({ type: 'server-side-method', expose: { methods: ['HEAD'], input: {} } }, 'config_contradictory', /HEAD/);
});

test('an exposure is spelled out', () => {
  refused({ type: 'server-side-method', expose: true }, 'config_invalid', /config\.expose must be an object/);
  refused({ type: 'server-side-method', expose: { methods: ['get'] } }, 'config_invalid', /methods\[0\]/);
  refused({ type: 'server-side-method', expose: { methods: [] } }, 'config_invalid', /must not be empty/);
  refused({ type: 'server-side-method', expose: { methods: ['GET', 'GET'] } }, 'config_invalid', /repeats/);
  refused({ type: 'server-side-method', expose: { auth: 'none' } }, 'config_invalid', /'token' or 'public'/);
});

test('a schedule has five or six fields or a nickname, and comes true some day', () => {
  for (const schedule of ['0 6 * * 1-5', '*/10 * * * * *', '@daily', '0 0 29 2 *'])
    assert.ok(parse({ type: 'cron-job', schedule }));
  for (const schedule of [
    '',
    '* * * *',
    '0 0 30 2 *',
    '61 * * * *',
    '@fortnightly',
    '2026-01-01T00:00:00Z',
    'a b c d e',
    5,
  ]) {
    refused({ type: 'cron-job', schedule }, 'config_invalid', /config\.schedule/);
  }
});

test('a time zone is one of the time zone database', () => {
  for (const timezone of ['Mars/Olympus', '+02:00', '', 1])
    refused({ ...least['cron-job'], timezone }, 'config_invalid', /time zone|zone/);
  assert.equal(
    (
      parseFunctionConfig(least['cron-job'], { app: 'a', name: 'cron/x', timezone: 'Asia/Tokyo' }) as {
        timezone: string;
      }
    ).timezone,
    'Asia/Tokyo',
  );
});

test('every field of every type has words for the reference', () => {
  const look = (fields: Fields, path: string): void => {
    for (const [name, { summary, takes, holds }] of Object.entries(fields)) {
      assert.ok(summary && takes, `${path}.${name}`);
      assert.ok(takes !== 'object' || holds, `${path}.${name} says what it holds`);
      look(holds ?? {}, `${path}.${name}`);
    }
  };
  for (const [type, fields] of Object.entries(configFields)) look(fields, type);
});

test('nothing that a file may export as config makes the parser itself fail', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.jsonValue(),
        fc.record(
          {
            type: fc.constantFrom(...functionTypeNames),
            expose: fc.jsonValue(),
            schedule: fc.string(),
            limits: fc.jsonValue(),
            input: fc.jsonValue(),
            name: fc.string(),
          },
          { requiredKeys: ['type'] },
        ),
      ),
      (raw) => {
        try {
          parse(raw);
        } catch (error) {
          assert.ok(error instanceof ProjectError, String(error));
        }
      },
    ),
  );
});

test('a value is looked at by a schema, and each problem has its path', async () => {
  const check = await schemaCheck(
    {
      type: 'object',
      properties: {
        list: {
          type: 'array',
          items: { type: 'object', properties: { n: { minimum: 2 } }, additionalProperties: false },
        },
      },
      required: ['a'],
    },
    'input',
  );
  assert.deepEqual(
    check({ list: [{ n: 1 }, { x: 1 }] })
      .map(({ path }) => path)
      .sort(),
    ['a', 'list[0].n', 'list[1].x'],
  );
  assert.deepEqual(check({ a: 1 }), []);
});

test('of a field that a schema does not know it is said which was probably meant', async () => {
  const properties = { phone: { type: 'string' }, at: { properties: { city: {} }, unevaluatedProperties: false } };
  const check = await schemaCheck({ type: 'object', additionalProperties: false, properties }, 'config.input');
  assert.deepEqual(
    check({ phon: '+4930901820', at: { citty: 'Berlin' }, colour: 'red' }).map((one) => `${one.path}: ${one.message}`),
    [
      'phon: is not a known field; did you mean "phone"?',
      'colour: is not a known field; known: phone, at',
      'at.citty: is not a known field; did you mean "city"?',
    ],
  );
});

test('a value of another type is told in the words of the operations', async () => {
  const properties = {
    name: { type: 'string' },
    count: { type: ['integer', 'null'] },
    open: { type: 'boolean' },
    email: { type: 'string', format: 'email' },
  };
  const check = await schemaCheck({ type: 'object', properties }, 'config.input');
  assert.deepEqual(
    check({ name: 1, count: '1', open: 'yes', email: 'ann' }).map((one) => `${one.path} ${one.message}`),
    [
      'name must be a text',
      'count must be a whole number or null',
      'open must be true or false',
      'email is not an e-mail address',
    ],
  );
  assert.deepEqual(check([]), [{ path: '', message: 'must be an object' }]);
});

test('two patterns of one schema are two patterns', async () => {
  const check = await schemaCheck({ properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } } }, 'input');
  assert.deepEqual(
    check({ a: 'a', b: 'a' }).map(({ path }) => path),
    ['b'],
  );
});

test('a text that fits neither its format nor the pattern for it is told the format', async () => {
  const date = { type: 'string', format: 'date', pattern: '^\\d{4}-(?:0[1-9]|1[0-2])-\\d\\d$' };
  const check = await schemaCheck({ properties: { day: date, days: { items: date } } }, 'input');
  const said = 'must be a date like 2030-01-31';
  assert.deepEqual(check({ day: '2026-13-30', days: ['2026-12-30', 'soon'] }), [
    { path: 'day', message: said },
    { path: 'days[1]', message: said },
  ]);
  const short = await schemaCheck({ type: 'string', format: 'date', pattern: '^2026' }, 'input');
  assert.deepEqual(short('2025-01-01'), [{ path: '', message: 'must match pattern "^2026"' }]);
});

test('a pattern that linear time cannot match says so', async () => {
  await assert.rejects(schemaCheck({ pattern: '(?=a)b' }, 'config.input'), { code: 'schema_invalid' });
});

test('a schema that names a meta-schema of before is taken as one of today', async () => {
  const check = await schemaCheck(
    { $schema: 'http://json-schema.org/draft-07/schema#', type: 'string', format: 'email' },
    'input',
  );
  assert.equal(check('no').length, 1);
});

test('a pattern is one of JavaScript', async () => {
  const check = await schemaCheck({ pattern: '^[\\u00c0-\\u017f\\x20]+\\/\\cJ?(?<year>\\d{4})$' }, 'input');
  assert.deepEqual(check('Äö Ü/2026'), []);
  assert.equal(check('Ao/2026').length, 1);
});

test('a multiple is one of the numbers as they are written', async () => {
  const check = await schemaCheck({ multipleOf: 0.01 }, 'input');
  for (const price of [19.99, 0.07, 1.1, -4.35, 0, 123456789.01, 1e21, 5e300])
    assert.deepEqual(check(price), [], `${price}`);
  for (const price of [0.001, 19.999, 1e-300, Number.POSITIVE_INFINITY])
    assert.deepEqual(check(price), [{ path: '', message: 'must be a multiple of 0.01' }], `${price}`);
});

test('a schema cannot make its check a promise, which nobody would wait for', async () => {
  const check = await schemaCheck({ $async: true, type: 'string' }, 'input');
  assert.equal(check(7).length, 1);
});

test('what is wrong with a schema is said once, with its place', async () => {
  const said = (problem: string) => ({
    code: 'schema_invalid',
    message: `config.input is not a usable JSON Schema: ${problem}`,
  });
  await assert.rejects(
    schemaCheck({ properties: { x: { type: 'strin' } } }, 'config.input'),
    said('properties.x.type must be one of array, boolean, integer, null, number, object, string'),
  );
  await assert.rejects(
    schemaCheck({ properties: { x: { items: [{}, {}] } } }, 'config.input'),
    said('properties.x.items must be an object or true or false'),
  );
});

test('the values of an enum are shown as JSON, texts as they are', async () => {
  const check = await schemaCheck({ enum: ['a', 2, null, { b: [] }] }, 'input');
  assert.deepEqual(check('c'), [{ path: '', message: 'must be one of a, 2, null, {"b":[]}' }]);
});

test('a list of a hundred thousand items is looked through once for items that stand twice', async () => {
  const check = await schemaCheck({ uniqueItems: true }, 'config.input');
  const items = Array.from({ length: 100_000 }, (_, i) => (i % 2 === 0 ? i : { a: i, b: [i] }));
  assert.deepEqual(check(items), []);
  const twice = [{ path: '', message: 'must not hold the same item twice' }];
  assert.deepEqual(check([...items, 0]), twice);
  assert.deepEqual(check([...items, { b: [1], a: 1 }]), twice);
  assert.deepEqual(check(['1', 1, true, 'true', null, 'null', [], {}, '{}', [1, 2], [2, 1]]), []);
});

for (const [title, schema, value] of [
  ['that leads round', { $ref: '#' }, {}],
  ['that looks twice at each level', { allOf: [{ items: { $ref: '#' } }, { items: { $ref: '#' } }] }, nested(60)],
  [
    'that is twice as much with each reference',
    {
      $defs: Object.fromEntries(
        Array.from({ length: 60 }, (_, n) => [
          `d${n}`,
          { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
        ]),
      ),
      $ref: '#/$defs/d0',
    },
    'x',
  ],
  [
    'of many patterns for many names',
    { patternProperties: Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`^a${n}`, true])) },
    Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, 1])),
  ],
] as const) {
  test(`a schema ${title} does not hold the process for ever`, async () => {
    const definitions = '$defs' in schema ? { ...schema, $defs: { ...schema.$defs, d60: { type: 'string' } } } : schema;
    const check = await schemaCheck(definitions, 'schema');
    assert.deepEqual(check(value), [{ path: '', message: 'takes too long to check against its schema' }]);
  });
}

test('a schema that refers to itself looks at a tree of any depth', async () => {
  const check = await schemaCheck({ type: ['array', 'number'], items: { $ref: '#' } }, 'schema');
  assert.deepEqual(check(nested(150)), []);
  assert.deepEqual(check([[1], ['x']]), [{ path: '[1][0]', message: 'must be a list or a number' }]);
});

test('what has the wrong size is told in the words in which operations tell it of their fields', async () => {
  const check = await schemaCheck(
    {
      properties: {
        phone: { type: 'string', minLength: 5 },
        tags: { type: 'array', maxItems: 1 },
        fields: { type: 'object', minProperties: 2 },
        days: { type: 'number', minimum: 1 },
        share: { type: 'number', exclusiveMaximum: 0.5 },
      },
    },
    'config.input',
  );
  assert.deepEqual(
    check({ phone: '+49', tags: [1, 2], fields: {}, days: 0, share: 0.5 }).map(
      ({ path, message }) => `${path} ${message}`,
    ),
    [
      'phone must have at least 5 characters',
      'tags must have at most 1 item',
      'fields must have at least 2 fields',
      'days must be at least 1',
      'share must be less than 0.5',
    ],
  );
});

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let n = 0; n < levels; n++) value = [value];
  return value;
}

test('a name of a million characters is not repeated', async () => {
  const check = await schemaCheck({ additionalProperties: { type: 'string' }, maxProperties: 1 }, 'config.input');
  const closed = await schemaCheck({ additionalProperties: false }, 'config.input');
  const given = { ['a'.repeat(1_000_000)]: 1 };
  for (const [problem] of [check(given), closed(given)]) assert.equal(problem?.path, `${'a'.repeat(99)}…`);
});
