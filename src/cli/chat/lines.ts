import type { Door, Output } from '../../contract/index.ts';
import { everyPage, shortened } from '../../std/index.ts';
import { inLine } from '../terminal/sanitise.ts';
import type { Style } from '../terminal/style.ts';
import type { Confirmation, Conversation, Message, Side } from './conversation.ts';

type ToolCall = Output<'tools.logs'>['items'][number];
type Note = Output<'notes.add'>;

/** Names of those who write. */
export type Names = (author: Message['author']) => string;

/** @param side a customer is called "You" in their own chat */
export async function readNames(door: Door, side: Side): Promise<Names> {
  const [people, aiAgents] = await Promise.all([
    everyPage((page) => door('agents.list', page)),
    everyPage((page) => door('aiAgents.list', page)),
  ]);
  const known = new Map([
    ...people.map(({ id, name }) => [id, name] as const),
    ...aiAgents.map(({ id, title, name }) => [id, title ?? name] as const),
  ]);
  return ({ type, id }) => {
    if (type === 'customer') return side.type === 'customer' ? 'You' : 'Customer';
    const name = known.get(id ?? '');
    if (name !== undefined) return side.type === 'desk' && side.person.id === id ? 'You' : name;
    return {
      agent: 'Agent',
      aiAgent: 'AI',
      flow: 'Flow',
      function: 'Function',
      api: 'API',
      mcp: 'MCP',
      system: 'System',
    }[type];
  };
}

/** A message, with quick replies by number. */
export function messageLines(message: Message, names: Names, style: Style): string {
  const text = message.text ?? (message.media === null ? '' : `[${message.media.fileName ?? message.media.type}]`);
  const replies = message.quickReplies.map(({ title }, index) => `  ${style.cyan(String(index + 1))} ${inLine(title)}`);
  return [`${style.bold(inLine(names(message.author)))}  ${text}`, ...replies].join('\n');
}

/** What happened besides messages, in one dim line. @returns undefined for what is not shown */
export function eventLine(
  event: { readonly type: string; readonly data: Readonly<Record<string, unknown>> },
  side: Side,
  names: Names,
): string | undefined {
  const { type, data } = event;
  switch (type) {
    case 'aiTool.called':
    case 'aiTool.failed': {
      const call = data['toolCall'] as ToolCall;
      const outcome = call.error === null ? 'ok' : call.error.message;
      return `→ ${inLine(call.tool)} ${brief(call.arguments)} ← ${inLine(shortened(outcome, 120))}`;
    }
    case 'confirmation.requested': {
      const { tool, by, arguments: args } = data['confirmation'] as Confirmation;
      if (by === 'customer') return undefined;
      const how = side.type === 'desk' ? ': /allow or /deny' : ', and waits for a person: fn confirmation list';
      return `? ${inLine(tool)} ${brief(args)} is to be confirmed${how}`;
    }
    case 'confirmation.answered':
    case 'confirmation.expired': {
      const { tool, state, answer } = data['confirmation'] as Confirmation;
      const who =
        answer === null
          ? ''
          : ` by ${names({ type: answer.actor.type as Message['author']['type'], id: answer.actor.id })}`;
      return `  ${inLine(tool)} ${state}${inLine(who)}`;
    }
    case 'conversation.aiPaused': {
      const { ai } = data['conversation'] as Conversation;
      return `The AI is paused${ai.reason === null ? '' : ` (${inLine(ai.reason)})`}: people answer now${side.type === 'desk' ? '; /back hands it back' : ''}`;
    }
    case 'conversation.aiResumed':
      return 'The AI answers again';
    case 'conversation.closed':
      return 'The conversation is closed';
    case 'note.created':
      return side.type === 'desk' ? `Note: ${(data['note'] as Note).text}` : undefined;
    case 'flowRun.failed': {
      const run = data['flowRun'] as Output<'flowRuns.list'>['items'][number];
      return `The flow ${inLine(run.flow)} failed at ${inLine(run.node)}: ${inLine(run.error?.message ?? '')}`;
    }
    default:
      return undefined;
  }
}

const brief = (value: unknown) => (value === null ? '' : shortened(inLine(JSON.stringify(value)), 120));

/** The kinds that are read. */
export const shownKinds = [
  'message.received',
  'message.sent',
  'aiTool.*',
  'confirmation.*',
  'conversation.aiPaused',
  'conversation.aiResumed',
  'conversation.closed',
  'note.created',
  'flowRun.failed',
].join(',');
