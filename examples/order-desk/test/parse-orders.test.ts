import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { madeRecent, parseOrders } from '../functions/_shared/parse-orders.ts';

const head = 'order,placed,name,phone,article,quantity,price,status';
const sample = await readFile(
  new URL('../functions/_data/orders.csv', import.meta.url),
  'utf8',
);

test('the lines of one order become one order, with its sum and a phone number in one form', () => {
  const { orders, rejected } = parseOrders(sample);
  assert.deepEqual(rejected, []);
  assert.equal(orders.length, 6);
  assert.deepEqual(
    orders.find(({ id }) => id === 'A-1017'),
    {
      id: 'A-1017',
      placed: '2026-02-24',
      status: 'shipped',
      customer: { name: 'Ann Larsen', phone: '+493023125017' },
      items: [
        { article: 'LMP-330', quantity: 1, cents: 3990 },
        { article: 'BTL-050', quantity: 3, cents: 1950 },
      ],
      totalCents: 9840,
      refundedCents: 0,
    },
  );
});

test('a name with a comma is turned round', () => {
  const { orders } = parseOrders(
    `${head}\nA-1015,2026-02-14,"Brandt, Oliver",030 23125 073,TNT-120,1,329,open`,
  );
  assert.equal(orders[0]?.customer.name, 'Oliver Brandt');
});

for (const [what, line, message] of [
  [
    'an order number',
    '1017,2026-02-24,Ann,030 23125 017,TNT-120,1,1.00,open',
    /^order is no order number/,
  ],
  [
    'a date',
    'A-1017,24.02.2026,Ann,030 23125 017,TNT-120,1,1.00,open',
    /^placed is no date/,
  ],
  [
    'a phone number',
    'A-1017,2026-02-24,Ann,12,TNT-120,1,1.00,open',
    /^phone is no phone number/,
  ],
  [
    'a quantity',
    'A-1017,2026-02-24,Ann,030 23125 017,TNT-120,0,1.00,open',
    /^quantity is less than 1/,
  ],
  [
    'a price',
    'A-1017,2026-02-24,Ann,030 23125 017,TNT-120,1,free,open',
    /^price is no price/,
  ],
  [
    'a status',
    'A-1017,2026-02-24,Ann,030 23125 017,TNT-120,1,1.00,lost',
    /^status is none of/,
  ],
  ['the number of columns', 'A-1017,2026-02-24,Ann', /columns/],
] as const)
  test(`a line with ${what} that is none is named, and the others are taken`, () => {
    const good =
      'A-1020,2026-02-27,Priya Nair,+1 202 555 0143,BTL-050,1,19.50,open';
    const { orders, rejected } = parseOrders(`${head}\n${line}\n${good}`);
    assert.deepEqual(
      orders.map(({ id }) => id),
      ['A-1020'],
    );
    assert.equal(rejected.length, 1);
    assert.equal(rejected[0]?.line, 2);
    assert.match(rejected[0]?.message ?? '', message);
  });

test('a file that is no CSV at all is named, too', () => {
  const { orders, rejected } = parseOrders(`${head}\n"never closed`);
  assert.deepEqual(orders, []);
  assert.equal(rejected.length, 1);
});

test('the sample never grows old: its newest order was placed yesterday', () => {
  const orders = madeRecent(
    parseOrders(sample).orders,
    new Date('2031-07-15T12:00:00Z'),
  );
  assert.equal(orders.at(-1)?.placed, '2031-07-14');
  assert.equal(orders[0]?.placed, '2031-06-19');
});
