import { AssertionError } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import type { Door, Output } from '../contract/index.ts';
import { isRecord, millisecondsOf, UsageError } from '../std/index.ts';
import type { ChatOptions, TestChat } from './types.ts';

type Message = Output<'messages.receive'>;

interface Parts {
  readonly call: Door;
  readonly settled: () => Promise<void>;
}

/** What `collectMs` of an agent may be at most. */
const longestCollectMs = 60_000;

/** A conversation as a customer. */
export function chatWith({ as, channel, name }: ChatOptions, { call, settled }: Parts): TestChat {
  let conversationId: string | undefined;
  const seen = new Set<string>();
  let latest: Message[] = [];

  /** An AI agent that waits for further messages of the customer is let begin: none comes. */
  const passCollecting = async () => {
    for (;;) {
      await settled();
      const { items } = await call('jobs.list', { kind: 'agent-run', state: 'waiting', limit: 200 });
      const nowMs = Date.parse((await call('clock.show', {})).now);
      const dueInMs = items.map(({ dueAt }) => Date.parse(dueAt) - nowMs).filter((ms) => ms <= longestCollectMs);
      if (dueInMs.length === 0) return;
      await call('clock.advance', { ms: Math.max(0, ...dueInMs) });
    }
  };

  /** What has come since. */
  const arrived = async (): Promise<Message[]> => {
    await passCollecting();
    if (conversationId === undefined) return [];
    const { items } = await call('messages.list', { conversationId, order: 'desc', limit: 200 });
    latest = items.filter(({ id, direction }) => direction === 'out' && !seen.has(id)).reverse();
    for (const { id } of latest) seen.add(id);
    return latest;
  };
  /** Why there may be nothing: what should have worked on flows has failed itself. */
  const whyNothing = async () => {
    const { items } = await call('jobs.list', { kind: 'flow-step', state: 'failed', limit: 1 });
    const { error } = (items[0]?.outcome ?? {}) as { readonly error?: unknown };
    return typeof error === 'string' ? `, because flows could not work: ${error.split('\n', 1)}` : '';
  };
  /** What was sent before the first words of this chat is none of it. */
  const passOver = async ({ id, conversationId }: Message) => {
    const { items } = await call('messages.list', { conversationId, order: 'desc', limit: 200 });
    const before = items.slice(items.findIndex((message) => message.id === id) + 1);
    for (const message of before) seen.add(message.id);
  };
  const requireConversation = () => {
    if (conversationId !== undefined) return conversationId;
    throw new UsageError('chat_empty', 'Nothing was said in this conversation yet');
  };

  return {
    get conversationId() {
      return requireConversation();
    },
    async say(what) {
      const who = as.includes('@') ? { email: as } : { phone: as };
      const said = typeof what === 'string' ? { text: what } : { quickReplyId: what.quickReply };
      const where =
        conversationId === undefined
          ? { ...who, ...(channel !== undefined && { channel }), ...(name !== undefined && { name }) }
          : { conversationId };
      const message = await call('messages.receive', { ...where, ...said });
      if (conversationId === undefined) await passOver(message);
      ({ conversationId } = message);
      return arrived();
    },
    async advance(by) {
      await call('clock.advance', { ms: millisecondsOf(by) });
      return arrived();
    },
    settled: arrived,
    expect: {
      async message(text) {
        const fits = (message: Message) =>
          typeof text === 'string' ? (message.text ?? '').includes(text) : text.test(message.text ?? '');
        const found = latest.find(fits);
        if (found) return found;
        throw mismatch(
          `No message with ${String(text)}${latest.length === 0 ? await whyNothing() : ''}`,
          latest.map((message) => message.text),
          text,
        );
      },
      async tool(tool, args = {}) {
        const { items } = await call('tools.logs', { conversationId: requireConversation(), limit: 200 });
        const made = items.filter((one) => one.tool === tool);
        if (made.some((one) => holds(one.arguments, args))) return;
        const calls = items.map((one) => ({ tool: one.tool, arguments: one.arguments }));
        throw mismatch(`${tool} was not called with ${JSON.stringify(args)}`, calls, { tool, arguments: args });
      },
      async path(...nodes) {
        const { items } = await call('flowRuns.list', { conversationId: requireConversation(), limit: 1 });
        const [run] = items;
        if (run === undefined) throw mismatch(`No flow has run${await whyNothing()}`, [], nodes);
        const { steps } = await call('flowRuns.show', { id: run.id });
        const taken = steps.map(({ node, outcome }) => `${node}:${outcome}`);
        let at = 0;
        for (const node of nodes) {
          at = taken.findIndex((step, i) => i >= at && (step === node || step.startsWith(`${node}:`))) + 1;
          if (at === 0) throw mismatch(`The flow ${run.flow} did not come to ${node} on this way`, taken, nodes);
        }
      },
    },
  };
}

/** Whether a value holds at least these fields. */
function holds(value: unknown, wanted: Readonly<Record<string, unknown>>): boolean {
  if (!isRecord(value)) return Object.keys(wanted).length === 0;
  return Object.entries(wanted).every(([name, part]) => isDeepStrictEqual(value[name], part));
}

function mismatch(message: string, actual: unknown, expected: unknown): AssertionError {
  return new AssertionError({ message: `${message}; there was ${JSON.stringify(actual)}`, actual, expected });
}
