import type { Output } from '../../contract/index.ts';
import { isRecord } from './problem.ts';

export type Message = Output<'messages.list'>['items'][number];
export type Note = Output<'notes.list'>['items'][number];
type Event = Output<'events.list'>['items'][number];
type ToolCall = Output<'tools.logs'>['items'][number];

/** What stands in a conversation on the desk, in the order of time. */
export type ChatItem =
  | { readonly kind: 'message'; readonly at: string; readonly id: string; readonly message: Message }
  | { readonly kind: 'note'; readonly at: string; readonly id: string; readonly note: Note }
  | { readonly kind: 'tool-call'; readonly at: string; readonly id: string; readonly toolCall: ToolCall }
  | { readonly kind: 'event'; readonly at: string; readonly id: string; readonly event: Event };

/** Events that are worth a line between the messages; what a message or a note says needs none. */
const told = /^conversation\.(?:assigned|unassigned|closed|reopened|aiPaused|aiResumed)$/;

/** Messages, notes and what happened between them. Events before the first message that is shown are left out. */
export function chatOf(
  read: {
    readonly messages: readonly Message[];
    readonly notes: readonly Note[];
    readonly events: readonly Event[];
    readonly toolCalls: readonly ToolCall[];
  },
  isWhole: boolean,
): ChatItem[] {
  const { messages, notes, events, toolCalls } = read;
  const items: ChatItem[] = [
    ...messages.map((message) => ({ kind: 'message' as const, at: message.createdAt, id: message.id, message })),
    ...notes.map((note) => ({ kind: 'note' as const, at: note.createdAt, id: note.id, note })),
    ...toolCalls.map((toolCall) => ({ kind: 'tool-call' as const, at: toolCall.at, id: toolCall.id, toolCall })),
    ...events
      .filter(({ type }) => told.test(type))
      .map((event) => ({ kind: 'event' as const, at: event.timestamp, id: event.id, event })),
  ];
  const first = messages.reduce<string | undefined>(
    (least, { createdAt }) => (least === undefined || createdAt < least ? createdAt : least),
    undefined,
  );
  const shown = isWhole || first === undefined ? items : items.filter(({ at }) => at >= first);
  return shown.sort((a, b) => (a.at === b.at ? (a.id < b.id ? -1 : 1) : a.at < b.at ? -1 : 1));
}

/** The record that an item shows. */
export function sourceOfItem(item: ChatItem): Message | Note | Event | ToolCall {
  if (item.kind === 'message') return item.message;
  if (item.kind === 'note') return item.note;
  return item.kind === 'event' ? item.event : item.toolCall;
}

/** What happened, in words. */
export function wordsOfEvent({ type, data }: Event, nameOfAssignee: (id: string) => string | undefined): string {
  switch (type) {
    case 'conversation.closed':
      return 'Closed';
    case 'conversation.reopened':
      return 'Reopened';
    case 'conversation.aiPaused':
      return 'The AI is paused; a person answers';
    case 'conversation.aiResumed':
      return 'Handed back to the AI';
    case 'conversation.unassigned':
      return 'Assigned to nobody';
    default: {
      const assignee = isRecord(data['assignee']) ? data['assignee'] : {};
      const names = [assignee['agentId'], assignee['workgroupId']].flatMap((id) =>
        typeof id === 'string' ? (nameOfAssignee(id) ?? id) : [],
      );
      return names.length > 0 ? `Assigned to ${names.join(', ')}` : type;
    }
  }
}

/** A part of a rendered template: its header, a card, a button. */
export interface RenderedPart {
  readonly header: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly footer: string;
  readonly buttons: readonly { readonly type: string; readonly text: string }[];
}

/** A template message as the customer sees it, read from the rendering that is stored with the message. */
export function renderedOf(value: unknown): RenderedPart & { readonly cards: readonly RenderedPart[] } {
  const parts = isRecord(value) ? value : {};
  return { ...partOf(parts), cards: listOf(parts['carousel']).map((card) => partOf(isRecord(card) ? card : {})) };
}

function partOf(parts: Readonly<Record<string, unknown>>): RenderedPart {
  return {
    header: isRecord(parts['header']) ? parts['header'] : {},
    body: textOf(parts['body']),
    footer: textOf(parts['footer']),
    buttons: listOf(parts['buttons'])
      .filter(isRecord)
      .map((button) => ({ type: textOf(button['type']), text: textOf(button['text']) })),
  };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** One line that says what a message is. */
export function summaryOf(message: Message | undefined): string {
  if (!message) return '';
  if (message.text) return message.text;
  if (message.template) return renderedOf(message.template.rendered).body || `Sent: ${message.template.name}`;
  return message.media ? (message.media.fileName ?? message.media.type) : '';
}

/** The answers that the customer can tap: those of the last message, while it is from the desk. */
export function quickRepliesOf(messages: readonly Message[]): Message['quickReplies'] {
  const last = messages.at(-1);
  return last?.direction === 'out' && last.status !== 'failed' ? last.quickReplies : [];
}
