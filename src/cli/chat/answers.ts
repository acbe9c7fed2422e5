import type { Door, Output } from '../../contract/index.ts';
import type { ExitCode } from '../../std/index.ts';
import type { Io } from '../io.ts';
import { type Confirmation, type Conversation, type Message, openRuns, waitUntilQuiet } from './conversation.ts';

type FlowRun = Output<'flowRuns.list'>['items'][number];
type Job = Output<'jobs.list'>['items'][number];

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
  /** Why a flow that was at work has failed, or why none could work. */
  readonly error?: { readonly code: string; readonly message: string; readonly hint: string };
}

/** How a conversation was before something was said in it. */
export interface Before {
  /** Ids of messages, events, and of what had failed. */
  readonly seen: ReadonlySet<string>;
  /** Of the runs that were under way. */
  readonly traces: ReadonlySet<string>;
}

export async function lookAt(door: Door, conversationId: string | undefined): Promise<Before> {
  if (conversationId === undefined) return { seen: new Set(), traces: new Set() };
  const [messages, events, { flows, agents }, failed] = await Promise.all([
    door('messages.list', { conversationId, order: 'desc', limit: 200 }),
    latestEvents(door, conversationId),
    openRuns(door, conversationId),
    failures(door, conversationId),
  ]);
  return {
    seen: new Set([...messages.items, ...events, ...failed.runs, ...failed.jobs].map(({ id }) => id)),
    traces: new Set([...flows, ...agents].map(({ traceId }) => traceId)),
  };
}

async function latestEvents(door: Door, conversationId: string) {
  return (await door('events.list', { conversationId, order: 'desc', limit: 200 })).items;
}

/** Runs of flows that failed in a conversation, and what should have worked on some flow and failed itself. */
async function failures(door: Door, conversationId: string): Promise<{ runs: FlowRun[]; jobs: Job[] }> {
  const [runs, jobs] = await Promise.all([
    door('flowRuns.list', { conversationId, status: 'failed', limit: 20 }),
    door('jobs.list', { kind: 'flow-step', state: 'failed', limit: 50 }),
  ]);
  return { runs: runs.items, jobs: jobs.items };
}

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
  const events = await latestEvents(door, conversationId);
  const caused = events.flatMap(({ id, traceId }) => (traceId === null || before.seen.has(id) ? [] : [traceId]));
  const traces = await waitUntilQuiet(door, conversationId, [...before.traces, ...caused], withinMs, signal);
  const [messages, conversation, questions, failed] = await Promise.all([
    door('messages.list', { conversationId, order: 'desc', limit: 200 }),
    door('conversations.get', { id: conversationId }),
    door('confirmations.list', { conversationId, open: true, limit: 200 }),
    failures(door, conversationId),
  ]);
  const came = messages.items
    .filter(({ id, direction }) => direction === 'out' && id !== ownId && !before.seen.has(id))
    .reverse();
  const { ai, assignee } = conversation;
  const failedRun = failed.runs.find(({ id, error }) => error !== null && !before.seen.has(id));
  const failedJob = failed.jobs.find(({ id, traceId }) => traces.has(traceId) && !before.seen.has(id));
  return {
    conversationId,
    messages: came.map(({ id, author, text, quickReplies }) => ({ id, author: author.type, text, quickReplies })),
    ...(ai.state === 'paused' && { handover: { reason: ai.reason, by: ai.by, assignee } }),
    confirmations: questions.items.map(({ id, tool, by, text, arguments: args }) => {
      return { id, tool, by, text, arguments: args };
    }),
    ...errorOf(failedRun, failedJob),
  };
}

function errorOf(run: FlowRun | undefined, job: Job | undefined): Pick<Answers, 'error'> {
  if (run?.error) {
    const { code, message } = run.error;
    return { error: { code, message: `${run.flow} at ${run.node}: ${message}`, hint: `fn flow show ${run.id}` } };
  }
  if (job === undefined) return {};
  const { error } = (job.outcome ?? {}) as { readonly error?: unknown };
  // The stack is in the job.
  const [message = 'it is not known why'] = typeof error === 'string' ? error.split('\n') : [];
  return { error: { code: 'job_failed', message: `Flows could not work: ${message}`, hint: `fn job show ${job.id}` } };
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
  if (error) io.err(`${io.errStyle.red('error')} ${error.code}: ${error.message}\n  ${error.hint}`);
  return error === undefined ? 0 : 5;
}

function paragraphOf({ text, quickReplies }: Answers['messages'][number]): string {
  return [text ?? '', ...quickReplies.map(({ title }, index) => `  ${index + 1} ${title}`)].join('\n');
}
