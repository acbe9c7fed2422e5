import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localCaller, openLocal } from '../../src/emulator/index.ts';
import { requireProject } from '../../src/project/index.ts';
import { type Figure, median } from '../lib/figures.ts';
import { temporaryFolder } from '../lib/temporary-folder.ts';

/** Runs at once, and how many there are at a time; a node of a flow has about as many under way. */
const many = 300;
const atOnce = 16;

/** Runs of an AI agent with the scripted model, two calls of it and one of a tool. The database is on disk, as with `fn dev`. */
export async function measure(runs: number): Promise<Figure[]> {
  const local = await openLocal({ project: await requireProject(anApp()), database: 'file' });
  try {
    const door = local.door(localCaller);
    await local.emulator.work();
    const call = () => door('functions.invoke', { app: 'bench', name: 'status', input: { orderId: 'A-1' } });
    const ends = new Map<string, PromiseWithResolvers<void>>();
    const endOf = (id: string) => {
      const end = ends.get(id) ?? Promise.withResolvers<void>();
      ends.set(id, end);
      return end;
    };
    local.workspace.events.subscribe(({ type, data }) => {
      if (type !== 'aiAgentRun.completed' && type !== 'aiAgentRun.failed') return;
      endOf((data as { run: { id: string } }).run.id).resolve();
    });
    const run = async () => {
      const { id } = await door('aiAgentRuns.create', { agent: 'nora', input: 'Where is A-1017?' });
      await endOf(id).promise;
      const { status, usage } = await door('aiAgentRuns.show', { id });
      if (status !== 'completed' || usage.modelCalls !== 2 || usage.toolCalls !== 1)
        throw new Error(`A run ended otherwise: ${status} ${JSON.stringify(usage)}`);
    };
    // What is loaded at first is measured by itself.
    await run();
    await call();
    const alone: number[] = [];
    const invocations: number[] = [];
    for (let n = 0; n < Math.max(20, runs); n++) {
      const started = performance.now();
      await call();
      const invoked = performance.now();
      await run();
      invocations.push(invoked - started);
      alone.push(performance.now() - invoked);
    }
    const rates: number[] = [];
    for (let n = 0; n < Math.min(3, runs); n++) {
      const started = performance.now();
      let left = many;
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          while (left-- > 0) await run();
        }),
      );
      rates.push(many / ((performance.now() - started) / 1_000));
    }
    return [
      {
        name: 'run of an agent, beside its tool alone',
        unit: 'ms',
        ours: median(alone) - median(invocations),
        target: '≤ 25 ms',
      },
      { name: `runs of agents, ${atOnce} at once`, unit: '/s', ours: median(rates), target: '≥ 150/s, floor 50' },
    ];
  } finally {
    await local.close();
  }
}

function anApp(): string {
  const root = join(temporaryFolder('runs'), 'app');
  const write = (path: string, text: string) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('fn.config.json', JSON.stringify({ version: 1, app: 'bench' }));
  write(
    'functions/status.js',
    `export const config = {
  type: 'ai-tool', name: 'order_status', description: 'Status of an order', isolation: 'warm',
  annotations: { readOnly: true },
  input: { type: 'object', properties: { orderId: { type: 'string' } }, required: ['orderId'], additionalProperties: false },
  permissions: { callers: { aiAgents: 'all' } },
};
export default async (sdk) => ({ status: 'shipped', orderId: sdk.tool.args.orderId });`,
  );
  write('agents/nora.json', JSON.stringify({ instructions: 'Help with orders.', tools: ['order_status'] }));
  write(
    'agents/nora.model.json',
    JSON.stringify({
      rules: [
        { when: { lastTool: 'order_status' }, say: 'It is {{lastToolResult.status}}.' },
        {
          when: { lastUser: { matches: '(?<id>A-\\d+)' } },
          call: [{ tool: 'order_status', args: { orderId: '$id' } }],
        },
      ],
    }),
  );
  return root;
}
