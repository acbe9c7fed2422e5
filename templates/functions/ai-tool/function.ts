import type { AiTool, SdkError, ToolSdk } from 'convo-fn';

/** Lets an AI agent look up a customer before it answers. It changes nothing, and no model may call it yet. */
export const config: AiTool = {
  type: 'ai-tool',
  // The name by which models call it: let it say what the function does.
  name: '{{tool}}',
  // This is all the model has to decide when to call the tool.
  description:
    'Looks up a customer by phone number or e-mail address and returns what we know: name, language, custom fields and open ' +
    'conversations. Use it before answering a question about an order or an account. Pass one of the two.',
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      phone: {
        type: 'string',
        description: 'International form, such as +49 30 23125 017',
      },
      email: { type: 'string', format: 'email' },
    },
  },
  output: {
    type: 'object',
    required: ['found'],
    properties: {
      found: { type: 'boolean' },
      name: { type: ['string', 'null'] },
      language: { type: ['string', 'null'] },
      fields: { type: 'object' },
      openConversations: { type: 'integer' },
    },
  },
  permissions: {
    // People may always call it. Add who else may, for example: aiAgents: ['support'], code: true.
    callers: {},
    // What it sees of the conversation it is called in, and what it may change there: nothing.
    conversation: { read: ['id', 'channel'], write: [] },
  },
  // An e-mail address is easily somebody else's, so a person confirms such a call. With a phone number nobody is asked.
  confirm: { by: 'human', expiresAfter: '15m', when: { required: ['email'] } },
  limits: { timeoutMs: 5_000, maxCallsPerRun: 5, perMinute: 60 },
  annotations: { readOnly: true, destructive: false, idempotent: true },
  // "fn tool logs" shows each call without these.
  log: { redact: ['phone', 'email'] },
};

interface Identity {
  phone?: string;
  email?: string;
}

export default async function (sdk: ToolSdk<Identity>) {
  const { phone, email } = sdk.tool.args;
  // The model reads the message and tries again.
  if (!phone === !email)
    throw new Error('Pass either phone or email, not both.');

  const customer = await find(sdk, phone, email);
  if (!customer) return { found: false };

  const open = await sdk.conversations.list({
    customerId: customer.id,
    status: 'open',
    inbox: 'all',
  });
  return {
    found: true,
    name: customer.name,
    language: customer.language,
    fields: customer.fields,
    openConversations: open.items.length,
  };
}

async function find(sdk: ToolSdk, phone?: string, email?: string) {
  try {
    return await sdk.customers.find(phone ? { phone } : { email });
  } catch (error) {
    // An unknown customer is an answer here, not a failure. Every refusal has a code: see "fn docs errors".
    if ((error as SdkError).code === 'customer_not_found') return undefined;
    throw error;
  }
}
