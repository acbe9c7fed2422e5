import { differenceInCalendarDays, parseISO } from 'date-fns';
import * as z from 'zod';
import stock from '../_data/stock.json' with { type: 'json' };
import { formatMoney } from '../_shared/money.js';
import { findOrder } from '../_shared/orders.ts';

/** @type {import('convo-fn').AiTool} */
export const config = {
  type: 'ai-tool',
  name: 'order_status',
  description:
    'Says where an order is: its status, when it was placed, what is in it, what it cost and what was refunded. Needs the order number.',
  input: {
    type: 'object',
    required: ['orderId'],
    additionalProperties: false,
    properties: { orderId: { type: 'string', description: 'As A-1017' } },
  },
  permissions: {
    callers: {
      aiAgents: 'all',
      aiNodes: 'all',
      harnesses: 'all',
      code: true,
      mcp: true,
    },
  },
  annotations: { readOnly: true, idempotent: true },
};

const Args = z.object({
  orderId: z
    .string()
    .trim()
    .toUpperCase()
    .transform((text) => text.replace(/^#?(?:A-?)?(\d+)$/, 'A-$1')),
});

/** @type {Readonly<Record<string, { title: string, stock: number }>>} */
const articles = stock;

/** @param {import('convo-fn').ToolSdk<{ orderId: string }>} sdk */
export default async function (sdk) {
  const { orderId } = Args.parse(sdk.tool.args);
  const order = await findOrder(sdk, orderId);
  if (!order)
    return {
      found: false,
      hint: `There is no order ${orderId}. Ask the customer for the number.`,
    };

  const days = differenceInCalendarDays(
    sdk.context.now(),
    parseISO(order.placed),
  );
  return {
    found: true,
    status: order.status,
    placed:
      days === 0 ? 'today' : days === 1 ? 'yesterday' : `${days} days ago`,
    items: order.items.map(
      ({ article, quantity }) =>
        `${quantity} × ${articles[article]?.title ?? article}`,
    ),
    total: formatMoney(order.totalCents),
    refunded: formatMoney(order.refundedCents),
  };
}
