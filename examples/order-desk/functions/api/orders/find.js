import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import * as z from 'zod';
import { formatMoney } from '../../_shared/money.js';
import { allOrders, findOrder } from '../../_shared/orders.ts';

/**
 * Orders by their number or by the phone number of the customer, however it is written.
 *
 * @type {import('convo-fn').ServerSideMethod}
 */
export const config = {
  type: 'server-side-method',
  description: 'Finds orders by number or by phone number',
  expose: { methods: ['POST'], auth: 'token' },
};

const Question = z.union([
  z.strictObject({ order: z.string().trim().toUpperCase() }),
  z.strictObject({ phone: z.string() }),
]);

/** @param {import('convo-fn').MethodSdk} sdk */
export default async function (sdk) {
  const question = Question.safeParse(await sdk.request.json());
  if (!question.success)
    return Response.json(
      { error: 'Give {"order": "A-1017"} or {"phone": "+49 …"}.' },
      { status: 422 },
    );

  const orders = await find(sdk, question.data);
  return {
    orders: orders.map(({ totalCents, ...order }) => ({
      ...order,
      total: formatMoney(totalCents),
    })),
  };
}

/**
 * @param {import('convo-fn').MethodSdk} sdk
 * @param {z.infer<typeof Question>} question
 */
async function find(sdk, question) {
  if ('order' in question) {
    const order = await findOrder(sdk, question.order);
    return order ? [order] : [];
  }
  const phone = parsePhoneNumberFromString(question.phone, 'DE')?.number;
  const orders = await allOrders(sdk);
  return orders
    .filter((order) => order.customer.phone === phone)
    .sort((a, b) => (a.placed < b.placed ? 1 : -1));
}
