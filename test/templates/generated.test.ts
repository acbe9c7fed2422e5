import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { generateAll } from '../../scripts/generate/all.ts';
import { assetEndings } from '../../scripts/generate/types.ts';
import { staleFiles } from '../../scripts/generate/write.ts';
import { packageFile, textEndings } from '../../src/std/index.ts';

test('types, schemas and reference are as the contract makes them (if not: npm run generate)', async () => {
  assert.deepEqual(await staleFiles(await generateAll()), []);
});

test('what is generated says nothing of zod', async () => {
  for (const [path, text] of await generateAll()) assert.doesNotMatch(text, /\bzod\b|__schema/, path);
});

for (const [schema, file] of [
  ['fn.config', 'templates/app/fn.config.json'],
  ['seed', 'templates/app/seed.json'],
] as const)
  test(`the schema for editors of ${schema} takes the file that fn init writes, and refuses a field it does not know`, async () => {
    const text = (await readFile(packageFile(file), 'utf8')).replaceAll('{{app}}', 'order-desk');
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const validate = ajv.compile(JSON.parse(await readFile(packageFile(`schema/${schema}.schema.json`), 'utf8')));
    const value = JSON.parse(text) as Record<string, unknown>;
    assert.equal(validate(value), true, ajv.errorsText(validate.errors));
    assert.equal(validate({ ...value, unknownField: 1 }), false);
  });

test('the schema of seed refuses what a workspace would, as far as a schema can', async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const validate = ajv.compile(JSON.parse(await readFile(packageFile('schema/seed.schema.json'), 'utf8')));
  const withCustomer = (customer: object) => validate({ customers: [customer] });
  const assigned = (assign: object) => ({ phone: '+4930901820', conversations: [{ channel: 'sms', assign }] });
  assert.equal(withCustomer({ phone: '+4930901820' }), true);
  assert.equal(withCustomer({ email: 'ann@shop.example' }), true);
  assert.equal(withCustomer({ name: 'Ann' }), false, 'a customer whom nothing identifies');
  assert.equal(withCustomer(assigned({ workgroup: 'Support' })), true);
  assert.equal(withCustomer(assigned({})), false, 'assigned to nobody');
  assert.equal(withCustomer(assigned({ agentEmail: 'a@shop.example', agentId: 'agt_1' })), false, 'to two');
});

test('every ending that the types know is one that the bundler takes', async () => {
  const options = await readFile(packageFile('src/bundle/compiler/options.ts'), 'utf8');
  const texts: readonly string[] = textEndings;
  for (const ending of [...assetEndings.texts, ...assetEndings.bytes])
    assert.ok(texts.includes(`.${ending}`) || options.includes(`'.${ending}'`), ending);
});
