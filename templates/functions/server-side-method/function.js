/**
 * Registers a customer for another system – a shop, a CRM, a form – and returns the open conversations.
 *
 *   POST {base_url}/api/<slug>/custom-functions/{{app}}/{{name}}.js
 *   {"phone": "+49 30 23125 088", "name": "Tom Berg"}
 *
 * @type {import('convo-fn').ServerSideMethod}
 */
export const config = {
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

/** @param {import('convo-fn').MethodSdk} sdk */
export default async function (sdk) {
  const { phone, name } = await sdk.request.json();

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

/**
 * @param {import('convo-fn').MethodSdk} sdk
 * @param {string} phone
 * @param {string} [name]
 */
async function register(sdk, phone, name) {
  try {
    return await sdk.customers.findOrCreate({ phone, name });
  } catch (error) {
    // The caller's mistake, not a failure of this function. Every refusal has a code: see "fn docs errors".
    if (
      /** @type {import('convo-fn').SdkError} */ (error).code ===
      'recipient_invalid'
    )
      return undefined;
    throw error;
  }
}
