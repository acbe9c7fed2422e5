import Anthropic from '@anthropic-ai/sdk';

const events = [
  '{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"usage":{"input_tokens":1,"output_tokens":0}}}',
  '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
  '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}',
  '{"type":"content_block_stop","index":0}',
  '{"type":"message_stop"}',
];
const client = new Anthropic({
  apiKey: 'x',
  maxRetries: 0,
  fetch: async (_url, init) => {
    if (String(init.body).includes('overload'))
      return Response.json({ type: 'error', error: { type: 'overloaded_error', message: 'busy' } }, { status: 529 });
    return new Response(events.map((data) => `event: ${JSON.parse(data).type}\ndata: ${data}\n\n`).join(''), {
      headers: { 'content-type': 'text/event-stream' },
    });
  },
});
export default async () => {
  const kinds = [];
  for await (const event of await client.messages.create({
    model: 'm',
    max_tokens: 5,
    stream: true,
    messages: [{ role: 'user', content: 'Hi' }],
  }))
    kinds.push(event.type);
  return [
    kinds,
    await client.messages
      .create({ model: 'overload', max_tokens: 5, messages: [] })
      .catch((error) => [
        error.status,
        error.constructor.name === Anthropic.APIError.name || error instanceof Anthropic.APIError,
      ]),
  ];
};
