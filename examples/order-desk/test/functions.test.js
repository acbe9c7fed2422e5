import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aWorkspace } from 'convo-fn/testing';

const now = '2026-03-02T12:00:00Z';
const ann = '+493023125017';

test('an order is found by its number and by any spelling of the phone number', async () => {
  await using workspace = await aWorkspace({ now });
  const byNumber = await workspace.invoke('api/orders/find', {
    order: 'a-1017',
  });
  assert.equal(byNumber.orders[0].total, '€98.40');
  const byPhone = await workspace.invoke('api/orders/find', {
    phone: '(030) 231 250 17',
  });
  assert.deepEqual(byPhone.orders, byNumber.orders);
  assert.deepEqual(
    await workspace.invoke('api/orders/find', { order: 'A-9999' }),
    { orders: [] },
  );
});

test('the shop’s export is taken over with its customers; wrong lines are sent back', async () => {
  await using workspace = await aWorkspace({ now });
  const csv = [
    'order;placed;name;phone;article;quantity;price;status',
    'A-2001;2026-03-01;Tom Berg;030 23125 088;TNT-120;1;349,00;open',
    'A-2002;2026-03-01;Nobody;12;TNT-120;1;349,00;open',
  ].join('\n');
  const response = await workspace.fetch(
    '/api/dev/custom-functions/order-desk/api/orders/import.js',
    {
      method: 'POST',
      headers: { 'content-type': 'text/csv' },
      body: csv,
    },
  );
  assert.equal(response.status, 207);
  assert.deepEqual(await response.json(), {
    imported: 1,
    rejected: [{ line: 3, message: 'phone is no phone number' }],
  });

  const tom = await workspace.call('customers.find', {
    phone: '+493023125088',
  });
  assert.equal(tom.name, 'Tom Berg');
  assert.equal(tom.fields.lastOrder, 'A-2001');
});

test('an AI agent learns where an order is', async () => {
  await using workspace = await aWorkspace({ now });
  const status = await workspace.invoke('tools/order-status', {
    orderId: '#1017',
  });
  assert.equal(status.status, 'shipped');
  assert.deepEqual(status.items, ['1 × Head lamp', '3 × Steel bottle 0.5 l']);
  assert.equal(
    (await workspace.invoke('tools/order-status', { orderId: 'A-1' })).found,
    false,
  );
});

test('a small refund is made at once, the customer is told, and it counts', async () => {
  await using workspace = await aWorkspace({ now });
  const refund = { orderId: 'A-1017', euros: 19.5, reason: 'One bottle leaks' };

  const first = await workspace.invoke('tools/refund', refund);
  assert.deepEqual(first, {
    refunded: true,
    says: '€19.50 of A-1017 are refunded. The customer has been told.',
  });

  const customer = await workspace.call('customers.find', { phone: ann });
  const { items } = await workspace.call('conversations.list', {
    customerId: customer.id,
    inbox: 'all',
  });
  const { items: messages } = await workspace.call('messages.list', {
    conversationId: items[0].id,
  });
  assert.equal(messages.at(-1)?.template?.name, 'refund_confirmed');

  const rest = await workspace.invoke('tools/refund', {
    orderId: 'A-1017',
    euros: 79,
    reason: 'All of it',
  });
  assert.deepEqual(rest, {
    refunded: false,
    says: 'Only €78.90 of A-1017 are left to refund.',
  });
});

test('a large refund is handed to the people who decide', async () => {
  await using workspace = await aWorkspace({ now });
  const { conversationId } = await workspace.customerWrites({
    phone: '+442079460142',
    text: 'The tent is broken.',
  });

  const result = await workspace.invoke(
    'tools/refund',
    { orderId: 'A-1014', reason: 'The tent is broken' },
    { conversationId },
  );

  assert.deepEqual(result, {
    refunded: false,
    says: '€366.80 is more than €100.00: Returns decides.',
  });
  const conversation = await workspace.call('conversations.get', {
    id: conversationId,
  });
  const { items } = await workspace.call('workgroups.list', {});
  assert.equal(
    conversation.assignee.workgroupId,
    items.find(({ name }) => name === 'Returns')?.id,
  );
});

