import { newId } from '../../std/index.ts';
import type { TokenUsage } from '../budget/budget.ts';
import type { FinishReason } from '../types.ts';

/** What an agent does in a leg, whatever its framework calls it. */
export type AgentPart =
  /** A model is asked, by the name that the agent has for it. */
  | { readonly type: 'modelCall'; readonly model: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** `args`: a text, where the model's is no JSON. */
  | { readonly type: 'toolCall'; readonly id: string; readonly name: string; readonly args: unknown }
  /** Of a tool of the agent's own. */
  | { readonly type: 'toolResult'; readonly id: string; readonly result: unknown }
  | {
      readonly type: 'modelCallEnd';
      readonly usage?: TokenUsage | undefined;
      readonly finishReason?: FinishReason | undefined;
    };

/** Tells it as AG-UI does, so that it is read as the events of a custom agent are. */
export async function* toEvents(
  parts: AsyncIterable<AgentPart>,
  { runId, threadId }: { readonly runId: string; readonly threadId: string },
): AsyncGenerator<object, void> {
  yield { type: 'RUN_STARTED', runId, threadId };
  let model = '';
  let parentMessageId = newId('ans');
  let open: string | undefined;
  const close = () => {
    const messageId = open;
    open = undefined;
    return messageId === undefined ? [] : [{ type: 'TEXT_MESSAGE_END', messageId }];
  };
  for await (const part of parts) {
    if (part.type !== 'text' && part.type !== 'reasoning') yield* close();
    switch (part.type) {
      case 'modelCall':
        model = part.model;
        parentMessageId = newId('ans');
        yield { type: 'STEP_STARTED', stepName: `model:${model}` };
        break;
      case 'text':
        if (part.text === '') break;
        if (open === undefined) {
          open = parentMessageId;
          yield { type: 'TEXT_MESSAGE_START', messageId: open, role: 'assistant' };
        }
        yield { type: 'TEXT_MESSAGE_CONTENT', messageId: open, delta: part.text };
        break;
      case 'reasoning':
        yield { type: 'REASONING_MESSAGE_CONTENT', delta: part.text };
        break;
      case 'toolCall': {
        const { id: toolCallId, name: toolCallName, args } = part;
        const delta = typeof args === 'string' ? args : JSON.stringify(args ?? {});
        yield { type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId };
        yield { type: 'TOOL_CALL_ARGS', toolCallId, delta };
        yield { type: 'TOOL_CALL_END', toolCallId };
        break;
      }
      case 'toolResult': {
        const { id: toolCallId, result } = part;
        const content = typeof result === 'string' ? result : (JSON.stringify(result) ?? '');
        yield { type: 'TOOL_CALL_RESULT', toolCallId, content };
        break;
      }
      case 'modelCallEnd': {
        const { usage, finishReason } = part;
        yield { type: 'CUSTOM', name: 'modelCall', value: { model, usage, finishReason } };
        // What an agent says afterwards, before it asks a model again, is another text.
        parentMessageId = newId('ans');
      }
    }
  }
  yield* close();
  yield { type: 'RUN_FINISHED', runId, threadId };
}
