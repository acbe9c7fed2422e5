import { shortened } from '../std/index.ts';
import type {
  AssistantMessage,
  RequestedCall,
  RunEvent,
  RunMessage,
  RunProgress,
  ToolCall,
  ToolMessage,
} from './types.ts';

/** Most characters of a tool's result that a model reads. */
const maxResultCharacters = 256 * 1024;

/** Of a run that has not begun. */
export const noProgress: RunProgress = { messages: [], legs: 0, openLeg: null, ending: null, answers: [] };

/**
 * Where a run stands after one more event. Whoever writes down every event before asking for the next can add them up again after a
 * crash and let the run go on. An event that is added twice changes nothing.
 */
export function addEvent(progress: RunProgress, event: RunEvent): RunProgress {
  const messages = addToMessages(progress.messages, event);
  switch (event.type) {
    case 'leg.started':
      return { ...progress, messages, legs: event.leg, openLeg: 'untouched', ending: null };
    case 'leg.ended': {
      const { ending } = event;
      const state = event.state === undefined ? progress.state : event.state;
      return { ...progress, messages, openLeg: null, ending, answers: [], ...(state !== undefined && { state }) };
    }
    case 'history.summary':
      return { ...progress, messages, summary: event.note };
    case 'interrupt.answered': {
      const { interruptId, status, payload } = event;
      const others = progress.answers.filter((answer) => answer.interruptId !== interruptId);
      return { ...progress, messages, answers: [...others, { interruptId, status, payload }] };
    }
    case 'message':
    case 'note':
    case 'toolCall.requested':
    case 'toolCall.ended':
      return { ...progress, messages, openLeg: progress.openLeg === null ? null : 'effects' };
    default:
      return messages === progress.messages ? progress : { ...progress, messages };
  }
}

function addToMessages(messages: readonly RunMessage[], event: RunEvent): readonly RunMessage[] {
  switch (event.type) {
    case 'modelCall.ended':
      return event.answer === null || hasMessage(messages, event.answer.id) ? messages : [...messages, event.answer];
    case 'message':
      // A text that was cut off is no answer: a run that goes on asks again.
      return event.partial || hasMessage(messages, event.messageId)
        ? messages
        : [...messages, { ...emptyAnswer(event.messageId, event.externalId), content: event.text }];
    case 'leg.ended':
      return event.calls.reduce(addCall, messages);
    case 'toolCall.requested':
      return addCall(messages, event);
    case 'toolCall.ended':
      return hasResult(messages, event.call.id) ? messages : [...messages, toToolMessage(event)];
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

function emptyAnswer(id: string, externalId: string | undefined): AssistantMessage {
  return { role: 'assistant', id, ...(externalId !== undefined && { externalId }), content: '' };
}

function addCall(
  messages: readonly RunMessage[],
  { messageId, externalId, call }: RequestedCall,
): readonly RunMessage[] {
  const at = messages.findLastIndex((message) => message.role === 'assistant' && message.id === messageId);
  const message = messages[at];
  if (message?.role !== 'assistant') {
    return [...messages, { ...emptyAnswer(messageId, externalId), toolCalls: [call] }];
  }
  const calls = message.toolCalls ?? [];
  const known = calls.findIndex(({ id }) => id === call.id);
  // A call of a custom agent may turn out to be one that it leaves to us.
  const toolCalls = known === -1 ? [...calls, call] : calls.with(known, call);
  return messages.with(at, { ...message, toolCalls });
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

/** Calls of our tools that have no result yet. */
export function unansweredCalls(messages: readonly RunMessage[]): readonly RequestedCall[] {
  return messages.flatMap((message) => {
    if (message.role !== 'assistant') return [];
    const { id = '', toolCalls = [] } = message;
    return toolCalls
      .filter((call) => !call.own && !hasResult(messages, call.id))
      .map((call) => ({ messageId: id, call }));
  });
}

/** The first call of one of these tools that succeeded. */
export function succeededCall(messages: readonly RunMessage[], tools: readonly string[]): ToolCall | undefined {
  const done = new Set(
    messages.flatMap((message) =>
      message.role === 'tool' && message.errorCode === undefined && tools.includes(message.name)
        ? [message.toolCallId]
        : [],
    ),
  );
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  return calls.find((call) => !call.own && done.has(call.id));
}

/** Where a run stands, kept up with its events. */
export class ProgressKeeper {
  #progress: RunProgress;

  constructor(progress: RunProgress = noProgress) {
    this.#progress = progress;
  }

  get now(): RunProgress {
    return this.#progress;
  }

  /** Passes events on and adds them. */
  async *follow<T>(events: AsyncGenerator<RunEvent, T>): AsyncGenerator<RunEvent, T> {
    try {
      let step = await events.next();
      for (; !step.done; step = await events.next()) {
        this.#progress = addEvent(this.#progress, step.value);
        yield step.value;
      }
      return step.value;
    } finally {
      // Left early by its reader: whatever is open in there must be closed, too.
      await events.return(undefined as T);
    }
  }
}
