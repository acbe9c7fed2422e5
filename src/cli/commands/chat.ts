import { type Client, openClient } from '../../client/index.ts';
import type { Door } from '../../contract/index.ts';
import { type ExitCode, millisecondsOf, UsageError } from '../../std/index.ts';
import { lookAt, printAnswers, waitForAnswers } from '../chat/answers.ts';
import {
  act,
  findConversation,
  findPerson,
  latestConversation,
  newCustomer,
  openQuickReplies,
  type Side,
} from '../chat/conversation.ts';
import { readLine } from '../chat/read-line.ts';
import { defineCommand } from '../command.ts';
import type { Context, Target } from '../context.ts';

/** A number that is kept free for films and examples. */
const exampleCustomer = '+493023125000';
const defaultTimeout = '60s';

export const command = defineCommand({
  description: `Talks with the local workspace in the terminal: as a customer, or with --desk as the person who answers.

What flows and AI agents answer streams in; calls of tools and confirmations are shown beside it. A number taps a quick reply. At the desk, the first message takes the conversation over from the AI, /allow and /deny answer a confirmation, and /back hands the conversation back.

With --send it says one thing and ends, for scripts and CI; with --wait it prints what came back, as soon as nothing is under way any more. A slash command of the desk may be sent, too.

With --save-test the conversation becomes a test that has it again: what was said, and what came of it.`,
  options: {
    as: {
      flag: '--as <customer>',
      summary: `Phone number or e-mail address of the customer; default: ${exampleCustomer}`,
    },
    channel: { flag: '--channel <channel>', summary: 'The channel on which the customer writes: kind, name or id' },
    new: { flag: '--new', summary: 'As a customer who has never written before' },
    desk: {
      flag: '--desk',
      summary: 'As the person at the desk; default: in the conversation with the latest message',
    },
    agent: { flag: '--agent <email>', summary: 'With --desk: who that is; default: the first of the team' },
    send: { flag: '--send <text>', summary: 'Say this, and end; exactly the title of a quick reply taps it' },
    wait: { flag: '-w, --wait', summary: 'With --send: wait, and print what came back' },
    saveTest: {
      flag: '--save-test <name>',
      summary: 'Save the conversation as test/NAME.test.js; default: the one with the latest message',
    },
    timeout: {
      flag: '--timeout <time>',
      summary: `With --wait: how long at most, such as 5s or 2m; default: ${defaultTimeout}`,
    },
  },
  examples: [
    { line: 'fn chat', does: 'writes as a customer' },
    { line: 'fn chat --desk', does: 'answers as the person at the desk, in a second terminal' },
    { line: "fn chat --as +49301234567 --send 'Where is A-1017?' --wait", does: 'prints the answer' },
    { line: 'fn chat --save-test refund-is-confirmed', does: 'saves the latest conversation as a test' },
    { line: "fn chat --desk --send '/allow' --wait --json", does: 'lets the call of a tool be made that waits' },
  ],
  json: '{conversationId, messages: [{id, author, text, quickReplies}], handover?: {reason, by, assignee}, confirmations: [{id, tool, by, text, arguments}], error?: {code, message, hint}}; without --wait {conversationId, messageId}; with --save-test {conversationId, file}',
  see: ['chat', 'testing-conversations', 'flows', 'ai-agents'],
  async run(context, args) {
    const { as, channel, desk, send, wait } = args;
    refuseConflicts(args);
    const timeoutMs = timeoutOf(args.timeout ?? defaultTimeout);
    if (args.saveTest !== undefined) return saveTest(context, args.saveTest, as, channel);
    if (send === undefined && !(context.ask.possible && context.io.outIsTerminal)) {
      throw new UsageError('value_missing', 'There is no terminal to chat in', {
        hint: "Say one thing: fn chat --send 'Where is A-1017?' --wait",
      });
    }
    const target = await context.target('local');
    // What a customer says without waiting only has to be there: it is answered in "fn dev".
    const isWorking = desk || wait || send === undefined;
    const client = target.client ?? (isWorking ? await target.working?.() : undefined);
    const lookup = client ?? target.door;
    const side: Side = desk
      ? { type: 'desk', person: await findPerson(lookup, args.agent) }
      : { type: 'customer', who: args.new ? await newCustomer(lookup) : (as ?? exampleCustomer), channel };
    const who = side.type === 'customer' ? side.who : as;
    const known = who === undefined ? await latestConversation(lookup) : await findConversation(lookup, who, channel);
    if (desk && known === undefined) throw notWritten(who);
    const own = client && side.type === 'desk' ? asPerson(context, client, side.person.id) : client;
    if (send === undefined) {
      if (own === undefined) throw new Error('a local workspace can be followed');
      const { chatOnTerminal } = await import('../chat/interactive.ts');
      await chatOnTerminal(context, own, side, known?.id);
      return 0;
    }
    return sayOnce(context, target, own ?? target.door, side, known?.id, { send, wait, timeoutMs });
  },
});

