import type { Client, ServerEvent } from '../../client/index.ts';
import { type Input, type Output, runStatuses } from '../../contract/index.ts';
import { type ExitCode, isRecord, shortened, UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import type { Context, Target } from '../context.ts';
import { callsText, tokensText } from '../terminal/run-use.ts';
import { inLine } from '../terminal/sanitise.ts';
import { listing } from '../terminal/table.ts';
import { budgetOf } from '../values/budget-of.ts';
import { countWithin } from '../values/count-within.ts';
import { readJson } from '../values/read-json.ts';
import { followStream } from '../workspaces/follow-stream.ts';

type Run = Output<'aiAgentRuns.show'>;

const see = ['ai-agents', 'budgets'] as const;
const maxShown = 200;
const id = { summary: 'Id of the run, run_…' } as const;

const following = {
  wait: { flag: '-w, --wait', summary: 'Wait for its end, and print what it said' },
  follow: { flag: '-f, --follow', summary: 'Show what happens in it, until its end' },
} as const;

const create = defineCommand({
  description: `Starts a run of an AI agent, or of a harness alone. In a conversation its answer is sent there; without one nothing is sent.

Without --wait and --follow it prints the id of the run and ends: the run goes on in "fn dev" or in the workspace. With --wait it prints what the agent said. A run that has to wait for a person ends the command, too: its status is then "waiting".`,
  options: {
    agent: { flag: '-a, --agent <name>', summary: 'Name of the AI agent: nora, or order-desk/nora' },
    harness: { flag: '--harness <name>', summary: 'Name of a harness, for a run without an agent' },
    instructions: { flag: '--instructions <text>', summary: 'What the agent is to do, instead of what its file says' },
    // Not `input`: that is what --no-input sets.
    asked: { flag: '-i, --input <text>', summary: 'What it is asked; - reads standard input' },
    conversation: { flag: '--conversation <id>', summary: 'The conversation that it answers in' },
    model: { flag: '-m, --model <name>', summary: 'Main model, instead of that of the agent' },
    fallbackModel: { flag: '--fallback-model <name>', summary: 'Model that answers when the main one cannot' },
    tool: { flag: '--tool <name>', summary: 'A tool that it may call, instead of those of the agent', many: true },
    mcp: {
      flag: '--mcp <client/tool>',
      summary: 'A tool of an MCP client; a client alone means all its tools',
      many: true,
    },
    budget: {
      flag: '--budget <limits>',
      summary: 'cost=0.5,tokens=50000,modelCalls=12,toolCalls=20,seconds=120; each may be left out',
    },
    allowUnknownPrice: {
      flag: '--allow-unknown-price',
      summary: 'With a budget of money: also use models whose price is unknown',
    },
    ...following,
  },
  examples: [
    { line: "fn agent-run create --agent nora --input 'Where is A-1017?' --wait", does: 'prints the answer' },
    {
      line: "fn agent-run create --agent nora --input 'Where is A-1017?' --follow",
      does: 'shows what happens on the way',
    },
    { line: 'fn agent-run create --agent nora --conversation cnv_01JD… --json', does: 'answers in a conversation' },
  ],
  json: 'The run; with --follow one event per line, the last one {type: done, status, run}',
  see,
  async run(context, args) {
    const { signal } = context;
    const target = await context.target();
    const input = args.asked === '-' ? (await context.stdin()).trim() : args.asked;
    const budget = { ...budgetOf(args.budget), ...(args.allowUnknownPrice && { allowUnknownPrice: true }) };
    const given: Input<'aiAgentRuns.create'> = {
      ...(args.agent !== undefined && { agent: args.agent }),
      ...(args.harness !== undefined && { harness: args.harness }),
      ...(args.instructions !== undefined && { instructions: args.instructions }),
      ...(input !== undefined && { input }),
      ...(args.conversation !== undefined && { conversationId: args.conversation }),
      ...modelsOf(args),
      ...(args.tool?.length && { tools: args.tool }),
      ...(args.mcp?.length && { mcp: mcpOf(args.mcp) }),
      ...(Object.keys(budget).length > 0 && { budget }),
    };
    if (args.agent === undefined && args.harness === undefined) {
      throw new UsageError('agent_missing', 'Name an AI agent with --agent, or a harness with --harness', {
        hint: 'See: fn agent list',
      });
    }
    const run = await target.door('aiAgentRuns.create', given, { signal });
    return await shown(context, target, run, args);
  },
});

const show = defineCommand({
  description: 'Shows a run as a conversation: what was asked and said, its tool calls, tokens and cost.',
  arguments: { id },
  options: { follow: following.follow },
  examples: [
    { line: 'fn agent-run show run_01JD…', does: 'shows it' },
    { line: 'fn agent-run show run_01JD… --json', does: 'prints its record' },
  ],
  json: 'The run; with --follow one event per line, the last one {type: done, status, run}',
  see,
  async run(context, args) {
    const target = await context.target();
    const run = await target.door('aiAgentRuns.show', { id: args.id }, { signal: context.signal });
    if (args.follow && !isOver(run)) return await shown(context, target, run, { follow: true, wait: false });
    context.io.result(run, () => recordText(context, run));
    return 0;
  },
});

const list = defineCommand({
  description: 'Lists runs of AI agents, newest first.',
  options: {
    status: { flag: '-s, --status <status>', summary: 'Only runs in this status', choices: runStatuses },
    agent: { flag: '-a, --agent <name>', summary: 'Only runs of this agent: order-desk/nora' },
    conversation: { flag: '--conversation <id>', summary: 'Only runs in this conversation' },
    limit: { flag: '-l, --limit <count>', summary: `How many; default 50, at most ${maxShown}`, type: 'count' },
  },
  examples: [
    { line: 'fn agent-run list', does: 'lists the newest 50 runs', runs: true },
    { line: 'fn agent-run list --status failed --json', does: 'prints those that failed' },
  ],
  json: '{items: [run], nextCursor}',
  see,
  async run(context, { status, agent, conversation, limit = 50 }) {
    const { io, signal } = context;
    countWithin('--limit', limit, maxShown);
    const query = {
      limit,
      ...(status !== undefined && { status }),
      ...(agent !== undefined && { agent }),
      ...(conversation !== undefined && { conversationId: conversation }),
    };
    const page = await (await context.door())('aiAgentRuns.list', query, { signal });
    io.results(page, 'No run yet. Start one: fn agent-run create --agent NAME --input TEXT', () => {
      const rows = page.items.map((run) => [
        run.id,
        run.status,
        run.agent ?? run.harness.name,
        run.createdAt,
        costText(run),
        shortened(inLine(run.text ?? run.error?.message ?? ''), 60),
      ]);
      return listing(io, [['ID', 'STATUS', 'AGENT', 'STARTED', 'USE', 'TEXT'], ...rows], [5]);
    });
  },
});

const cancel = defineCommand({
  description: 'Cancels a run. What it still produces is dropped; one that has ended stays as it is.',
  arguments: { id },
  examples: [{ line: 'fn agent-run cancel run_01JD…', does: 'cancels it' }],
  json: 'The run',
  see,
  async run(context, args) {
    const run = await (await context.door())('aiAgentRuns.cancel', { id: args.id }, { signal: context.signal });
    context.io.result(run, () =>
      run.status === 'cancelled' ? `Cancelled: ${run.id}` : `${run.id} had ended: ${run.status}`,
    );
  },
});

const answer = defineCommand({
  description: `Answers a question of the agent itself, for which a run waits: agents of a server of your own may ask one. The run then goes on, and the agent reads the answer. Calls of tools that wait are answered with "fn confirmation".`,
  arguments: { id },
  options: {
    data: { flag: '-d, --data <json>', summary: 'The answer as JSON, @file, or @- for standard input' },
    question: { flag: '--question <id>', summary: 'Which question; may be left out if there is one' },
    cancel: { flag: '--cancel', summary: 'Nobody will answer: the agent goes on without' },
    ...following,
  },
  examples: [
    {
      line: `fn agent-run answer run_01JD… -d '{"approved":true}' --wait`,
      does: 'answers, and prints what came of it',
    },
    { line: 'fn agent-run answer run_01JD… --cancel', does: 'lets it go on without an answer' },
  ],
  json: 'The run; with --follow one event per line, the last one {type: done, status, run}',
  see,
  async run(context, args) {
    const { data, question, cancel: isCancelled } = args;
    if ((data === undefined) === !isCancelled) {
      throw new UsageError('value_missing', 'Give the answer with --data, or --cancel', {
        hint: 'What it asks: fn agent-run show RUN',
      });
    }
    const target = await context.target();
    const given: Input<'aiAgentRuns.answer'> = {
      id: args.id,
      ...(question !== undefined && { interruptId: question }),
      ...(isCancelled && { status: 'cancelled' }),
      ...(data !== undefined && { payload: (await readJson(context, data, '--data')) as never }),
    };
    const run = await target.door('aiAgentRuns.answer', given, { signal: context.signal });
    return await shown(context, target, run, args);
  },
});

const rerun = defineCommand({
  description: `Runs again what a run was asked, as a run of its own. What came before a model call is taken from the record, the rest is live. Its answer is sent nowhere unless you say so.`,
  arguments: { id },
  options: {
    from: { flag: '--from <call>', summary: 'The model call from which on it is live, mdc_…; default: the first one' },
    model: { flag: '-m, --model <name>', summary: 'Another main model' },
    instructions: { flag: '--instructions <text>', summary: 'Other instructions' },
    // Not `input`: that is what --no-input sets.
    asked: { flag: '-i, --input <text>', summary: 'Another question; - reads standard input' },
    send: { flag: '--send', summary: 'Send its answer to the conversation, as the first run did' },
    ...following,
  },
  examples: [
    { line: 'fn agent-run rerun run_01JD… --wait', does: 'asks the same again' },
    { line: 'fn agent-run rerun run_01JD… --from mdc_01JD… --follow', does: 'repeats it from one model call on' },
  ],
  json: 'The new run; with --follow one event per line',
  see,
  async run(context, args) {
    const target = await context.target();
    const input = args.asked === '-' ? (await context.stdin()).trim() : args.asked;
    const run = await target.door(
      'aiAgentRuns.rerun',
      {
        id: args.id,
        ...(args.from !== undefined && { from: args.from }),
        ...(args.model !== undefined && { models: { main: args.model } }),
        ...(args.instructions !== undefined && { instructions: args.instructions }),
        ...(input !== undefined && { input }),
        ...(args.send && { send: true }),
      },
      { signal: context.signal },
    );
    return await shown(context, target, run, args);
  },
});

function modelsOf({
  model,
  fallbackModel,
}: {
  model: string | undefined;
  fallbackModel: string | undefined;
}): Pick<Input<'aiAgentRuns.create'>, 'models'> {
  if (model === undefined && fallbackModel === undefined) return {};
  return {
    models: {
      ...(model !== undefined && { main: model }),
      ...(fallbackModel !== undefined && { fallback: fallbackModel }),
    },
  };
}

/** `shop/search` is a tool, `shop` all tools of the client. */
function mcpOf(given: readonly string[]): NonNullable<Input<'aiAgentRuns.create'>['mcp']> {
  const clients = new Map<string, string[] | undefined>();
  for (const one of given) {
    const slash = one.indexOf('/');
    const client = slash === -1 ? one : one.slice(0, slash);
    if (slash === -1) clients.set(client, undefined);
    else if (!clients.has(client) || clients.get(client) !== undefined)
      clients.set(client, [...(clients.get(client) ?? []), one.slice(slash + 1)]);
  }
  return [...clients].map(([client, tools]) => ({ client, ...(tools && { tools }) }));
}

const isOver = ({ status }: Run): boolean => status !== 'queued' && status !== 'running';

/** Prints a new run: its id, or with `--wait` and `--follow` what comes of it. */
async function shown(
  context: Context,
  target: Target,
  run: Run,
  { wait, follow }: { wait: boolean; follow: boolean },
): Promise<ExitCode> {
  const { io } = context;
  if (!wait && !follow) {
    io.result(run, () => run.id);
    if (target.kind === 'embedded' && !io.json)
      io.err('It runs as soon as "fn dev" runs here, or with --wait at once.');
    return 0;
  }
  const ended = await followed(context, target, run.id, follow);
  if (wait && !follow) io.result(ended, () => ended.text ?? undefined);
  if (!io.json) io.err(closingLine(context, ended));
  return exitCodeOf(ended);
}

/** Follows a run to its end, or until it waits for a person. A Ctrl-C cancels it. */
async function followed(context: Context, target: Target, runId: string, shows: boolean): Promise<Run> {
  const client = target.client ?? (await target.working?.());
  if (client === undefined) throw new Error('nobody works on jobs here');
  const teller = new RunTeller(context, shows);
  let ended: Run | undefined;
  const stopping = new AbortController();
  await followStream(context, client, {
    operation: 'aiAgentRuns.show',
    input: { id: runId },
    stop: stopping.signal,
    show: (event) => {
      ended = teller.tell(event);
      if (ended !== undefined) stopping.abort();
    },
  });
  if (ended !== undefined) return ended;
  return await afterStop(context, client, runId);
}

/** The command was stopped: so is the run. */
async function afterStop(context: Context, client: Client, runId: string): Promise<Run> {
  const door: Client = client;
  return context.signal.aborted
    ? await door('aiAgentRuns.cancel', { id: runId }, {})
    : await door('aiAgentRuns.show', { id: runId }, {});
}

/** Tells what happens in a run, as it happens. */
class RunTeller {
  readonly #context: Context;
  readonly #shows: boolean;

  constructor(context: Context, shows: boolean) {
    this.#context = context;
    this.#shows = shows;
  }

  /** @returns the record, once the run has ended */
  tell({ data }: ServerEvent): Run | undefined {
    const event: unknown = JSON.parse(data);
    if (!isRecord(event)) return undefined;
    if (this.#shows) this.#context.io.item(event, () => this.#line(event));
    return event['type'] === 'done' ? (event['run'] as Run) : undefined;
  }

  #line(event: Record<string, unknown>): string | undefined {
    const { style } = this.#context.io;
    const call = isRecord(event['call']) ? event['call'] : {};
    switch (event['type']) {
      case 'message':
        return String(event['text']);
      case 'toolCall.requested':
        return style.dim(`→ ${inLine(String(call['name']))} ${inLine(JSON.stringify(call['arguments'] ?? {}))}`);
      case 'toolCall.ended': {
        const result = isRecord(event['result']) ? event['result'] : {};
        return style.dim(`← ${result['status']} ${shortened(inLine(String(result['content'] ?? '')), 200)}`);
      }
      case 'modelCall.ended': {
        const { usage, model, costUsd } = event;
        const used = isRecord(usage) ? `${usage['inputTokens']} + ${usage['outputTokens']} tokens` : 'no tokens';
        const price = typeof costUsd === 'number' && costUsd > 0 ? `, $${costUsd.toFixed(4)}` : '';
        return style.dim(`  ${inLine(String(model))}: ${used}${price}`);
      }
      case 'handover':
        return style.dim(`handed over: ${inLine(String(event['reason'] ?? ''))}`);
      case 'warning':
      case 'error':
        return style.dim(`${event['type']} ${event['code']}: ${inLine(String(event['message']))}`);
      default:
        return undefined;
    }
  }
}

function costText({ usage }: Pick<Run, 'usage'>): string {
  return `${tokensText(usage)}${usage.costBasis === 'unknown' ? ', price unknown' : ''}`;
}

function closingLine({ io }: Context, run: Run): string {
  const why = run.error === null ? '' : `: ${inLine(run.error.message)}`;
  const waits = run.waitingFor.map(({ id: question, message }) => `\n  waits for ${question} ${inLine(message ?? '')}`);
  return (
    io.errStyle.dim(
      `${run.id} ${run.status}${why} (${callsText(run.usage)}, ${costText(run)}, ${run.usage.seconds} s)`,
    ) + waits.join('')
  );
}

function exitCodeOf({ status, budgetExceeded }: Run): ExitCode {
  if (budgetExceeded !== null) return 6;
  if (status === 'failed') return 5;
  return status === 'cancelled' ? 130 : 0;
}

/** A run as it reads: question, calls, answer, and what it cost. */
function recordText(context: Context, run: Run): string {
  const { style } = context.io;
  const calls = [
    ...run.modelCalls.map((call) => {
      const used = call.usage === null ? '' : ` ${call.usage.inputTokens} + ${call.usage.outputTokens} tokens`;
      const failed = call.error === null ? '' : ` ${call.error.code}`;
      return { seq: call.seq, line: `  ${call.role} ${inLine(call.model)}${used}${failed}  ${call.id}` };
    }),
    ...run.toolCalls.map((call) => {
      const came = call.error === null ? JSON.stringify(call.result) : call.error.code;
      const args = shortened(inLine(JSON.stringify(call.arguments)), 100);
      return { seq: call.seq, line: `→ ${call.name} ${args} ${call.status} ${shortened(inLine(came), 100)}` };
    }),
  ];
  const lines = calls.sort((a, b) => a.seq - b.seq).map(({ line }) => style.dim(line));
  const asked = run.input.map(({ role, content }) => `${role === 'user' ? '>' : '<'} ${content}`);
  const warned = run.warnings.map(({ code, message }) => style.dim(`warning ${code}: ${inLine(message)}`));
  return [...asked, ...lines, ...(run.text === null ? [] : [run.text]), ...warned, closingLine(context, run)].join(
    '\n',
  );
}

/** `fn agent-run …` */
export const commands = {
  create: { summary: 'Start a run of an AI agent', command: create },
  show: { summary: 'Show a run with its calls and its cost', command: show },
  list: { summary: 'List runs of AI agents', command: list },
  cancel: { summary: 'Cancel a run', command: cancel },
  answer: { summary: 'Answer a question of the agent itself', command: answer },
  rerun: { summary: 'Run again, from any model call on', command: rerun },
};
