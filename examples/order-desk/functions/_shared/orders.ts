import type { ServerSdk } from 'convo-fn';
import sample from '../_data/orders.csv';
import {
  madeRecent,
  type Order,
  parseOrders,
  type Rejected,
} from './parse-orders.ts';

const syncedAt = 'orders-synced-at';
const key = (id: string) => `order/${id}`;

/** Every order. Until the first sync, the ones that come with this app, as if they were placed in the last weeks. */
export async function allOrders(sdk: ServerSdk): Promise<Order[]> {
  if ((await sdk.store.get(syncedAt)) === null) return sampleOrders(sdk);
  const orders: Order[] = [];
  let cursor: string | undefined;
  do {
    const page = await sdk.store.list('order/', { limit: 200, cursor });
    orders.push(...page.items.map(({ value }) => value as unknown as Order));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return orders;
}

export async function findOrder(
  sdk: ServerSdk,
  id: string,
): Promise<Order | undefined> {
  const found = await sdk.store.get<Order>(key(id));
  if (found !== null) return found;
  return (await sdk.store.get(syncedAt)) === null
    ? sampleOrders(sdk).find((order) => order.id === id)
    : undefined;
}

export async function saveOrder(sdk: ServerSdk, order: Order): Promise<void> {
  await sdk.store.set(key(order.id), order);
}

/** Takes over the shop's export: orders, and the customers who placed them. Doing it twice changes nothing. */
export async function importOrders(
  sdk: ServerSdk,
  csv: string,
): Promise<{ imported: number; rejected: Rejected[] }> {
  const { orders, rejected } = parseOrders(csv);
  for (const order of orders) await take(sdk, order);
  await sdk.store.set(syncedAt, sdk.context.now().toISOString());
  return { imported: orders.length, rejected };
}

/** The export that comes with this app. */
export function sampleOrders(sdk: ServerSdk): Order[] {
  return madeRecent(parseOrders(sample).orders, sdk.context.now());
}

/** The same for good: orders in the store, customers in the workspace. */
export async function importSample(sdk: ServerSdk): Promise<number> {
  const orders = sampleOrders(sdk);
  for (const order of orders) await take(sdk, order);
  await sdk.store.set(syncedAt, sdk.context.now().toISOString());
  return orders.length;
}

async function take(sdk: ServerSdk, order: Order): Promise<void> {
  const before = await sdk.store.get<Order>(key(order.id));
  // The shop knows nothing of refunds: they are ours.
  await saveOrder(sdk, { ...order, refundedCents: before?.refundedCents ?? 0 });
  const customer = await sdk.customers.findOrCreate(order.customer);
  if (customer.fields['lastOrder'] !== order.id)
    await sdk.customers.update({
      id: customer.id,
      fields: { lastOrder: order.id },
    });
}