async function saveTest(
  context: Context,
  name: string,
  as: string | undefined,
  channel: string | undefined,
): Promise<ExitCode> {
  const { door } = await context.target('local');
  const known = as === undefined ? await latestConversation(door) : await findConversation(door, as, channel);
  if (known === undefined) throw notWritten(as);
  const { file } = await door('tests.save', { conversationId: known.id, name }, { signal: context.signal });
  context.io.result({ conversationId: known.id, file }, () => `Saved: ${file}. Run it: fn test ${file}`);
  return 0;
}

function notWritten(who: string | undefined): UsageError {
  return new UsageError('conversation_not_found', `${who} has not written yet`, { hint: `Write: fn chat --as ${who}` });
}

/** The same client, acting for a person of the team. */
function asPerson(context: Context, { workspace }: Client, agentId: string): Client {
  const client = openClient({ ...workspace, env: context.env, userAgent: `fn/${context.version}`, agentId });
  context.onEnd(() => client.close());
  return client;
}

async function sayOnce(
  context: Context,
  target: Target,
  door: Door,
  side: Side,
  conversationId: string | undefined,
  { send, wait, timeoutMs }: { readonly send: string; readonly wait: boolean; readonly timeoutMs: number },
): Promise<ExitCode> {
  const { io, signal } = context;
  const replies = conversationId === undefined ? [] : await openQuickReplies(door, conversationId);
  const read = readLine(side.type, send, replies);
  if (read.type === 'wrong') throw new UsageError('value_invalid', read.why);
  if (read.type !== 'act') {
    throw new UsageError('value_missing', '--send says nothing', { hint: "As in: --send 'Where is A-1017?'" });
  }
  const before = wait ? await lookAt(door, conversationId) : undefined;
  const done = await act(door, side, conversationId, read.act);
  if (before !== undefined) {
    return printAnswers(
      io,
      await waitForAnswers(door, done.conversationId, before, timeoutMs, signal, done.message?.id),
    );
  }
  const messageId = done.message?.id ?? null;
  io.result({ conversationId: done.conversationId, messageId }, () => done.conversationId);
  if (target.kind === 'embedded' && !io.json)
    io.err('What it starts runs as soon as "fn dev" runs here, or with --wait at once.');
  return 0;
}

function refuseConflicts(args: {
  readonly as: string | undefined;
  readonly channel: string | undefined;
  readonly new: boolean;
  readonly desk: boolean;
  readonly agent: string | undefined;
  readonly send: string | undefined;
  readonly wait: boolean;
  readonly timeout: string | undefined;
  readonly saveTest: string | undefined;
}): void {
  const wrong =
    args.new && args.as !== undefined
      ? '--new makes a customer: give it without --as'
      : args.new && args.desk
        ? '--new makes a customer: give it without --desk'
        : args.agent !== undefined && !args.desk
          ? '--agent names who is at the desk: give it with --desk'
          : args.wait && args.send === undefined
            ? '--wait waits for an answer: give it with --send'
            : args.timeout !== undefined && !args.wait
              ? '--timeout limits the waiting: give it with --wait'
              : args.saveTest !== undefined && (args.new || args.desk || args.send !== undefined)
                ? '--save-test says nothing: give it without --send, --new and --desk'
                : args.saveTest !== undefined && args.channel !== undefined && args.as === undefined
                  ? '--channel says where a customer wrote: with --save-test, give it with --as'
                  : undefined;
  if (wrong !== undefined) throw new UsageError('options_conflict', wrong, { hint: 'See: fn chat --help' });
}

function timeoutOf(given: string): number {
  try {
    return millisecondsOf(given);
  } catch (cause) {
    throw new UsageError('time_invalid', `--timeout: "${given.slice(0, 60)}" is no length of time`, {
      hint: 'As in --timeout 30s',
      cause,
    });
  }
}
