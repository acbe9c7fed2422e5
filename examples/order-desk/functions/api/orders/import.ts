import type { MethodSdk, ServerSideMethod } from 'convo-fn';
import { importOrders } from '../../_shared/orders.ts';

/**
 * Takes the shop's export as CSV, as it comes:
 *
 *   curl --data-binary @orders.csv -H 'Content-Type: text/csv' -H "Authorization: Bearer $API_TOKEN" \
 *     "$BASE_URL/api/$SLUG/custom-functions/order-desk/api/orders/import.js"
 */
export const config: ServerSideMethod = {
  type: 'server-side-method',
  description: 'Imports the shop’s orders from CSV',
  expose: { methods: ['POST'], auth: 'token' },
};

export default async function (sdk: MethodSdk) {
  const json =
    sdk.request.headers.get('content-type')?.startsWith('application/json') ??
    false;
  const csv = json
    ? ((await sdk.request.json()) as { csv?: unknown }).csv
    : await sdk.request.text();
  if (typeof csv !== 'string' || csv.trim() === '')
    return Response.json(
      { error: 'Send CSV, or {"csv": "…"}.' },
      { status: 422 },
    );

  const { imported, rejected } = await importOrders(sdk, csv);
  if (rejected.length > 0)
    sdk.log.warn(`${rejected.length} lines rejected`, rejected.slice(0, 5));
  // Nothing that was right is thrown away because something else was wrong; the sender sees which lines were.
  return Response.json(
    { imported, rejected },
    { status: rejected.length > 0 ? 207 : 200 },
  );
}
