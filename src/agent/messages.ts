import { shortened } from '../std/index.ts';
import type { AssistantMessage, RunEvent, RunMessage, ToolCall, ToolMessage } from './types.ts';

/** Most characters of a tool's result that a model reads. */
const maxResultCharacters = 256 * 1024;

/**
 * What a run's messages are after one more event: with what it has written down, a run goes on where it was killed. An event that is
 * added twice changes nothing.
 */
export function addEvent(messages: readonly RunMessage[], event: RunEvent): readonly RunMessage[] {
  switch (event.type) {
    case 'modelCall.ended':
      return event.answer === null || hasMessage(messages, event.answer.id) ? messages : [...messages, event.answer];
    case 'message':
      // A text that was cut off is no answer: a run that goes on asks again.
      return event.partial || hasMessage(messages, event.messageId)
        ? messages
        : [...messages, { role: 'assistant', id: event.messageId, content: event.text }];
    case 'toolCall.requested':
      return withCall(messages, event.messageId, event.call);
    case 'toolCall.ended':
      return hasResult(messages, event.call.id) || event.result.status === 'awaitingConfirmation'
        ? messages
        : [...messages, toToolMessage(event)];
    default:
      return messages;
  }
}

function hasMessage(messages: readonly RunMessage[], id: string | undefined): boolean {
  return messages.some((message) => message.role === 'assistant' && message.id === id);
}

function hasResult(messages: readonly RunMessage[], toolCallId: string): boolean {
  return messages.some((message) => message.role === 'tool' && message.toolCallId === toolCallId);
}

function withCall(messages: readonly RunMessage[], messageId: string, call: ToolCall): readonly RunMessage[] {
  const at = messages.findLastIndex((message) => message.role === 'assistant' && message.id === messageId);
  const message = messages[at];
  if (message?.role !== 'assistant') {
    return [...messages, { role: 'assistant', id: messageId, content: '', toolCalls: [call] }];
  }
  const calls = message.toolCalls ?? [];
  if (calls.some(({ id }) => id === call.id)) return messages;
  return messages.with(at, { ...message, toolCalls: [...calls, call] });
}

function toToolMessage({ call, result }: Extract<RunEvent, { type: 'toolCall.ended' }>): ToolMessage {
  return {
    role: 'tool',
    toolCallId: call.id,
    name: call.name,
    content: shortened(result.content, maxResultCharacters),
    ...(result.error && { errorCode: result.error.code }),
  };
}

/** The last answer, unless somebody spoke after it. */
export function lastAnswer(messages: readonly RunMessage[]): AssistantMessage | undefined {
  const last = messages.findLast(({ role }) => role !== 'tool');
  return last?.role === 'assistant' ? last : undefined;
}

/** Calls of our tools in the last answer that have no result yet. */
export function unansweredCalls(messages: readonly RunMessage[]): readonly ToolCall[] {
  const calls = lastAnswer(messages)?.toolCalls ?? [];
  return calls.filter((call) => !call.own && !hasResult(messages, call.id));
}

/** What a run has added to the conversation, kept up with its events. */
export class RunHistory {
  #messages: readonly RunMessage[];

  constructor(soFar: readonly RunMessage[] = []) {
    this.#messages = soFar;
  }

  get messages(): readonly RunMessage[] {
    return this.#messages;
  }

  /** Passes events on and adds them. */
  async *follow<T>(events: AsyncGenerator<RunEvent, T>): AsyncGenerator<RunEvent, T> {
    try {
      let step = await events.next();
      for (; !step.done; step = await events.next()) {
        this.#messages = addEvent(this.#messages, step.value);
        yield step.value;
      }
      return step.value;
    } finally {
      // Left early by its reader: whatever is open in there must be closed, too.
      await events.return(undefined as T);
    }
  }
}
