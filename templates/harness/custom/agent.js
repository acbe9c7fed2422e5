import { randomUUID } from 'node:crypto';

/**
 * Decides what to do next. Ask your model here: `input.messages` is the conversation, `input.tools` what it may call. This one has none:
 * it calls a tool whose name the customer writes, with the JSON behind it, and tells what came of it.
 */
export async function decide(input, send, signal) {
  const { messages, forwardedProps = {}, resume } = input;
  const say = (text) => {
    const messageId = randomUUID();
    send('TEXT_MESSAGE_START', { messageId, role: 'assistant' });
    send('TEXT_MESSAGE_CONTENT', { messageId, delta: text });
    send('TEXT_MESSAGE_END', { messageId });
    return { type: 'success' };
  };
  const call = (name, args) => {
    const toolCallId = randomUUID();
    send('TOOL_CALL_START', { toolCallId, toolCallName: name });
    send('TOOL_CALL_ARGS', { toolCallId, delta: JSON.stringify(args) });
    send('TOOL_CALL_END', { toolCallId });
    return { type: 'success', pendingToolCallIds: [toolCallId] };
  };

  const last = messages.at(-1);
  if (resume) return say(`You answered: ${JSON.stringify(resume[0].payload)}`);
  if (last.role === 'tool') return say(`The answer is: ${last.content}`);

  const text = String(last.content);
  if (/approv/i.test(text)) {
    const question = { id: randomUUID(), reason: 'approval', message: text };
    return { type: 'interrupt', interrupts: [question] };
  }
  const mayCall = (forwardedProps.budget?.left.toolCalls ?? 1) > 0;
  const tools = mayCall ? (input.tools ?? []) : [];
  if (/human/i.test(text) && tools.some((t) => t.name === 'handover_to_human'))
    return call('handover_to_human', { reason: 'The customer asked.' });
  const tool = tools.find(({ name }) => text.includes(name));
  const args = text.match(/\{.*\}/)?.[0];
  if (tool) return call(tool.name, args ? JSON.parse(args) : {});

  signal.throwIfAborted();
  return say('Hello! How can I help you?');
}
