import type { MethodSdk, SdkError, ServerSideMethod } from 'convo-fn';

/**
 * Looks up a customer for another system – a shop, a CRM, a form – and returns the open conversations. It changes nothing.
 *
 *   POST {base_url}/api/<slug>/custom-functions/{{app}}/{{name}}.js
 *   {"phone": "+49 30 23125 017"}
 */
export const config: ServerSideMethod = {
  type: 'server-side-method',
  expose: {
    methods: ['POST'],
    auth: 'token',
    // Input that does not match is refused with 422 and the path of each problem; the function does not run.
    input: {
      type: 'object',
      required: ['phone'],
      additionalProperties: false,
      properties: {
        phone: {
          type: 'string',
          minLength: 5,
          description: 'International form, such as +49 30 23125 017',
        },
      },
    },
  },
};

export default async function (sdk: MethodSdk) {
  const { phone } = (await sdk.request.json()) as { phone: string };

  const customer = await find(sdk, phone);
  if (!customer)
    return Response.json(
      { error: 'No customer has this number' },
      { status: 404 },
    );

  const open = await sdk.conversations.list({
    customerId: customer.id,
    status: 'open',
    inbox: 'all',
  });

  sdk.log.info('found', customer.id);
  return {
    customerId: customer.id,
    name: customer.name,
    openConversations: open.items.map((conversation) => conversation.url),
  };
}

async function find(sdk: MethodSdk, phone: string) {
  try {
    return await sdk.customers.find({ phone });
  } catch (error) {
    // An unknown or impossible number is an answer here, not a failure. Every refusal has a code: see "fn docs errors".
    const { code } = error as SdkError;
    if (code === 'customer_not_found' || code === 'recipient_invalid')
      return undefined;
    throw error;
  }
}
