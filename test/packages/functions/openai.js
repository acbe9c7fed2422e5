import OpenAI from 'openai';

const seen = [];
const client = new OpenAI({
  apiKey: 'sk-x',
  maxRetries: 0,
  fetch: async (url, init) => {
    seen.push([init.method, String(url), init.body]);
    if (String(init.body).includes('"stream":true'))
      return new Response(
        'data: {"choices":[{"delta":{"content":"Hel"}}]}\n\ndata: {"choices":[{"delta":{"content":"lo"}}]}\n\ndata: [DONE]\n\n',
        { headers: { 'content-type': 'text/event-stream' } },
      );
    return Response.json({ choices: [{ message: { role: 'assistant', content: 'Hi' } }] });
  },
});
export default async () => {
  seen.length = 0;
  const input = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] };
  const answer = await client.chat.completions.create(input);
  let text = '';
  for await (const part of await client.chat.completions.create({ ...input, stream: true }))
    text += part.choices[0].delta.content;
  return [answer.choices[0].message, text, seen];
};
