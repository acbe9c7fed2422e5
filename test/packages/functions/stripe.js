import Stripe from 'stripe';

const seen = [];
const stripe = new Stripe('sk_test_x', {
  maxNetworkRetries: 0,
  telemetry: false,
  httpClient: Stripe.createFetchHttpClient(async (url, { method, body }) => {
    seen.push([method, String(url), body ?? '']);
    return Response.json({ id: 'cus_1', object: 'customer' }, { status: String(url).includes('bad') ? 402 : 200 });
  }),
});
const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: 'x' });
export default async () => {
  seen.length = 0;
  const crypto = Stripe.createSubtleCryptoProvider();
  const header = await stripe.webhooks.generateTestHeaderStringAsync({
    payload,
    secret: 'whsec',
    timestamp: 1,
    cryptoProvider: crypto,
  });
  const event = await stripe.webhooks.constructEventAsync(payload, header, 'whsec', Number.MAX_SAFE_INTEGER, crypto);
  return [
    (await stripe.customers.create({ email: 'ann@example.com', metadata: { a: '1' } })).id,
    seen,
    header,
    event.type,
    await stripe.customers.retrieve('bad').catch((error) => [error.type, error.statusCode]),
  ];
};
