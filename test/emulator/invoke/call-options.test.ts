import assert from 'node:assert/strict';
import test from 'node:test';
import { anEmulator, method } from '../an-emulator.ts';

const { post } = await anEmulator({
  functions: {
    registers: method(
      'const { options } = await sdk.request.json(); return sdk.customers.findOrCreate({ phone: "+4930901820" }, options).then(() => "done", ({ code, message }) => ({ code, message }));',
    ),
  },
});
const registers = async (options: unknown) =>
  await (await post('/custom-functions/shop/registers.js', { options })).json();

test('a call of sdk takes a key and a version beside its input', async () => {
  assert.equal(await registers({ idempotencyKey: 'a-1' }), 'done');
  assert.equal(await registers({}), 'done');
  assert.equal(await registers(null), 'done');
});

test('a call of sdk may be handed to map, which gives an index beside the input', async () => {
  assert.equal(await registers(0), 'done');
});

for (const [name, options, says] of [
  ['a key that is a number', { idempotencyKey: 17 }, 'idempotencyKey: must be text'],
  ['a key that is missing where it was meant', { idempotencyKey: null }, 'idempotencyKey: must be text'],
  ['a version that is none', { ifMatch: true }, 'ifMatch: must be text'],
  [
    'a misspelt option',
    { idempotencykey: 'a-2' },
    'idempotencykey: is not a known field; did you mean "idempotencyKey"?',
  ],
  ['a key in the place of the options', 'a-3', 'the options must be an object, as { idempotencyKey: "a-1" }'],
] as const) {
  test(`${name} is refused, for nothing would keep it from being done twice`, async () => {
    assert.deepEqual(await registers(options), {
      code: 'input_invalid',
      message: `sdk.customers.findOrCreate – ${says}`,
    });
  });
}
