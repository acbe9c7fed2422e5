import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokenInput, smallest, validInput } from '../../../src/cli/fuzz/inputs.ts';
import { schemaCheck } from '../../../src/contract/function-config/index.ts';
import { App } from '../../flows/app.ts';

const schema = {
  type: 'object',
  required: ['orderId', 'euros'],
  additionalProperties: false,
  properties: {
    orderId: { type: 'string', pattern: '^A-\\d{4}$' },
    euros: { type: 'number', exclusiveMinimum: 0, maximum: 500 },
    kind: { enum: ['all', 'part'] },
    items: {
      type: 'array',
      maxItems: 3,
      items: { type: 'object', required: ['sku'], properties: { sku: { type: 'string' } } },
    },
  },
};

test('inputs match the schema, are the same for the same seed, and a broken one does not match', async () => {
  const check = await schemaCheck(schema, 'the schema');
  let broken = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const valid = validInput(schema, seed);
    assert.deepEqual(check(valid), [], JSON.stringify(valid));
    assert.deepEqual(validInput(schema, seed), valid);
    if (check(brokenInput(valid, seed)).length > 0) broken++;
  }
  assert.ok(broken > 150, String(broken));
});

test('the smallest input that fails keeps what makes it fail', async () => {
  const fails = async (input: unknown) =>
    JSON.stringify(input).includes('"sku":') && (input as { euros?: number }).euros !== undefined;
  const found = await smallest({ orderId: 'A-1234', euros: 123.5, items: [{ sku: 'long' }, { sku: 'b' }] }, fails);
  assert.deepEqual(found, { euros: 0, items: [{ sku: '' }] });
});

test('fn tool fuzz finds a crash and an answer against the schema, and touches neither network nor workspace', async () => {
  const app = new App({
    'functions/tools/refund.js': `
export const config = {
  type: 'ai-tool', name: 'refund', description: 'Refunds',
  input: { type: 'object', required: ['euros'], additionalProperties: false,
    properties: { euros: { type: 'integer', minimum: 0, maximum: 1000 }, note: { type: 'string' } } },
  output: { type: 'object', required: ['ok'] },
};
export default async (sdk) => {
  const { euros, note } = sdk.tool.args;
  await sdk.store.set('touched', true);
  if (euros > 900) throw new Error('too much');
  if (note !== undefined) return note.missing.length;
  return euros % 2 === 0 ? { ok: true } : { wrong: true };
};
`,
    'functions/api/touched.js':
      "export const config = { type: 'server-side-method' };\nexport default (sdk) => sdk.store.get('touched');\n",
  });
  const { exitCode, out, err } = await app.fn(['tool', 'fuzz', 'refund', '--runs', '60', '--seed', '7', '--json']);
  assert.equal(exitCode, 3, err);
  const report = JSON.parse(out);
  assert.equal(report.seed, 7);
  assert.ok(report.refusedBySchema > 5 && report.answered > 5);
  assert.deepEqual(report.findings.map(({ kind }: { kind: string }) => kind).sort(), ['crash', 'output']);
  const crash = report.findings.find(({ kind }: { kind: string }) => kind === 'crash');
  assert.deepEqual(crash.input, { euros: 0, note: '' });
  assert.equal((await app.fn(['invoke', 'api/touched'])).out.trim(), 'null');
});

test('a fetch that fn tool fuzz refuses is counted, and no finding', async () => {
  const app = new App({
    'functions/tools/status.js': `
export const config = {
  type: 'ai-tool', name: 'status', description: 'Shows an order',
  input: { type: 'object', required: ['orderId'], additionalProperties: false, properties: { orderId: { type: 'string' } } },
};
export default async (sdk) => (await fetch('https://shop.example/' + encodeURIComponent(sdk.tool.args.orderId))).json();
`,
  });
  const { exitCode, out, err } = await app.fn(['tool', 'fuzz', 'status', '--runs', '9', '--seed', '7', '--json']);
  const report = JSON.parse(out || err);
  assert.deepEqual([report.findings, exitCode], [[], 0]);
  assert.equal(report.refusedByNetwork + report.refusedBySchema, 9);
  assert.ok(report.refusedByNetwork >= 6);
  const { out: told } = await app.fn(['tool', 'fuzz', 'status', '--runs', '9', '--seed', '7']);
  assert.match(told, /\d by the network\nNothing found\n/);
});
