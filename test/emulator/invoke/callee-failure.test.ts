import assert from 'node:assert/strict';
import test from 'node:test';
import { anEmulator, everyone, method } from '../an-emulator.ts';

const { emulator, post, events } = await anEmulator({
  secrets: { KEY: 'the-secret-key' },
  functions: {
    'orders/price': method(`
      const secret = await sdk.secrets.get('KEY');
      throw Object.assign(new TypeError('no price', { cause: new Error('no rows') }), { sku: 'A-1', secret });
    `),
    'orders/total': method("return await sdk.methods.call('orders/price');"),
    'orders/list': method("return await sdk.methods.call('orders/total');"),
    'orders/curious': method(
      "return sdk.methods.call('orders/price').catch((error) => JSON.stringify(error) + error.stack + error.cause);",
    ),
    'orders/forged': method(`
      const { invocationId } = await sdk.request.json();
      throw Object.assign(new Error('mine'), { details: { invocationId, error: {} } });
    `),
  },
});

const lastStackOf = (name: string) => {
  const event = events.findLast((one) => one.type === 'invoked' && one.function === name);
  return (event?.type === 'invoked' && event.error?.stack) || '';
};

const chain = `SdkError: TypeError: no price
    at default (orders/list.js:3:26)
caused by SdkError: TypeError: no price
    at default (orders/total.js:3:26)
caused by TypeError: no price
    at default (orders/price.js:5:27) {
  sku: 'A-1',
  secret: '[redacted]'
}
caused by Error: no rows
    at default (orders/price.js:5:62)`;

test('the journal has the whole chain of a failure that came through methods of the app', async () => {
  const refused = await emulator
    .door(everyone)('functions.invoke', { app: 'shop', name: 'orders/list' })
    .catch((error) => error);
  assert.equal(lastStackOf('orders/list'), chain);
  assert.equal(refused.details.error.stack, chain); // to whoever tries the function, too
  const { error } = (await emulator.door(everyone)('invocations.show', { id: refused.details.invocationId })) ?? {};
  assert.equal(error?.stack, chain);
});

test('the calling function, and a caller outside, learn nothing of what the error says of itself', async () => {
  const told = await (await post('/custom-functions/shop/orders/curious.js', {})).text();
  assert.match(told, /TypeError: no price/);
  assert.doesNotMatch(told, /A-1|no rows.*sku/);
  const outside = await (await post('/custom-functions/shop/orders/total.js', {})).text();
  assert.doesNotMatch(outside, /no price|orders\/price/);
});

test('a function that names another invocation is not told its failure', async () => {
  await post('/custom-functions/shop/orders/price.js', {});
  const failed = events.findLast((one) => one.type === 'invoked');
  await post('/custom-functions/shop/orders/forged.js', {
    invocationId: failed?.type === 'invoked' && failed.invocationId,
  });
  assert.match(lastStackOf('orders/forged'), /^Error: mine/);
  assert.doesNotMatch(lastStackOf('orders/forged'), /no price/);
});
