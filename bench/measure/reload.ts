import { setTimeout as sleep } from 'node:timers/promises';
import { edit, makeApp } from '../lib/app.ts';
import { type Figure, quantile } from '../lib/figures.ts';
import { Poller } from '../lib/poll.ts';
import { type Served, serveLimit, serveOurs } from '../lib/servers.ts';

/** File written to the first answer of the new version, in place and by rename; and what failed meanwhile. */
export async function measure(runs: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const count of [1, 100]) {
    const app = makeApp(count);
    const sides = { limit: serveLimit(app, 'warm'), ours: serveOurs(app) };
    const samples = { limit: [] as number[], ours: [] as number[] };
    let failed = 0;
    try {
      for (let round = -1; round < runs * 3; round++) {
        for (const side of ['limit', 'ours'] as const) {
          const name = app.names[(round + 1) % app.names.length] ?? '';
          const reloaded = await reload(sides[side], name, `v${round + 2}`, round % 2 === 0 ? 'in place' : 'by rename');
          if (round < 0) continue;
          samples[side].push(reloaded.ms);
          if (side === 'ours') failed += reloaded.failed;
        }
      }
    } finally {
      await Promise.all([sides.limit.server.stop(), sides.ours.server.stop()]);
    }
    for (const [q, label, target] of [
      [0.5, 'median', '≤ 12 ms'],
      [0.95, 'p95', '≤ 25 ms'],
    ] as const) {
      figures.push({
        name: `save to new answer, ${count} function${count === 1 ? '' : 's'}, ${label}`,
        unit: 'ms',
        ours: quantile(samples.ours, q),
        limit: quantile(samples.limit, q),
        limitName: 'http + esbuild + isolate',
        target,
      });
    }
    figures.push({ name: `requests failed during ${runs * 3} reloads`, unit: '/s', ours: failed, target: '0' });
  }
  return figures;
}

async function reload(
  { url, file, server }: Served,
  name: string,
  version: string,
  how: 'in place' | 'by rename',
): Promise<{ ms: number; failed: number }> {
  const poller = new Poller();
  const first = await poller.until(url(name), (text) => text.includes('"ok":true'), performance.now(), 5);
  if (Number.isNaN(first)) throw new Error(`no answer: ${server.output}`);
  await sleep(60);
  poller.failed = 0;
  edit(file(name), version, how);
  const ms = await poller.until(url(name), (text) => text.includes(`"${version}"`), performance.now(), 2);
  poller.close();
  return { ms, failed: poller.failed };
}
