import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchApp, makeApp } from '../lib/app.ts';
import { type Figure, median } from '../lib/figures.ts';
import { Poller } from '../lib/poll.ts';
import { type Served, serveLimit, serveLimitInChild, serveOurs } from '../lib/servers.ts';

/**
 * Start of the process to the first right answer of a function, and memory when idle; with 1 and with 100 functions. A second limit has its
 * isolate in a child process, as isolation demands, and does nothing else for it.
 */
export async function measure(runs: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const count of [1, 100]) {
    const ours: number[] = [];
    const limits: number[] = [];
    const inChild: number[] = [];
    const idle: number[] = [];
    for (let round = -1; round < runs; round++) {
      const app = makeApp(count);
      const limit = await firstAnswer(serveLimit(app, 'warm'), app);
      const apart = await firstAnswer(serveLimitInChild(app), app);
      const mine = await firstAnswer(serveOurs(app), app);
      if (round < 0) continue;
      limits.push(limit.ms);
      inChild.push(apart.ms);
      ours.push(mine.ms);
      idle.push(mine.pss);
    }
    const s = count === 1 ? '' : 's';
    figures.push({
      name: `warm isolate in a child process to first answer, ${count} function${s}`,
      unit: 'ms',
      ours: median(inChild),
      limit: median(limits),
      limitName: 'http + esbuild + isolate',
    });
    figures.push({
      name: `fn dev to first answer, ${count} function${s}`,
      unit: 'ms',
      ours: median(ours),
      limit: median(limits),
      limitName: 'http + esbuild + isolate',
      target: '≤ 2.2×',
    });
    figures.push({ name: `idle PSS, ${count} function${s}`, unit: 'MiB', ours: median(idle), target: '≤ 130 MiB' });
  }
  return figures;
}

async function firstAnswer({ server, url }: Served, { names }: BenchApp): Promise<{ ms: number; pss: number }> {
  const poller = new Poller();
  try {
    const first = names[0] ?? '';
    const ms = await poller.until(url(first), (text) => text.includes('"v0"'), server.startedAt, 5);
    if (Number.isNaN(ms)) throw new Error(`no answer: ${server.output}`);
    await sleep(1500);
    return { ms, pss: server.memory().pss };
  } finally {
    poller.close();
    await server.stop();
  }
}
