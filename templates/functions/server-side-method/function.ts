import type { MethodSdk, SdkError, ServerSideMethod } from 'convo-fn';

/**
 * Registers a customer for another system – a shop, a CRM, a form – and returns the open conversations.
 *
 *   POST {base_url}/api/<slug>/custom-functions/{{app}}/{{name}}.js
 *   {"phone": "+49 30 23125 088", "name": "Tom Berg"}
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
          description: 'International form, such as +49 30 23125 088',
        },
        name: { type: 'string', minLength: 1, maxLength: 200 },
      },
    },
  },
};

interface Registration {
  phone: string;
  name?: string;
}

export default async function (sdk: MethodSdk) {
  const { phone, name } = (await sdk.request.json()) as Registration;

  const customer = await register(sdk, phone, name);
  if (!customer)
    return Response.json({ error: 'No such phone number' }, { status: 422 });

  const open = await sdk.conversations.list({
    customerId: customer.id,
    status: 'open',
    inbox: 'all',
  });

  sdk.log.info(customer.created ? 'created' : 'found', customer.id);
  return {
    customerId: customer.id,
    created: customer.created,
    openConversations: open.items.map((conversation) => conversation.url),
  };
}

async function register(sdk: MethodSdk, phone: string, name?: string) {
  try {
    return await sdk.customers.findOrCreate({ phone, name });
  } catch (error) {
    // The caller's mistake, not a failure of this function. Every refusal has a code: see "fn docs errors".
    if ((error as SdkError).code === 'recipient_invalid') return undefined;
    throw error;
  }
}
