import { flowRunStatuses, type Output } from '../../contract/index.ts';
import type { Flow } from '../../contract/shapes/index.ts';
import type { exitsOf as exitsOfNode } from '../../flow/index.ts';
import { UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { inLine } from '../terminal/sanitise.ts';
import { listing } from '../terminal/table.ts';
import { countWithin } from '../values/count-within.ts';
import { readJson } from '../values/read-json.ts';
import { writeUserFile } from '../values/write-file.ts';
import { exitCodeOfFlowRun, flowRunText, followFlowRun } from '../workspaces/follow-flow-run.ts';

type ListedFlow = Output<'flows.list'>['items'][number];
type FlowRun = Output<'flowRuns.show'>;

const see = ['flows'] as const;
const maxShown = 200;
const name = { summary: 'Name of the flow, or app/name' } as const;
const runId = { summary: 'Id of the run, flr_…' } as const;

const list = defineCommand({
  description:
    'Lists the flows of the workspace in the order in which a message asks them: by priority, then by name. One that never starts, because another one with the same trigger comes first, says so.',
  examples: [{ line: 'fn flow list', does: 'lists them', runs: true }],
  json: '{items: [flow], nextCursor}',
  see,
  async run({ io, door, signal }) {
    const page = await (await door())('flows.list', { limit: maxShown }, { signal });
    const { flowInFront } = await import('../../flow/index.ts');
    io.results(page, 'There are no flows. Create one: fn init NAME --type flow', () => {
      const rows = page.items.map((flow) => {
        const front = flowInFront(flow, page.items);
        const note = front ? `never starts: ${front.name} comes first` : '';
        return [flow.name, flow.app, triggerText(flow), flow.state, String(flow.version), note];
      });
      return listing(io, [['NAME', 'APP', 'STARTS ON', 'STATE', 'VERSION', ''], ...rows], [5]);
    });
  },
});

function triggerText({ trigger }: ListedFlow): string {
  const more = [
    ...(trigger.schedule === null ? [] : [trigger.schedule]),
    ...(trigger.filtered ? ['if its filter holds'] : []),
    ...(trigger.also ? ['also'] : []),
    ...(trigger.priority === 0 ? [] : [`priority ${trigger.priority}`]),
  ];
  return more.length === 0 ? trigger.on : `${trigger.on} (${more.join(', ')})`;
}

const show = defineCommand({
  description:
    'Shows a flow with its nodes and its latest runs. With the id of a run (flr_…) it shows the way that the run has taken, what each step answered, and why it stopped.',
  arguments: { name: { summary: 'Name of the flow, app/name, or the id of a run' } },
  examples: [
    { line: 'fn flow show support', does: 'shows the flow' },
    { line: 'fn flow show flr_01JD…', does: 'shows a run of it' },
  ],
  json: 'The flow with definition, or the run with steps',
  see,
  async run({ io, door, signal }, args) {
    const call = await door();
    if (args.name.startsWith('flr_')) {
      const run = await call('flowRuns.show', { id: args.name }, { signal });
      io.result(run, () => flowRunText(io, run));
      return;
    }
    const flow = await call('flows.show', { id: args.name }, { signal });
    const { exitsOf } = await import('../../flow/index.ts');
    const { items } = await call('flowRuns.list', { flow: flow.id, limit: 5 }, { signal });
    io.result(flow, () => {
      const nodes = nodeRows(flow.definition as Flow, exitsOf);
      const head = `${flow.app}/${flow.name}  version ${flow.version}, ${flow.state}, starts on ${triggerText(flow)}`;
      const runs = items.length === 0 ? [] : ['', listing(io, runRows(items), [4])];
      return [head, '', listing(io, [['NODE', 'TYPE', 'NEXT'], ...nodes], [2]), ...runs].join('\n');
    });
  },
});

/** Each node with the ways out of it, as the drawing names them. */
function nodeRows({ nodes }: Flow, exitsOf: typeof exitsOfNode): string[][] {
  return Object.entries(nodes).map(([node, definition]) => {
    const ways = exitsOf(definition).map(({ to, label }) => (label === '' ? to : `${label}: ${to}`));
    return [node, definition.type, ways.join(', ')];
  });
}

const check = defineCommand({
  description:
    'Checks the flows of the app: nodes that are missing, unreachable or a dead end, paths that cannot exist, functions and workgroups that are not there, cycles in which nothing waits. Exits with 3 if something is wrong.',
  examples: [{ line: 'fn flow check', does: 'checks every flow of the app' }],
  json: '{items: [{app, name, file, problems: [{code, path, message}], behind}]}',
  see,
  async run(context) {
    const { io, signal } = context;
    const project = await context.requireProject();
    const { door } = await context.target('local');
    const found = await door('flows.check', { app: project.app }, { signal });
    io.results(found, 'There are no flows. Create one: fn init NAME --type flow', () =>
      found.items
        .map(({ file, problems, behind }) => {
          const lines = problems.map(({ path, message }) => `  ${inLine(`${path} ${message}`.trim())}`);
          const note =
            behind === null ? [] : [`  never starts: ${behind} comes first on the same trigger and has no filter`];
          return [`${file}: ${problems.length === 0 ? 'ok' : `${problems.length} wrong`}`, ...lines, ...note].join(
            '\n',
          );
        })
        .join('\n'),
    );
    return found.items.some(({ problems }) => problems.length > 0) ? 3 : 0;
  },
});

const run = defineCommand({
  description: `Runs a flow and shows its way with what each step answered, until it waits or ends.

A flow that starts on manual or code is started with -d. One that starts when a customer writes is started as the customer: --as names who writes, --message what; then whatever starts on this message runs, as in the real workspace.`,
  arguments: { name },
  options: {
    as: { flag: '--as <customer>', summary: 'Phone number or e-mail address of the customer who writes' },
    message: { flag: '-m, --message <text>', summary: 'What the customer writes' },
    channel: { flag: '--channel <channel>', summary: 'The channel on which the customer writes' },
    conversation: { flag: '--conversation <id>', summary: 'The conversation that it runs in' },
    // Not `input`: that is what --no-input sets.
    data: {
      flag: '-d, --data <json>',
      summary: 'Input of a flow that starts on manual or code: JSON, @file, or @- for standard input',
    },
  },
  examples: [
    { line: "fn flow run support --as +49301234567 --message 'Where is my order?'", does: 'writes as a customer' },
    { line: 'fn flow run nightly -d \'{"day":"2026-11-20"}\' --json', does: 'starts it with an input' },
  ],
  json: 'The run with steps',
  see,
  async run(context, args) {
    const target = await context.target();
    const { signal } = context;
    if ((args.as === undefined) !== (args.message === undefined)) {
      throw new UsageError('message_missing', 'Give both --as and --message, or neither', {
        hint: "As in: --as +49301234567 --message 'Where is my order?'",
      });
    }
    const follow = (id: string) => followFlowRun(context, target, id);
    if (args.as === undefined) {
      const started = await target.door(
        'flows.run',
        {
          id: args.name,
          ...(args.conversation !== undefined && { conversationId: args.conversation }),
          ...(args.data !== undefined && { input: (await readJson(context, args.data, '--data')) as never }),
        },
        { signal },
      );
      return told(context, await follow(started.id));
    }
    const flow = await target.door('flows.show', { id: args.name }, { signal });
    const message = await target.door(
      'messages.receive',
      {
        ...(args.conversation === undefined ? identityOf(args.as) : { conversationId: args.conversation }),
        ...(args.channel !== undefined && { channel: args.channel }),
        text: args.message ?? '',
      },
      { signal },
    );
    const began = await followFlowRun(context, target, { flow: flow.id, message });
    return told(context, began);
  },
});

function told(context: Context, ended: FlowRun) {
  context.io.result(ended, () => flowRunText(context.io, ended));
  return exitCodeOfFlowRun(ended);
}

/** A customer is named by a phone number or an e-mail address. */
const identityOf = (who: string) => (who.includes('@') ? { email: who } : { phone: who });

const runs = defineCommand({
  description: 'Lists runs of flows, newest first.',
  arguments: { name: { ...name, optional: true } },
  options: {
    status: {
      flag: '-s, --status <status>',
      summary: 'Only runs in this status',
      choices: flowRunStatuses,
    },
    conversation: { flag: '--conversation <id>', summary: 'Only runs in this conversation' },
    limit: { flag: '-l, --limit <count>', summary: `How many; default 50, at most ${maxShown}`, type: 'count' },
  },
  examples: [
    { line: 'fn flow runs', does: 'lists the newest 50 runs', runs: true },
    { line: 'fn flow runs support --status failed --json', does: 'prints runs that failed' },
  ],
  json: '{items: [run], nextCursor}',
  see,
  async run({ io, door, signal }, { name: flow, status, conversation, limit = 50 }) {
    countWithin('--limit', limit, maxShown);
    const query = {
      limit,
      ...(flow !== undefined && { flow }),
      ...(status !== undefined && { status }),
      ...(conversation !== undefined && { conversationId: conversation }),
    };
    const page = await (await door())('flowRuns.list', query, { signal });
    io.results(page, 'No flow has run', () => listing(io, runRows(page.items), [4]));
  },
});

function runRows(items: Output<'flowRuns.list'>['items']): string[][] {
  return [
    ['ID', 'FLOW', 'STATUS', 'STARTED', 'AT'],
    ...items.map((item) => {
      const why = item.error?.message ?? item.reason ?? (item.waitingFor ? `for a ${item.waitingFor.type}` : '');
      return [item.id, `${item.flow} ${item.version}`, item.status, item.startedAt, `${item.node} ${why}`.trim()];
    }),
  ];
}

const rerun = defineCommand({
  description:
    'Runs again what a run did, with its own message and input. With --from it begins at a node that the run passed: what came before is taken from its record.',
  arguments: { id: runId },
  options: { from: { flag: '--from <node>', summary: 'The node at which it begins' } },
  examples: [
    { line: 'fn flow rerun flr_01JD…', does: 'runs it again' },
    { line: 'fn flow rerun flr_01JD… --from find', does: 'begins at the node "find"' },
  ],
  json: 'The new run with steps',
  see,
  async run(context, { id, from }) {
    const target = await context.target();
    const input = { id, ...(from !== undefined && { from }) };
    const started = await target.door('flowRuns.rerun', input, { signal: context.signal });
    return told(context, await followFlowRun(context, target, started.id));
  },
});

const draw = defineCommand({
  description: 'Draws a flow as SVG or as Mermaid, from the same model that runs it.',
  arguments: { name },
  options: {
    format: { flag: '-f, --format <format>', summary: 'svg or mermaid; default: svg', choices: ['svg', 'mermaid'] },
    out: { flag: '-o, --out <file>', summary: 'Write it to this file instead of standard output' },
    force: { flag: '--force', summary: 'Replace the file' },
  },
  examples: [
    { line: 'fn flow draw support --out support.svg', does: 'writes a drawing' },
    { line: 'fn flow draw support --format mermaid', does: 'prints it for a Markdown file' },
  ],
  json: '{format, drawing}, or {format, file}',
  see,
  async run(context, { name: flowName, format = 'svg', out, force }) {
    const { io, door, signal } = context;
    const flow = await (await door())('flows.show', { id: flowName }, { signal });
    const { drawingOf, layoutFlow, mermaidOf, svgOf } = await import('../../flow/index.ts');
    const model = drawingOf(flow.definition as Flow, flow.name);
    const drawing = format === 'svg' ? svgOf(await layoutFlow(model)) : mermaidOf(model);
    if (out === undefined) return io.result({ format, drawing }, () => drawing.trimEnd());
    const file = await writeUserFile(context, out, drawing, force);
    return io.result({ format, file }, () => `Drawn: ${file}`);
  },
});

const setState = (verb: 'enable' | 'disable', description: string) =>
  defineCommand({
    description,
    arguments: { name },
    examples: [{ line: `fn flow ${verb} support`, does: `${verb}s it` }],
    json: 'The flow',
    see,
    async run({ io, door, signal }, args) {
      const call = await door();
      const flow =
        verb === 'enable'
          ? await call('flows.enable', { id: args.name }, { signal })
          : await call('flows.disable', { id: args.name }, { signal });
      io.result(flow, () => `${flow.name} is ${flow.state}`);
    },
  });

/** `fn flow …` */
export const commands = {
  list: { summary: 'List the flows in the order in which they are asked', command: list },
  show: { summary: 'Show a flow, or one of its runs', command: show },
  check: { summary: 'Check the flows of the app', command: check },
  run: { summary: 'Run a flow and show its way', command: run },
  runs: { summary: 'List runs of flows', command: runs },
  rerun: { summary: 'Run again what a run did', command: rerun },
  draw: { summary: 'Draw a flow', command: draw },
  disable: {
    summary: 'Keep a flow from starting',
    command: setState('disable', 'Keeps a flow from starting. Runs that are under way go on.'),
  },
  enable: { summary: 'Let a flow start again', command: setState('enable', 'Lets a flow start again.') },
};
