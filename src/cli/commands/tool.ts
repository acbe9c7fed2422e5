import type { JsonSchema } from '../../contract/function-config/index.ts';
import type { Door, Output } from '../../contract/index.ts';
import { readFixture } from '../../project/index.ts';
import { UsageError, WorkspaceError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { callTool } from '../functions/call-tool.ts';
import type { FuzzReport } from '../fuzz/fuzz.ts';
import { listing } from '../terminal/table.ts';
import { countWithin } from '../values/count-within.ts';
import { readJson } from '../values/read-json.ts';
import { followStream } from '../workspaces/follow-stream.ts';

type Tool = Output<'tools.show'>;
type Call = Output<'tools.logs'>['items'][number];

const see = ['tools'] as const;
const maxShown = 200;
const maxRuns = 10_000;
const name = { summary: 'Name of the tool, as models call it; app/NAME where two apps have it' } as const;

const list = defineCommand({
  description: 'Lists the AI Tools: who may call each, besides people, and who confirms a call.',
  options: { source: { flag: '--source <name>', summary: 'Only tools of this app or MCP client' } },
  examples: [{ line: 'fn tool list', does: 'lists all tools', runs: true }],
  json: '{items: [tool], nextCursor}',
  see,
  async run(context, { source }) {
    const { io, signal } = context;
    const door = await context.door();
    const page = await door('tools.list', { limit: maxShown, ...(source !== undefined && { source }) }, { signal });
    io.results(page, 'There are no tools: fn init NAME --type tool creates one', () => {
      const rows = page.items.map((tool) => [
        tool.name,
        tool.source.name,
        callersText(tool),
        tool.problem === null ? confirmText(tool) : 'cannot be called',
        tool.title ?? tool.description,
      ]);
      return listing(io, [['NAME', 'OF', 'CALLERS', 'CONFIRM', 'WHAT'], ...rows], [2, 4]);
    });
  },
});

const show = defineCommand({
  description:
    'Shows an AI Tool: its schema, who may call it, what it sees and may change, who confirms a call, its limits.',
  arguments: { name },
  examples: [{ line: 'fn tool show refund_order', does: 'shows it as JSON' }],
  json: 'The tool',
  see,
  async run(context, given) {
    const tool = await (await context.door())('tools.show', { name: given.name }, { signal: context.signal });
    context.io.result(tool, () => JSON.stringify(tool, null, 2));
  },
});

const call = defineCommand({
  description: `Calls an AI Tool as a person does, through the same checks as an AI agent: its arguments, its limits, its confirmation. If somebody has to confirm the call, fn asks on a terminal; elsewhere it says how to answer, and the same call made again gives the result.

Without --data, the arguments are the fixture "default" of its function, if there is one. "fn invoke" runs the function past all of these checks.`,
  arguments: { name },
  options: {
    data: { flag: '-d, --data <json>', summary: 'Arguments as JSON, @file, or @- for standard input' },
    conversation: { flag: '--conversation <id>', summary: 'Conversation that it works in' },
  },
  examples: [
    { line: `fn tool call refund_order -d '{"orderId":"A-1017","reason":"broken"}'`, does: 'calls it, and asks' },
    { line: 'fn tool call order_status -d @args.json --json', does: 'prints {status, callId, result}' },
  ],
  json: '{status: ok or error, callId, result?, error?: {code, message, retryable}, confirmationId?}',
  see,
  async run(context, given) {
    const { signal } = context;
    const door = await context.door();
    const input = {
      name: given.name,
      arguments: (await argumentsOf(context, door, given)) as never,
      ...(given.conversation !== undefined && { conversationId: given.conversation }),
    };
    return await callTool(
      context,
      door,
      () => door('tools.call', input, { signal }),
      (result) => JSON.stringify(result ?? null, null, 2),
    );
  },
});

async function argumentsOf(
  context: Context,
  door: Door,
  given: { name: string; data?: string | undefined },
): Promise<unknown> {
  if (given.data !== undefined) return readJson(context, given.data, '--data');
  const project = await context.project();
  if (project === undefined) return {};
  const tool = await door('tools.show', { name: given.name }, { signal: context.signal }).catch((error) => {
    // What is unknown has its line in the log, too.
    if (error instanceof WorkspaceError && error.code === 'tool_unknown') return undefined;
    throw error;
  });
  if (tool?.function == null || tool.source.name !== project.app) return {};
  return (await readFixture(project, tool.function, undefined)) ?? {};
}

const logs = defineCommand({
  description: 'Lists the calls of AI Tools, newest first, as the `log` of each tool has them recorded.',
  options: {
    tool: { flag: '--tool <name>', summary: 'Only calls of this tool' },
    run: { flag: '--run <id>', summary: 'Only calls of this agent run' },
    id: { flag: '--id <id>', summary: 'Only this call, tlc_…, with all that was recorded' },
    failed: { flag: '--failed', summary: 'Only calls without a result' },
    follow: { flag: '-f, --follow', summary: 'Show calls as they end, until Ctrl-C' },
    limit: { flag: '-l, --limit <count>', summary: `How many; default 50, at most ${maxShown}`, type: 'count' },
  },
  examples: [
    { line: 'fn tool logs', does: 'lists the newest 50 calls', runs: true },
    { line: 'fn tool logs --tool refund_order --failed --json', does: 'prints the ones that have no result' },
  ],
  json: '{items: [call], nextCursor}; with --follow one call per line',
  see,
  async run(context, { tool, run: runId, id, failed, follow, limit = 50 }) {
    const { io, signal } = context;
    countWithin('--limit', limit, maxShown);
    if (follow) return followCalls(context, { tool, runId, failed });
    const door = await context.door();
    const page = await door(
      'tools.logs',
      {
        limit,
        ...(tool !== undefined && { tool }),
        ...(runId !== undefined && { runId }),
        ...(id !== undefined && { id }),
        ...(failed && { failed }),
      },
      { signal },
    );
    io.results(page, 'No tool has been called yet', () =>
      id === undefined
        ? listing(io, [['TIME', 'TOOL', 'BY', 'STATUS', 'ARGUMENTS', 'ID'], ...page.items.map(rowOf)], [4])
        : page.items.map((one) => JSON.stringify(one, null, 2)).join('\n'),
    );
    return 0;
  },
});

async function followCalls(
  context: Context,
  { tool, runId, failed }: { tool: string | undefined; runId: string | undefined; failed: boolean },
): Promise<void> {
  const { io } = context;
  const target = await context.target();
  if (target.client === undefined) {
    throw new UsageError('follow_needs_server', 'There is nothing to follow: "fn dev" is not running here', {
      hint: 'Start "fn dev", or name a workspace that runs elsewhere with --profile.',
    });
  }
  await followStream(context, target.client, {
    operation: 'events.stream',
    input: { type: failed ? 'aiTool.failed' : 'aiTool.*' },
    show: ({ data }) => {
      const { toolCall } = (JSON.parse(data) as { data: { toolCall: Call } }).data;
      if (tool !== undefined && ![toolCall.tool, `${toolCall.source?.name}/${toolCall.tool}`].includes(tool)) return;
      if (runId !== undefined && toolCall.runId !== runId) return;
      io.item(toolCall, () => rowOf(toolCall).join('  '));
    },
  });
}

function rowOf({ id, at, tool, caller, status, error, arguments: given }: Call): string[] {
  const by = caller.id === null ? (caller.type === 'agent' ? 'a person' : caller.type) : `${caller.type} ${caller.id}`;
  return [at, tool, by, error?.code ?? status, given === null ? '' : JSON.stringify(given), id];
}

function callersText({ callers }: Tool): string {
  const { aiAgents, aiNodes, harnesses, code, mcp } = callers;
  const named = Object.entries({ 'AI agents': aiAgents, 'AI nodes': aiNodes, harnesses }).flatMap(([kind, names]) =>
    names === 'none' || names.length === 0 ? [] : [`${kind}: ${names === 'all' ? 'all' : names.join(', ')}`],
  );
  const kinds = [...named, ...(code ? ['code'] : []), ...(mcp ? ['MCP'] : [])];
  return kinds.length === 0 ? 'people only' : kinds.join('; ');
}

const confirmText = ({ confirm: { by, conditional } }: Tool) =>
  conditional && by !== 'never' ? `${by}, sometimes` : by;

const fuzz = defineCommand({
  description: `Runs an AI Tool with inputs that are made from its schema, two of three matching and the third broken, past its gate, in a copy of the workspace. Reports what crashes (a TypeError, a RangeError and the like), takes too long, uses too much memory, or answers against the schema of its output, each with the smallest input. A plain Error that the tool throws tells the model something: it is counted, not reported.

"fetch" is refused unless --allow-network is given. The same seed gives the same inputs.`,
  arguments: { name },
  options: {
    runs: { flag: '-n, --runs <count>', summary: `How many inputs; default 100, at most ${maxRuns}`, type: 'count' },
    seed: { flag: '--seed <number>', summary: 'Seed of the inputs, as printed; default: a random one', type: 'count' },
    allowNetwork: { flag: '--allow-network', summary: 'Let the tool fetch' },
  },
  examples: [{ line: 'fn tool fuzz order_status --runs 300 --seed 7', does: 'runs it with 300 inputs' }],
  json: '{tool, seed, runs, answered, refusedByTool, refusedBySchema, findings: [{kind, code, message, input, count}]}',
  see,
  async run(context, { name: of, runs = 100, seed: given, allowNetwork }) {
    countWithin('--runs', runs, maxRuns);
    const { io, signal } = context;
    const project = await context.requireProject();
    const target = await context.target('local');
    const tool = await target.door('tools.show', { name: of }, { signal });
    if (tool.function === null || tool.source.name !== project.app) {
      throw new UsageError('tool_of_another_app', `${of} is not a tool of this app`, {
        hint: 'Run it in the folder of its app.',
      });
    }
    const functionName = tool.function;
    // Nothing that happens in the copy is told to anybody.
    const { webhooks: _, mcpClients: __, ...data } = await target.door('workspace.export', {}, { signal });
    const [{ openLocal }, { fuzzTool }] = await Promise.all([
      import('../../emulator/index.ts'),
      import('../fuzz/fuzz.ts'),
    ]);
    let refusedFetches = 0;
    const refuseNetwork = (): never => {
      refusedFetches++;
      throw new TypeError('the network is not allowed here: fn tool fuzz --allow-network');
    };
    const copy = await openLocal({
      project,
      database: 'memory',
      env: context.env,
      seed: data,
      ...(!allowNetwork && { network: refuseNetwork }),
    });
    context.onEnd(() => copy.close());
    const door = copy.door();
    const seed = given ?? process.getBuiltinModule('node:crypto').randomInt(2 ** 31);
    const report = await fuzzTool({
      input: tool.input as JsonSchema,
      seed,
      runs,
      signal,
      run: async (input) => {
        await door('functions.invoke', { app: project.app, name: functionName, input: input as never }, { signal });
      },
      refusedFetches: () => refusedFetches,
      progress: (done) => io.progress(`${done} of ${runs}`),
    });
    io.progress('');
    io.result({ tool: tool.name, ...report }, () => fuzzText(report));
    return report.findings.length === 0 ? 0 : 3;
  },
});

function fuzzText(report: FuzzReport): string {
  const { seed, runs, answered, refusedByTool, refusedBySchema, refusedByNetwork, findings } = report;
  const counts = `${runs} inputs, seed ${seed}: ${answered} answered, ${refusedByTool} refused by the tool, ${refusedBySchema} by its schema${refusedByNetwork === 0 ? '' : `, ${refusedByNetwork} by the network`}`;
  const told = findings.map(
    ({ kind, message, input, count }) => `${kind} (${count}×): ${message}\n  smallest input: ${JSON.stringify(input)}`,
  );
  return [counts, ...(told.length === 0 ? ['Nothing found'] : told)].join('\n');
}

/** `fn tool …` */
export const commands = {
  list: { summary: 'List the AI Tools', command: list },
  show: { summary: 'Show an AI Tool with what it permits', command: show },
  call: { summary: 'Call an AI Tool through all of its checks', command: call },
  logs: { summary: 'List the calls of AI Tools', command: logs },
  fuzz: { summary: 'Run an AI Tool with inputs made from its schema', command: fuzz },
};
