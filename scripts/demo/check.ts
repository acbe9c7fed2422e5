import assert from 'node:assert/strict';
import { checkView } from './check-view.ts';
import type { RunningDemo } from './start-dev.ts';

interface Check {
  readonly type: string;
  readonly does: string;
  run(demo: RunningDemo): Promise<string>;
}

/** One check per function type, each by a real request. */
const checks: readonly Check[] = [
  {
    type: 'Custom App Setup',
    does: 'ran at the first start and imported the sample orders',
    async run(demo) {
      const { items } = await ask(demo, 'GET', '/invocations?function=setup');
      assert.equal(items[0]?.status, 'ok');
      return `${items[0].id} ${items[0].trigger}`;
    },
  },
  {
    type: 'Server Side Method',
    does: 'parses an export with csv-parse and checks it with zod and libphonenumber-js',
    async run(demo) {
      const csv =
        'order;placed;name;phone;article;quantity;price;status\nA-2001;2026-03-01;Tom Berg;030 23125 088;TNT-120;1;349,00;open\nA-2002;2026-03-01;Nobody;12;TNT-120;1;349,00;open\n';
      const imported = await ask(demo, 'POST', '/custom-functions/order-desk/api/orders/import.js', { csv });
      assert.equal(imported.imported, 1);
      assert.equal(imported.rejected.length, 1);
      const found = await ask(demo, 'POST', '/custom-functions/order-desk/api/orders/find.js', {
        phone: '030 23125 088',
      });
      assert.ok(found.orders.some((order: { id: string }) => order.id === 'A-2001'));
      return `${imported.imported} imported, ${imported.rejected.length} rejected with its line`;
    },
  },
  {
    type: 'AI Tool',
    does: 'refunds within the rules of the shop, and tells the customer',
    async run(demo) {
      const { result } = await invoke(demo, 'tools/refund', { orderId: 'A-2001', euros: 10, reason: 'arrived late' });
      assert.equal(typeof result.refunded, 'boolean');
      await assert.rejects(invoke(demo, 'tools/refund', { reason: 'no order' }), /function_input_invalid/);
      return result.says;
    },
  },
  {
    type: 'Custom Flow Node',
    does: 'chooses one of its outcomes',
    async run(demo) {
      const { result } = await invoke(demo, 'flow-nodes/check-stock', { article: 'TNT-120', quantity: 1 });
      assert.ok(['in-stock', 'low', 'sold-out', 'unknown'].includes(result.outcome));
      return result.outcome;
    },
  },
  {
    type: 'Cron Job',
    does: 'fires by its schedule when the workspace clock is turned',
    async run(demo) {
      const { fired } = await ask(demo, 'POST', '/_local/clock/advance', { ms: 24 * 60 * 60 * 1000 });
      assert.ok(fired >= 1);
      const { items } = await ask(demo, 'GET', '/invocations?function=cron%2Fnightly-sync');
      assert.equal(items[0]?.status, 'ok');
      assert.equal(items[0]?.trigger, 'cron');
      return `${items[0].id} ${items[0].startedAt}`;
    },
  },
  { type: 'Custom View', does: 'shows the orders of a customer in its frame', run: checkView },
];

/** Checks every type, says what held, and gives the exit code. */
export async function checkDemo(demo: RunningDemo): Promise<number> {
  let failed = 0;
  for (const { type, does, run } of checks) {
    try {
      process.stdout.write(`✔ ${type} ${does}: ${await run(demo)}\n`);
    } catch (error) {
      failed++;
      process.stdout.write(`✖ ${type} ${does}: ${error instanceof Error ? error.message : error}\n`);
    }
  }
  process.stdout.write(failed === 0 ? `All six answer at ${demo.url}\n` : `${failed} of ${checks.length} failed\n`);
  return failed === 0 ? 0 : 1;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are checked by the assertions on them
async function ask(demo: RunningDemo, method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(`${demo.url}/api/${demo.slug}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${demo.token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

function invoke(demo: RunningDemo, name: string, input: unknown) {
  return ask(demo, 'POST', `/apps/order-desk/functions/${encodeURIComponent(name)}/invoke`, { input });
}
