import type { AiTool, ToolSdk } from 'convo-fn';
import { differenceInCalendarDays, parseISO } from 'date-fns';
import * as z from 'zod';
import { formatMoney } from '../_shared/money.js';
import { findOrder, saveOrder } from '../_shared/orders.ts';
import type { Order } from '../_shared/parse-orders.ts';
import { readSettings } from '../_shared/settings.js';

export const config: AiTool = {
  type: 'ai-tool',
  name: 'refund_order',
  title: 'Refund an order',
  description:
    'Refunds an order, or a part of it, and tells the customer. Use it only when the customer has asked for a refund and said why. ' +
    'Large amounts are handed to a person instead: then say so, and do not try again.',
  input: {
    type: 'object',
    required: ['orderId', 'reason'],
    additionalProperties: false,
    properties: {
      orderId: { type: 'string', description: 'As A-1017' },
      euros: {
        type: 'number',
        exclusiveMinimum: 0,
        description: 'Without: all that is left of the order',
      },
      reason: {
        type: 'string',
        minLength: 3,
        maxLength: 500,
        description: 'In the customer’s words',
      },
    },
  },
  output: {
    type: 'object',
    required: ['refunded', 'says'],
    properties: { refunded: { type: 'boolean' }, says: { type: 'string' } },
  },
  permissions: {
    callers: {
      aiAgents: 'all',
      aiNodes: 'none',
      harnesses: 'none',
      code: true,
    },
    // It may hand its conversation over and tell the customer, and nothing else there.
    conversation: { read: ['id'], write: ['assignee', 'messages'] },
  },
  // A person confirms what is above 50 €; without an amount, it is the whole order.
  confirm: {
    by: 'human',
    when: {
      not: { required: ['euros'], properties: { euros: { maximum: 50 } } },
    },
  },
  limits: { maxCallsPerRun: 2, perMinute: 10 },
  annotations: { destructive: true, idempotent: false },
  log: { arguments: 'full', result: 'full' },
};

const Args = z.object({
  orderId: z.string().regex(/^A-\d{4,8}$/, 'is no order number, as A-1017'),
  euros: z
    .number()
    .positive()
    .multipleOf(0.01)
    .optional()
    .transform((euros) =>
      euros === undefined ? undefined : Math.round(euros * 100),
    ),
  reason: z.string().trim().min(3),
});

export default async function (sdk: ToolSdk) {
  const args = Args.safeParse(sdk.tool.args);
  if (!args.success) throw new Error(z.prettifyError(args.error));
  const { orderId, reason, euros: askedCents } = args.data;

  const order = await findOrder(sdk, orderId);
  if (!order) return no(`There is no order ${orderId}.`);
  const cents = askedCents ?? order.totalCents - order.refundedCents;
  const refusal = await refusalOf(sdk, order, cents);
  if (refusal !== undefined) return no(refusal);

  await saveOrder(sdk, {
    ...order,
    refundedCents: order.refundedCents + cents,
  });
  const told = await tellCustomer(sdk, order, cents);
  sdk.log.info(`refunded ${formatMoney(cents)} of ${order.id}: ${reason}`);
  return {
    refunded: true,
    says: `${formatMoney(cents)} of ${order.id} are refunded.${told ? ' The customer has been told.' : ''}`,
  };
}

/** The rules of the shop: why not, or nothing. */
async function refusalOf(
  sdk: ToolSdk,
  order: Order,
  cents: number,
): Promise<string | undefined> {
  const { refundDays, refundLimitEuros, workgroup } = await readSettings(sdk);
  const left = order.totalCents - order.refundedCents;
  if (left === 0) return `All of ${order.id} is refunded already.`;
  if (cents > left)
    return `Only ${formatMoney(left)} of ${order.id} are left to refund.`;
  const days = differenceInCalendarDays(
    sdk.context.now(),
    parseISO(order.placed),
  );
  if (days > refundDays)
    return `${order.id} is ${days} days old; refunds end after ${refundDays} days.`;
  if (cents <= refundLimitEuros * 100) return undefined;
  await handOver(sdk, workgroup);
  return `${formatMoney(cents)} is more than ${formatMoney(refundLimitEuros * 100)}: ${workgroup} decides.`;
}

async function handOver(sdk: ToolSdk, name: string): Promise<void> {
  const conversationId = sdk.tool.conversation?.id;
  const { items } = await sdk.workgroups.list({ limit: 200 });
  const workgroup = items.find((group) => group.name === name);
  if (conversationId && workgroup)
    await sdk.conversations.assign({
      id: conversationId,
      assign: { workgroupId: workgroup.id },
    });
}

/** A message that does not go out does not undo a refund: it is logged, and the tool says so by leaving it out. */
async function tellCustomer(
  sdk: ToolSdk,
  order: Order,
  cents: number,
): Promise<boolean> {
  try {
    await sdk.templates.send(
      {
        to: order.customer.phone,
        template: 'refund_confirmed',
        language: 'en',
        variables: {
          body: {
            name: order.customer.name,
            amount: formatMoney(cents),
            order: order.id,
          },
        },
      },
      { idempotencyKey: `refund-${order.id}-${order.refundedCents}-${cents}` },
    );
    return true;
  } catch (error) {
    sdk.log.warn('the customer could not be told', error);
    return false;
  }
}

const no = (says: string) => ({ refunded: false, says });
