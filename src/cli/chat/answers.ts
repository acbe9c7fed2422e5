import type { Door, Output } from '../../contract/index.ts';
import type { ExitCode } from '../../std/index.ts';
import type { Io } from '../io.ts';
import { type Confirmation, type Conversation, type Message, waitUntilQuiet } from './conversation.ts';

type FlowRun = Output<'flowRuns.list'>['items'][number];

/** What came back after something was said, as `--json` prints it. */
export interface Answers {
  readonly conversationId: string;
  readonly messages: readonly {
    readonly id: string;
    readonly author: Message['author']['type'];
    readonly text: string | null;
    readonly quickReplies: Message['quickReplies'];
  }[];
  /** There if people answer now: who has it, and why the AI is paused. */
  readonly handover?: {
    readonly reason: string | null;
    readonly by: Conversation['ai']['by'];
    readonly assignee: Conversation['assignee'];
  };
  /** Calls of tools that wait for a person, or for the customer. */
  readonly confirmations: readonly Pick<Confirmation, 'id' | 'tool' | 'by' | 'text' | 'arguments'>[];
  /** Why a flow, or a run of an AI agent, that was at work has failed. */
  readonly error?: { readonly code: string; readonly message: string };
}

/** How a conversation was before something was said in it. */
export interface Before {
  readonly seen: ReadonlySet<string>;
  readonly failedRuns: ReadonlySet<string>;
}

export async function lookAt(door: Door, conversationId: string | undefined): Promise<Before> {
  if (conversationId === undefined) return { seen: new Set(), failedRuns: new Set() };
  const [messages, runs] = await Promise.all([
    door('messages.list', { conversationId, order: 'desc', limit: 200 }),
    door('flowRuns.list', { conversationId, limit: 200 }),
  ]);
  return { seen: idsOf(messages.items), failedRuns: idsOf(runs.items.filter(({ status }) => status === 'failed')) };
}

const idsOf = (items: readonly { readonly id: string }[]) => new Set(items.map(({ id }) => id));

/**
 * Waits for what comes back.
 * @param ownId of the message that was sent: no answer
 * @throws LimitError chat_timeout
 */
export async function waitForAnswers(
  door: Door,
  conversationId: string,
  before: Before,
  withinMs: number,
  signal: AbortSignal,
  ownId?: string,
): Promise<Answers> {
  await waitUntilQuiet(door, withinMs, signal);
  const [messages, conversation, questions, runs] = await Promise.all([
    door('messages.list', { conversationId, order: 'desc', limit: 200 }),
    door('conversations.get', { id: conversationId }),
    door('confirmations.list', { conversationId, open: true, limit: 200 }),
    door('flowRuns.list', { conversationId, status: 'failed', limit: 20 }),
  ]);
  const came = messages.items
    .filter(({ id, direction }) => direction === 'out' && id !== ownId && !before.seen.has(id))
    .reverse();
  const { ai, assignee } = conversation;
  const failed = runs.items.find(({ id, error }) => error !== null && !before.failedRuns.has(id));
  return {
    conversationId,
    messages: came.map(({ id, author, text, quickReplies }) => ({ id, author: author.type, text, quickReplies })),
    ...(ai.state === 'paused' && { handover: { reason: ai.reason, by: ai.by, assignee } }),
    confirmations: questions.items.map(({ id, tool, by, text, arguments: args }) => {
      return { id, tool, by, text, arguments: args };
    }),
    ...errorOf(failed),
  };
}

function errorOf(run: FlowRun | undefined): Pick<Answers, 'error'> {
  return run?.error
    ? { error: { code: run.error.code, message: `${run.flow} at ${run.node}: ${run.error.message}` } }
    : {};
}

/** Prints what came back: a paragraph for each message; the rest on standard error. */
export function printAnswers(io: Io, answers: Answers): ExitCode {
  const { messages, handover, confirmations, error } = answers;
  io.result(answers, () => (messages.length === 0 ? undefined : messages.map(paragraphOf).join('\n\n')));
  if (io.json) return error === undefined ? 0 : 5;
  for (const { id, tool, by } of confirmations) {
    const who = by === 'human' ? `a person: fn confirmation allow ${id}` : 'the customer';
    io.err(io.errStyle.dim(`${tool} waits for ${who}`));
  }
  if (handover) io.err(io.errStyle.dim(`People answer here${handover.reason === null ? '' : `: ${handover.reason}`}`));
  else if (messages.length === 0 && confirmations.length === 0 && error === undefined)
    io.err('Nothing came back. Which flow starts on a message: fn flow list');
  if (error) io.err(`${io.errStyle.red('error')} ${error.code}: ${error.message}`);
  return error === undefined ? 0 : 5;
}

function paragraphOf({ text, quickReplies }: Answers['messages'][number]): string {
  return [text ?? '', ...quickReplies.map(({ title }, index) => `  ${index + 1} ${title}`)].join('\n');
}
