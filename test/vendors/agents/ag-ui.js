// An agent made of AG-UI's own client package and the AI SDK, as its users write one. It knows nothing of this project.
import { AbstractAgent, EventType } from '@ag-ui/client';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { jsonSchema, streamText, tool } from 'ai';
import { Observable } from 'rxjs';

export class SdkAgent extends AbstractAgent {
  constructor(baseURL) {
    super();
    this.model = createOpenAICompatible({ name: 'lab', baseURL })('small');
  }

  run(input) {
    return new Observable((subscriber) => {
      const left = new AbortController();
      this.answer(input, (event) => subscriber.next(event), left.signal).then(
        () => subscriber.complete(),
        (error) => subscriber.error(error),
      );
      return () => left.abort();
    });
  }

  async answer({ runId, threadId, messages, tools }, emit, abortSignal) {
    emit({ type: EventType.RUN_STARTED, runId, threadId });
    const result = streamText({
      model: this.model,
      abortSignal,
      instructions: messages.find(({ role }) => role === 'system')?.content,
      messages: messages.flatMap(toModelMessage),
      tools: Object.fromEntries(
        tools.map(({ name, description, parameters }) => [
          name,
          tool({ description, inputSchema: jsonSchema(parameters) }),
        ]),
      ),
    });
    const messageId = crypto.randomUUID();
    for await (const part of result.stream) {
      if (part.type === 'text-start') emit({ type: EventType.TEXT_MESSAGE_START, messageId, role: 'assistant' });
      if (part.type === 'text-delta') emit({ type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta: part.text });
      if (part.type === 'text-end') emit({ type: EventType.TEXT_MESSAGE_END, messageId });
      if (part.type === 'tool-call') {
        const { toolCallId } = part;
        emit({ type: EventType.TOOL_CALL_START, toolCallId, toolCallName: part.toolName, parentMessageId: messageId });
        emit({ type: EventType.TOOL_CALL_ARGS, toolCallId, delta: JSON.stringify(part.input) });
        emit({ type: EventType.TOOL_CALL_END, toolCallId });
      }
    }
    emit({ type: EventType.RUN_FINISHED, runId, threadId });
  }
}

export { HttpAgent } from '@ag-ui/client';

function toModelMessage(message) {
  if (message.role === 'user') return [{ role: 'user', content: message.content }];
  if (message.role === 'tool') {
    const { toolCallId, content } = message;
    const result = { type: 'tool-result', toolCallId, toolName: 'tool', output: { type: 'text', value: content } };
    return [{ role: 'tool', content: [result] }];
  }
  if (message.role !== 'assistant') return [];
  const calls = (message.toolCalls ?? []).map(({ id, function: { name, arguments: written } }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: JSON.parse(written),
  }));
  return [
    { role: 'assistant', content: [...(message.content ? [{ type: 'text', text: message.content }] : []), ...calls] },
  ];
}
