import assert from 'node:assert/strict';
import { ask, invoke, until } from './ask.ts';
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

/** A conversation, in which a flow, an AI agent, its tools and people take part. */
const conversation: Check = {
  type: 'Flow',
  does: 'greets, lets an agent look up an order, ask the stock service over MCP and refund what a person confirms, hands over to people and gets it back',
  async run(demo) {
    const person = (await ask(demo, 'GET', '/agents?limit=1')).items[0].id;
    const heard = new Set<string>();
    const say = async (text: string) => {
      const message = await ask(demo, 'POST', '/_local/messages/receive', { phone: '+493023125088', text });
      return message.conversationId as string;
    };
    const answered = (id: string, what: RegExp) =>
      until(`an answer that matches ${what}`, async () => {
        const { items } = await ask(demo, 'GET', `/conversations/${id}/messages?order=desc&limit=50`);
        const came = items.find((one: { id: string; direction: string; text: string | null }) => {
          return one.direction === 'out' && !heard.has(one.id) && what.test(one.text ?? '');
        });
        if (came) heard.add(came.id);
        return came !== undefined;
      });
    const paused = (id: string) =>
      until('the AI is paused', async () => (await ask(demo, 'GET', `/conversations/${id}`)).ai.state === 'paused');

    const id = await say('Hello');
    await answered(id, /number of your order/);
    await say('Where is A-1017?');
    await answered(id, /It is shipped/);
    await say('Is TNT-120 in stock?');
    await answered(id, /Tent for two: 12 in stock/);
    await say('Please refund 80 € of A-1017');
    let question = '';
    await until('the refund waits for a person', async () => {
      const { items } = await ask(demo, 'GET', `/confirmations?open=true&conversationId=${id}`);
      question = items[0]?.id ?? '';
      return question !== '';
    });
    await ask(demo, 'POST', `/confirmations/${question}/answer`, { answer: 'allow' });
    await answered(id, /€80.00 of A-1017 are refunded/);
    await say('I want to talk to a person');
    await paused(id);
    await ask(demo, 'POST', `/conversations/${id}/messages`, { text: 'This is a person.' }, { 'fn-agent': person });
    await say('And where is A-1019?');
    await ask(demo, 'POST', `/conversations/${id}/resume-ai`, {}, { 'fn-agent': person });
    await answered(id, /It is open/);
    return `${id} ${question}`;
  },
};

/** Checks every type, says what held, and gives the exit code. */
export async function checkDemo(demo: RunningDemo): Promise<number> {
  let failed = 0;
  for (const { type, does, run } of [...checks, conversation]) {
    try {
      process.stdout.write(`✔ ${type} ${does}: ${await run(demo)}\n`);
    } catch (error) {
      failed++;
      process.stdout.write(`✖ ${type} ${does}: ${error instanceof Error ? error.message : error}\n`);
    }
  }
  process.stdout.write(
    failed === 0 ? `All six answer, and the flow, at ${demo.url}\n` : `${failed} of ${checks.length + 1} failed\n`,
  );
  return failed === 0 ? 0 : 1;
}
