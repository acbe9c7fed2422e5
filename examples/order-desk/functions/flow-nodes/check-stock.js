import * as z from 'zod';
import stock from '../_data/stock.json' with { type: 'json' };
import { allOrders } from '../_shared/orders.ts';

/** @type {import('convo-fn').CustomFlowNode} */
export const config = {
  type: 'custom-flow-node',
  title: 'Check stock',
  description:
    'Is an article there in the quantity wanted? What open orders have taken is not counted.',
  input: {
    type: 'object',
    required: ['article'],
    additionalProperties: false,
    properties: {
      article: { type: 'string', description: 'As TNT-120' },
      quantity: { type: 'integer', minimum: 1, description: '1 unless said' },
    },
  },
  outcomes: ['in-stock', 'low', 'sold-out', 'unknown'],
};

const Input = z.object({
  article: z.string().trim().toUpperCase(),
  quantity: z.number().int().min(1).default(1),
});

/** @type {Readonly<Record<string, { title: string, stock: number }>>} */
const articles = stock;

/** @param {import('convo-fn').FlowNodeSdk} sdk */
export default async function (sdk) {
  const { article, quantity } = Input.parse(sdk.flow.input);
  const known = articles[article];
  if (!known) return { outcome: 'unknown', output: { article } };

  const orders = await allOrders(sdk);
  const taken = orders
    .filter((order) => order.status === 'open')
    .flatMap((order) => order.items)
    .filter((item) => item.article === article)
    .reduce((sum, item) => sum + item.quantity, 0);
  const left = Math.max(0, known.stock - taken);

  return {
    outcome: left >= quantity ? 'in-stock' : left > 0 ? 'low' : 'sold-out',
    output: { article, title: known.title, left },
    variables: { article, articleTitle: known.title, stockLeft: left },
  };
}
