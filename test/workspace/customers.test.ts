import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryEmail, tryPhone } from '../../src/workspace/identity.ts';
import fc from '../properties.ts';
import { admin, aWorkspace } from './support.ts';

test('customers are identified by phone or e-mail', async (t) => {
  const { call } = await aWorkspace(t);
  const ann = await call('customers.findOrCreate', { phone: '+49 30 901820', email: 'Ann@Mail.example', name: 'Ann' });
  assert.equal(ann.created, true);
  assert.equal(ann.phone, '+4930901820');
  assert.equal(ann.email, 'ann@mail.example');
  assert.equal((await call('customers.find', { phone: '0049 (30) 90-18-20' })).id, ann.id);
  assert.equal((await call('customers.find', { email: ' ANN@mail.EXAMPLE ' })).id, ann.id);
  const again = await call('customers.findOrCreate', { email: 'ann@mail.example', name: 'Somebody else' });
  assert.equal(again.created, false);
  assert.equal(again.name, 'Ann');
});

test('customers.find and customers.get say that nobody is there', async (t) => {
  const { refused } = await aWorkspace(t);
  assert.equal((await refused('customers.find', { phone: '+4930901820' })).code, 'customer_not_found');
  assert.equal((await refused('customers.get', { id: 'cus_nobody' })).code, 'customer_not_found');
  assert.equal((await refused('customers.update', { id: 'cus_nobody', name: 'A' })).code, 'customer_not_found');
});

test('a phone number and an e-mail address of two customers are ambiguous', async (t) => {
  const { call, refused } = await aWorkspace(t);
  const ann = await call('customers.findOrCreate', { phone: '+4930901820' });
  const bea = await call('customers.findOrCreate', { email: 'bea@mail.example' });
  const both = { phone: '+4930901820', email: 'bea@mail.example' };
  for (const name of ['customers.find', 'customers.findOrCreate'] as const) {
    const error = await refused(name, both);
    assert.equal(error.code, 'customer_ambiguous');
    assert.deepEqual(error.details, { customerIds: [ann.id, bea.id].sort() });
  }
  assert.equal((await call('customers.list', {})).items.length, 2);
});

test('a phone number whose plus was lost in a query is told how to write it', async (t) => {
  const { refused } = await aWorkspace(t);
  assert.match(String((await refused('customers.find', { phone: ' 4930901820' })).hint), /write it as %2B/);
  assert.match(String((await refused('customers.find', { phone: '030901820' })).hint), /country code/);
});

test('what is no phone number or e-mail address is refused with its path', async (t) => {
  const { refused } = await aWorkspace(t);
  for (const phone of [
    '12345',
    '12',
    '+49',
    '030 901820',
    '+49 30 abc',
    '+4930901820 ext. 5',
    '+999123456789',
    '+49309018201234567890',
  ]) {
    const error = await refused('customers.findOrCreate', { phone });
    assert.equal(error.code, 'recipient_invalid', phone);
    // One problem, said once: the command line leaves out what the message ends with.
    assert.equal(error.message, `phone: ${error.errors?.[0]?.message}`);
    assert.equal(error.errors?.[0]?.path, 'phone');
  }
  for (const email of [
    'ann',
    'ann@',
    '@mail.example',
    'ann@mail',
    'a b@mail.example',
    'ann@-mail.example',
    'a..b@mail.example',
  ]) {
    const error = await refused('customers.findOrCreate', { email });
    assert.equal(error.code, 'recipient_invalid', email);
    assert.equal(error.errors?.[0]?.path, 'email');
  }
  assert.equal((await refused('customers.findOrCreate', { name: 'Nobody' })).code, 'input_invalid');
});

test('a normalised phone number is a fixed point, and its spellings are one number', async () => {
  const national = fc.stringMatching(/^[1-9][0-9]{7}$/);
  const separator = fc.constantFrom('', ' ', '-', '.', ' - ', '/');
  await fc.assert(
    fc.asyncProperty(national, separator, separator, async (digits, first, second) => {
      const plain = await tryPhone(`+4930${digits}`);
      assert.equal(plain, `+4930${digits}`);
      const spelled = `+49${first}30${second}${digits.slice(0, 4)}${first}${digits.slice(4)}`;
      assert.equal(await tryPhone(spelled), plain, spelled);
      assert.equal(await tryPhone(spelled.replace('+', '00')), plain, spelled);
    }),
    { numRuns: 200 },
  );
});

test('whatever is accepted as a phone number or e-mail address normalises to itself', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.stringMatching(/^\+[0-9 ()-]{5,18}$/)), async (text) => {
      const phone = await tryPhone(text);
      if (phone === undefined) return;
      assert.match(phone, /^\+[1-9]\d{3,14}$/);
      assert.equal(await tryPhone(phone), phone);
    }),
  );
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.emailAddress()), (text) => {
      const email = tryEmail(text);
      if (email !== undefined) assert.equal(tryEmail(email), email);
    }),
  );
});

test('e-mail domains in other scripts are one with their ASCII form', async (t) => {
  const { call } = await aWorkspace(t);
  const { id, email } = await call('customers.findOrCreate', { email: 'ann@bücher.example' });
  assert.equal(email, 'ann@xn--bcher-kva.example');
  assert.equal((await call('customers.find', { email: 'ann@XN--bcher-kva.example' })).id, id);
});

