/**
 * The processor time of an idle workspace with 10,000 waiting jobs in a minute, beside one without jobs, of the server and all of its processes.
 * Run: `node bench/idle.ts [seconds = 60] [jobs = 10000]`. Needs `npm run build` before. Linux.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { localCaller, openLocal } from '../src/emulator/index.ts';
import { requireProject } from '../src/project/index.ts';
import { makeApp } from './lib/app.ts';
import { fn } from './lib/in-turn.ts';
import { processTree, Server } from './lib/process.ts';

const [seconds = 60, jobs = 10_000] = process.argv.slice(2).map(Number);
/** USER_HZ: a tick of /proc is 10 ms on every Linux that Node runs on. */
const tickMs = 10;
const settleMs = 5_000;
const port = 19_950 + Math.floor(Math.random() * 40);

const without = await idle(0, port);
const withJobs = await idle(jobs, port + 50);
process.stdout.write(
  `idle for ${seconds} s: ${withJobs} ms of processor time with ${jobs} waiting jobs, ${without} ms without\n`,
);

async function idle(waiting: number, at: number): Promise<number> {
  const app = makeApp(1);
  const local = await openLocal({ project: await requireProject(app.root), database: 'file', processes: 1 });
  await local.door(localCaller)('customers.list', {}); // the seed is applied before, not meanwhile
  const due = Date.now() + 86_400_000;
  for (let n = 0; n < waiting; n += 1_000) {
    await local.workspace.jobs.enqueue(
      Array.from({ length: Math.min(1_000, waiting - n) }, (_, i) => ({
        kind: 'invocation' as const,
        group: 'bench',
        due: due + n + i,
        payload: { app: 'bench', path: 'f000', attempts: 6 },
      })),
    );
  }
  await local.close();
  const server = new Server({ argv: fn('dev', '--port', String(at)), cwd: app.root });
  while (!server.output.includes(`:${at}`)) await sleep(50);
  await sleep(settleMs);
  const before = processorMs(server);
  await sleep(seconds * 1000);
  const used = processorMs(server) - before;
  await server.stop();
  return used;
}

/** Of the process and everything below it. */
function processorMs(server: Server): number {
  let ticks = 0;
  for (const pid of processTree(server.child.pid ?? 0)) {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * tickMs;
}
