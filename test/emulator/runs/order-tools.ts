/** Functions of an app that AI agents call as tools. */

/** A tool that only reads an order, unless it says otherwise. */
export const orderTool = (name: string, body: string, more: Record<string, unknown> = {}) => ({
  config: {
    type: 'ai-tool',
    name,
    description: `${name} of an order`,
    input: {
      type: 'object',
      properties: { orderId: { type: 'string' } },
      required: ['orderId'],
      additionalProperties: false,
    },
    annotations: { readOnly: true },
    permissions: { callers: { aiAgents: 'all' } },
    ...more,
  },
  body,
});

/** One that a person must allow. */
export const cancelOrder = orderTool('cancel_order', "await sdk.store.increment('cancelled'); return true;", {
  confirm: { by: 'human', text: 'Cancel the order?' },
  annotations: { destructive: true },
});
