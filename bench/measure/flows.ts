import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Flow } from '../../src/contract/shapes/index.ts';
import { localCaller, openLocal } from '../../src/emulator/index.ts';
import { drawingOf, layoutFlow, svgOf } from '../../src/flow/index.ts';
import { requireProject } from '../../src/project/index.ts';
import { type Figure, median } from '../lib/figures.ts';
import { temporaryFolder } from '../lib/temporary-folder.ts';

/** Below the limit of 100 steps without a wait. */
const conditions = 90;
const runsOfSteps = 40;
const drawnNodes = 60;
const sevenDaysMs = 7 * 24 * 60 * 60 * 1_000;
const repliesAsked = 20;

/** Steps of flows, a wait of a week, an agent's reply, and a drawing. The database is on disk, as with `fn dev`. */
export async function measure(runs: number): Promise<Figure[]> {
  const local = await openLocal({ project: await requireProject(anApp()), database: 'file', processes: 1 });
  try {
    const door = local.door(localCaller);
    await local.emulator.work();
    const steps: number[] = [];
    const waits: number[] = [];
    for (let run = 0; run < Math.min(runs, 5); run++) {
      const started = performance.now();
      for (let n = 0; n < runsOfSteps; n++) await door('flows.run', { id: 'steps' });
      await settled(local);
      steps.push((runsOfSteps * (conditions + 2)) / ((performance.now() - started) / 1_000));

      await door('messages.receive', { phone: `+493020${100_000 + run}`, text: 'wait' });
      await settled(local);
      const turned = performance.now();
      await door('clock.advance', { ms: sevenDaysMs });
      waits.push(performance.now() - turned);
    }
    const replies: number[] = [];
    for (let n = 0; n < repliesAsked; n++) {
      const asked = performance.now();
      const replied = new Promise<void>((resolve) => {
        const stop = local.workspace.events.subscribe(({ type }) => {
          if (type !== 'message.sent') return;
          stop();
          resolve();
        });
      });
      await door('messages.receive', { phone: `+493021${100_000 + n}`, text: 'nora' });
      await replied;
      replies.push(performance.now() - asked);
      await settled(local);
    }
    return [
      { name: 'flow steps without a function', unit: '/s', ours: median(steps), target: '≥ 2000/s, floor 500' },
      { name: 'wait of 7 days by clock.advance', unit: 'ms', ours: median(waits), target: '≤ 100 ms' },
      { name: 'message → reply of a scripted agent', unit: 'ms', ours: median(replies), target: '≤ 150 ms' },
      { name: `drawing of ${drawnNodes} nodes`, unit: 'ms', ours: await drawing(runs), target: '≤ 50 ms' },
    ];
  } finally {
    await local.close();
  }
}

async function settled({ emulator }: Awaited<ReturnType<typeof openLocal>>): Promise<void> {
  const hanging = await emulator.settled();
  if (hanging.length > 0) throw new Error(`does not come to an end: ${hanging.join(', ')}`);
}

/** Layout and text, once the library for it is loaded. */
async function drawing(runs: number): Promise<number> {
  const nodes = Object.fromEntries(
    Array.from({ length: drawnNodes - 2 }, (_, n) => [
      `n${n}`,
      n % 3 === 0
        ? { type: 'condition', branches: [{ if: is('a'), next: to(n + 1) }], else: to(n + 2) }
        : { type: 'message', text: `Message ${n}`, next: to(n + 1) },
    ]),
  );
  const flow = { nodes: { t: { type: 'trigger', on: 'message.received', next: 'n0' }, ...nodes, e: { type: 'end' } } };
  const times: number[] = [];
  for (let run = 0; run <= Math.max(runs, 5); run++) {
    const started = performance.now();
    svgOf(await layoutFlow(drawingOf(flow as Flow, 'drawn')));
    times.push(performance.now() - started);
  }
  return median(times.slice(1));
}

const is = (value: string) => ({ field: 'message.text', op: 'contains', value });
const to = (n: number) => (n >= drawnNodes - 2 ? 'e' : `n${n}`);

function anApp(): string {
  const root = join(temporaryFolder('flows'), 'app');
  const write = (path: string, value: unknown) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), JSON.stringify(value));
  };
  const trigger = (word: string, next: string) => ({ type: 'trigger', on: 'message.received', filter: is(word), next });
  const chain = Array.from({ length: conditions }, (_, n) => [
    `n${n}`,
    {
      type: 'condition',
      branches: [{ if: { field: 'now.hour', op: 'gt', value: 24 }, next: 'e' }],
      else: n + 1 < conditions ? `n${n + 1}` : 'e',
    },
  ]);
  write('fn.config.json', { version: 1, app: 'bench' });
  write('flows/steps.json', {
    nodes: { t: { type: 'trigger', on: 'manual', next: 'n0' }, ...Object.fromEntries(chain), e: { type: 'end' } },
  });
  write('flows/wait.json', {
    nodes: { t: trigger('wait', 'w'), w: { type: 'wait', for: 'time', duration: '7d', next: 'e' }, e: { type: 'end' } },
  });
  write('flows/agent.json', {
    nodes: {
      t: trigger('nora', 'a'),
      a: { type: 'ai-agent', agent: 'nora', onNewMessage: 'queue', next: 'e' },
      e: { type: 'end' },
    },
  });
  write('agents/nora.json', { instructions: 'Help.' });
  write('agents/nora.model.json', { rules: [], default: { say: 'Hello.' } });
  return root;
}
