/**
 * Measures `fn` beside the limits of the same moment on the same machine, in turn, and prints ratios.
 * `npm run bench -- [--only startup,reload] [--runs 10] [--json]`. Needs `npm run build` before. Linux.
 */
import { parseArgs } from 'node:util';
import type { Figure } from './lib/figures.ts';
import { figureTable } from './lib/figures.ts';

/** Each measurement in a file of its own; `runs` is how often each side is measured. */
const measurements: Record<string, () => Promise<{ measure(runs: number): Promise<Figure[]> }>> = {
  startup: () => import('./measure/startup.ts'),
  send: () => import('./measure/send-template.ts'),
  scaffold: () => import('./measure/scaffold.ts'),
  coldstart: () => import('./measure/coldstart.ts'),
  reload: () => import('./measure/reload.ts'),
  load: () => import('./measure/load.ts'),
  build: () => import('./measure/build.ts'),
  invoke: () => import('./measure/invoke.ts'),
  deliveries: () => import('./measure/deliveries.ts'),
  console: () => import('./measure/console.ts'),
  flows: () => import('./measure/flows.ts'),
  runs: () => import('./measure/runs.ts'),
};

const { values } = parseArgs({
  options: { only: { type: 'string' }, runs: { type: 'string' }, json: { type: 'boolean' } },
});
const wanted = values.only?.split(',') ?? Object.keys(measurements);
const runs = Number(values.runs ?? 10);
const figures: Figure[] = [];
for (const name of wanted) {
  const load = measurements[name];
  if (!load) throw new Error(`no measurement ${name}; there are ${Object.keys(measurements).join(', ')}`);
  process.stderr.write(`${name} …\n`);
  figures.push(...(await (await load()).measure(runs)));
}
process.stdout.write(`${values.json ? JSON.stringify(figures, null, 2) : figureTable(figures)}\n`);
process.exit(0);