test('customers.update changes what is named, merges fields, and null removes', async (t) => {
  const { call, clock, heard } = await aWorkspace(t);
  const { id } = await call('customers.findOrCreate', { phone: '+4930901820', fields: { city: 'Hamburg', orders: 1 } });
  clock.advance(5000);
  const changed = await call('customers.update', {
    id,
    name: 'Ann',
    email: 'ann@mail.example',
    fields: { orders: 2, city: null, vip: true },
  });
  assert.deepEqual(changed.fields, { orders: 2, vip: true });
  assert.equal(Date.parse(changed.updatedAt) - Date.parse(changed.createdAt), 5000);
  assert.deepEqual(heard.at(-1)?.previous, { name: null, email: null, fields: { city: 'Hamburg', orders: 1 } });
  assert.equal((await call('customers.update', { id, phone: null })).phone, null);
});

test('half an emoji is answered as it is kept', async (t) => {
  const { call } = await aWorkspace(t);
  const { id, name } = await call('customers.findOrCreate', { email: 'half@example.com', name: 'Ann \ud83d' });
  assert.equal(name, 'Ann \ufffd');
  assert.equal((await call('customers.get', { id })).name, name);
});

test('an update that changes nothing is no event', async (t) => {
  const { call, clock, heard } = await aWorkspace(t);
  const customer = await call('customers.findOrCreate', { phone: '+4930901820', name: 'Ann' });
  clock.advance(5000);
  const same = await call('customers.update', { id: customer.id, name: 'Ann', phone: '0049 30 901820' });
  assert.equal(same.updatedAt, customer.updatedAt);
  assert.deepEqual(
    heard.map((event) => event.type),
    ['customer.created'],
  );
});

test('an event does not repeat large fields, neither as they are nor as they were', async (t) => {
  const { call, heard } = await aWorkspace(t);
  const { id } = await call('customers.findOrCreate', { phone: '+4930901820', fields: { note: 'x'.repeat(30_000) } });
  await call('customers.update', { id, fields: { note: 'y'.repeat(30_000) } });
  const { data, previous } = heard.at(-1) ?? {};
  assert.deepEqual(data, { customer: { id, truncated: true } });
  assert.deepEqual(previous, { fields: { id: null, truncated: true } });
});

test('a customer keeps at least one identity, and none that is another’s', async (t) => {
  const { call, refused } = await aWorkspace(t);
  const ann = await call('customers.findOrCreate', { phone: '+4930901820' });
  const bea = await call('customers.findOrCreate', { email: 'bea@mail.example' });
  assert.equal((await refused('customers.update', { id: ann.id, phone: null })).code, 'recipient_invalid');
  const taken = await refused('customers.update', { id: ann.id, email: 'BEA@mail.example' });
  assert.equal(taken.code, 'customer_exists');
  assert.deepEqual(taken.details, { customerId: bea.id });
  assert.equal((await refused('customers.update', { id: ann.id, phone: 'none' })).code, 'recipient_invalid');
});

test('customers.list finds by part of name, e-mail or number, newest first', async (t) => {
  const { call, clock } = await aWorkspace(t);
  const named = [
    { name: 'Ann 100%', phone: '+4930901820' },
    { name: 'Bea', email: 'bea@shop.example' },
    { name: 'Cleo', phone: '+447700900123' },
    { name: 'Änne Ørsted', email: 'aenne@shop2.example' },
  ];
  for (const one of named) {
    await call('customers.findOrCreate', one);
    clock.advance(1);
  }
  const found = async (search: string) => (await call('customers.list', { search })).items.map((item) => item.name);
  assert.deepEqual(
    (await call('customers.list', {})).items.map((item) => item.name),
    ['Änne Ørsted', 'Cleo', 'Bea', 'Ann 100%'],
  );
  assert.deepEqual(await found('ann'), ['Ann 100%']);
  assert.deepEqual(await found('@shop.'), ['Bea']);
  for (const written of ['änne', 'ÄNNE ø', 'a\u0308nne']) assert.deepEqual(await found(written), ['Änne Ørsted']);
  assert.deepEqual(await found('7700 900'), ['Cleo']);
  assert.deepEqual(await found('+49 30 901820'), ['Ann 100%']);
  assert.deepEqual(await found('nobody'), []);
});

test('signs that a database gives a meaning to are looked for as they are', async (t) => {
  const { call } = await aWorkspace(t);
  const named = ['50%', '50 off', 'a_b', 'a.b', 'back\\slash', 'hey!', 'plain'];
  for (const [n, name] of named.entries()) await call('customers.findOrCreate', { name, email: `n${n}@shop.example` });
  const found = async (search: string) => (await call('customers.list', { search })).items.map((item) => item.name);
  assert.deepEqual(await found('%'), ['50%']);
  assert.deepEqual(await found('50%'), ['50%']);
  assert.deepEqual(await found('_'), ['a_b']);
  assert.deepEqual(await found('!'), ['hey!']);
  assert.deepEqual(await found('\\'), ['back\\slash']);
  assert.deepEqual(await found('k\\s'), ['back\\slash']);
});

test('two hundred requests for one new customer at once make one', async (t) => {
  const { workspace, call } = await aWorkspace(t, { onDisk: true });
  const made = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      workspace.call('customers.findOrCreate', { phone: n % 2 === 0 ? '+4930901820' : '+49 30 90 18 20' }, admin),
    ),
  );
  assert.equal(new Set(made.map((customer) => customer.id)).size, 1);
  assert.equal(made.filter((customer) => customer.created).length, 1);
  assert.equal((await call('customers.list', {})).items.length, 1);
});
