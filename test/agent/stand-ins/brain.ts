/** What a model or an agent of a stand-in decides, whatever it speaks. */
export interface Decision {
  /** What a model that reasons thinks first. */
  readonly thought?: string;
  readonly text?: string;
  /** `raw`: arguments as they are written, instead of JSON. */
  readonly calls?: readonly { readonly tool: string; readonly args?: Record<string, unknown>; readonly raw?: string }[];
}

/** What it has been told: what the user said last, and the results of tools since then. */
export interface Situation {
  readonly lastUser: string;
  readonly results: readonly string[];
  readonly instructions: string;
}

export type Brain = (situation: Situation) => Decision;

/** The conversation of the common suite: one brain decides for every kind. */
export const brain: Brain = ({ lastUser, results }) => {
  if (/hello/i.test(lastUser)) return { text: 'Good morning, Ann.' };
  if (/human/i.test(lastUser)) {
    return {
      text: 'I hand you over.',
      calls: [{ tool: 'handover_to_human', args: { reason: 'asked', team: 'support' } }],
    };
  }
  if (/for ever/i.test(lastUser)) return { calls: [{ tool: 'order_status', args: { orderId: 'A17' } }] };
  if (/both/i.test(lastUser)) {
    if (results.length > 0) return { text: `Both: ${[...results].sort().join(' and ')}` };
    return {
      calls: [
        { tool: 'order_status', args: { orderId: 'A17' } },
        { tool: 'order_status', args: { orderId: 'B18' } },
      ],
    };
  }
  if (/cancel the order/i.test(lastUser)) {
    if (results.length > 0) return { text: `Done: ${results.at(-1)}` };
    return { calls: [{ tool: 'cancel_order', args: { orderId: 'A17' } }] };
  }
  if (/think/i.test(lastUser)) {
    if (results.length > 0) return { thought: 'It has shipped.', text: `I think it ${results.at(-1)}` };
    return { thought: 'Let me see.', calls: [{ tool: 'order_status', args: { orderId: 'A17' } }] };
  }
  if (/order/i.test(lastUser)) {
    if (results.length > 0) return { text: `Your order: ${results.at(-1)}` };
    return { text: 'Let me look.', calls: [{ tool: 'order_status', args: { orderId: 'A17' } }] };
  }
  if (/broken/i.test(lastUser)) return { calls: [{ tool: 'order_status', raw: '{"orderId": "A1' }] };
  if (/unknown tool/i.test(lastUser)) return { calls: [{ tool: 'no_such_tool', args: {} }] };
  if (/silence/i.test(lastUser)) return {};
  if (/5 MiB/i.test(lastUser)) return { text: 'x'.repeat(5 * 1024 * 1024 + 1) };
  return { text: `You said: ${lastUser}` };
};

/** Four characters a token, as a stand-in counts. */
export const tokens = (text: string): number => Math.ceil(text.length / 4);
