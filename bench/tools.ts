/**
 * What the gate costs: a call of a tool beside the bare invocation of its function, in turn, in one process and with the database on disk;
 * and `fn tool call` beside `fn invoke`, each as a process. Held: at most 1 ms, and at most 1.1 times.
 * Run: `node bench/tools.ts [calls] [processes]`, after `npm run build`
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localCaller, openLocal } from '../src/emulator/index.ts';
import { requireProject } from '../src/project/index.ts';
import { packageFile } from '../src/std/index.ts';
import { temporaryFolder } from './lib/temporary-folder.ts';

const calls = Number(process.argv[2] ?? 300);
const processes = Number(process.argv[3] ?? 10);
const root = join(temporaryFolder('tools'), 'app');
mkdirSync(join(root, 'functions'), { recursive: true });
writeFileSync(join(root, 'fn.config.json'), '{"version": 1, "app": "bench"}');
writeFileSync(
  join(root, 'functions', 'echo.js'),
  `export const config = { type: 'ai-tool', name: 'echo', description: 'Echo', isolation: 'warm',
    input: { type: 'object', properties: { n: { type: 'integer' } } }, limits: { perMinute: 100000 } };
  export default (sdk) => sdk.tool.args;`,
);

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const local = await openLocal({ project: await requireProject(root), database: 'file' });
const door = local.door(localCaller);
const invoke = (n: number) => door('functions.invoke', { app: 'bench', name: 'echo', input: { n } });
const call = (n: number) => door('tools.call', { name: 'echo', arguments: { n } });
for (let n = 0; n < 50; n++) await Promise.all([invoke(n), call(n)]);
const times = { invoke: [] as number[], call: [] as number[] };
for (let n = 0; n < calls; n++) {
  times.invoke.push(await timed(() => invoke(n)));
  times.call.push(await timed(() => call(n)));
}
await local.close();
const price = median(times.call) - median(times.invoke);
process.stdout.write(
  `invocation ${median(times.invoke).toFixed(2)} ms, through the gate ${median(times.call).toFixed(2)} ms: the gate costs ${price.toFixed(2)} ms (held: 1)\n`,
);

const fn = (...argv: string[]) =>
  spawnSync(process.execPath, [packageFile('bin/fn.js'), '-C', root, ...argv], { stdio: 'ignore' });
const once = { invoke: [] as number[], call: [] as number[] };
for (let n = 0; n < processes; n++) {
  once.invoke.push(await timed(() => fn('invoke', 'echo', '-d', '{"n":1}')));
  once.call.push(await timed(() => fn('tool', 'call', 'echo', '-d', '{"n":1}')));
}
const ratio = median(once.call) / median(once.invoke);
process.stdout.write(
  `fn invoke ${median(once.invoke).toFixed(0)} ms, fn tool call ${median(once.call).toFixed(0)} ms: ${ratio.toFixed(2)} times (held: 1.1)\n`,
);
process.exit(0);