test('a person confirms a refund above 50 €, and nobody is asked about a smaller one', async () => {
  await using workspace = await aWorkspace({ now });
  const as = { aiAgent: 'support' };
  const small = await workspace.callTool(
    'refund_order',
    { orderId: 'A-1017', euros: 19.5, reason: 'One bottle leaks' },
    { as },
  );
  assert.equal(small.result.refunded, true);

  const large = await workspace.callTool(
    'refund_order',
    { orderId: 'A-1017', euros: 51, reason: 'It never came' },
    { as },
  );
  assert.equal(large.status, 'awaitingConfirmation');
  const denied = await workspace.answerConfirmation(
    large.confirmationId ?? '',
    'deny',
    { reason: 'It was delivered' },
  );
  assert.equal(denied.error?.code, 'tool_denied');
  assert.match(denied.error?.message ?? '', /It was delivered/);
});

test('an old order is not refunded, an unknown one neither, and nonsense is sent back to the model', async () => {
  await using workspace = await aWorkspace({ now });
  await workspace.invoke('cron/nightly-sync');
  await workspace.clock.advance('40d');
  // Every night the sync made the sample recent again; an order that came by hand ages.
  await workspace.invoke('api/orders/import', {
    csv: 'order,placed,name,phone,article,quantity,price,status\nA-3001,2026-02-01,Ann,030 23125 017,LMP-330,1,39.90,shipped',
  });
  const old = await workspace.invoke('tools/refund', {
    orderId: 'A-3001',
    reason: 'Too late',
  });
  assert.match(old.says, /refunds end after 30 days/);
  assert.match(
    (
      await workspace.invoke('tools/refund', {
        orderId: 'A-9999',
        reason: 'none',
      })
    ).says,
    /no order/,
  );
  await assert.rejects(
    workspace.invoke('tools/refund', { orderId: 'everything', reason: 'all' }),
    /order number/,
  );
});

test('the sync runs at a quarter past two in Berlin, every night', async () => {
  await using workspace = await aWorkspace({
    now: '2026-03-01T23:00:00Z',
    seed: {},
  });
  await workspace.clock.advance('2h');
  await assert.rejects(workspace.call('customers.find', { phone: ann }), {
    code: 'customer_not_found',
  });
  await workspace.clock.advance('30m');
  assert.equal(
    (await workspace.call('customers.find', { phone: ann })).fields.lastOrder,
    'A-1017',
  );
});

test('a flow goes by what is in stock, less what open orders have taken', async () => {
  await using workspace = await aWorkspace({ now });
  /** @param {{ article: string, quantity?: number }} input */
  const outcome = async (input) =>
    (await workspace.invoke('flow-nodes/check-stock', input)).outcome;
  assert.equal(await outcome({ article: 'TNT-120', quantity: 12 }), 'in-stock');
  assert.equal(await outcome({ article: 'BTL-050', quantity: 140 }), 'low');
  assert.equal(await outcome({ article: 'ple-121' }), 'sold-out');
  assert.equal(await outcome({ article: 'XXX-000' }), 'unknown');
});

test('installing checks the settings and brings the first orders', async () => {
  await using workspace = await aWorkspace({ now });
  const { settings, imported } = await workspace.invoke('setup', {
    refundLimitEuros: 10,
  });
  assert.deepEqual(settings, {
    refundLimitEuros: 10,
    refundDays: 30,
    workgroup: 'Returns',
  });
  assert.equal(imported, 6);
  const refund = await workspace.invoke('tools/refund', {
    orderId: 'A-1017',
    euros: 19.5,
    reason: 'One bottle leaks',
  });
  assert.equal(refund.refunded, false);
  await assert.rejects(
    workspace.invoke('setup', { workgroup: 'Nobody' }),
    /There is Returns, Sales, Support/,
  );
});
