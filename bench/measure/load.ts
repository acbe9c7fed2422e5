import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { type BenchApp, makeApp } from '../lib/app.ts';
import { type Figure, quantile } from '../lib/figures.ts';
import { Poller } from '../lib/poll.ts';
import { type Served, serveLimit, serveLimitInChild, serveNothing, serveOurs } from '../lib/servers.ts';

const seconds = 6;

/**
 * Requests per second at 32 connections, latency on one, memory at 128; fresh and warm isolation. A second limit has its isolate in a child
 * process, as isolation demands, and does nothing else for it.
 */
export async function measure(): Promise<Figure[]> {
  const figures: Figure[] = [];
  const bare = await loaded(serveNothing(), makeApp(1));
  figures.push({ name: 'bare node:http, throughput', unit: '/s', ours: bare.perSecond });
  const apart = makeApp(1);
  const inChild = await loaded(serveLimitInChild(apart), apart);
  figures.push({
    name: 'warm isolate in a child process, latency p50, 1 connection',
    unit: 'µs',
    ours: inChild.latencyUs,
    limit: bare.latencyUs,
    limitName: 'bare node:http',
  });
  for (const isolation of ['warm', 'fresh'] as const) {
    const app = makeApp(1, isolation);
    const limit = await loaded(serveLimit(app, isolation), app);
    const ours = await loaded(serveOurs(app), app);
    if (isolation === 'warm')
      figures.push({
        name: 'warm isolate in a child process, throughput',
        unit: '/s',
        ours: inChild.perSecond,
        limit: limit.perSecond,
        limitName: 'warm isolate',
      });
    figures.push(
      {
        name: `throughput, ${isolation}`,
        unit: '/s',
        ours: ours.perSecond,
        limit: limit.perSecond,
        limitName: `${isolation} isolate`,
        target: isolation === 'warm' ? '≥ 0.8×' : '≥ 1000/s',
      },
      {
        name: `latency p50, 1 connection, ${isolation}`,
        unit: 'µs',
        ours: ours.latencyUs,
        limit: bare.latencyUs,
        limitName: 'bare node:http',
        target: isolation === 'warm' ? '≤ 250 µs' : '≤ 600 µs',
      },
      { name: `RSS at 128 connections, ${isolation}`, unit: 'MiB', ours: ours.rss, target: '≤ 240 MiB' },
      { name: `failed requests, ${isolation}`, unit: '/s', ours: ours.failed, target: '0' },
    );
  }
  return figures;
}

async function loaded(
  { server, url }: Served,
  { names }: BenchApp,
): Promise<{ perSecond: number; latencyUs: number; rss: number; failed: number }> {
  const address = url(names[0] ?? '');
  const poller = new Poller();
  try {
    const first = await poller.until(address, (text) => text.includes('"ok":true'), performance.now(), 5);
    if (Number.isNaN(first)) throw new Error(`no answer: ${server.output}`);
    await cannon(address, 32, 2);
    const busy = await cannon(address, 32, seconds);
    const crowded = cannon(address, 128, seconds);
    let rss = 0;
    const watch = setInterval(() => {
      rss = Math.max(rss, server.memory().rss);
    }, 500);
    const crowd = await crowded;
    clearInterval(watch);
    const latencies: number[] = [];
    for (let i = 0; i < 3000; i++) {
      const startedAt = performance.now();
      await poller.ask(address);
      latencies.push((performance.now() - startedAt) * 1000);
    }
    const failed = [busy, crowd].reduce((sum, { errors, timeouts, non2xx }) => sum + errors + timeouts + non2xx, 0);
    return { perSecond: busy.requests.average, latencyUs: quantile(latencies, 0.5), rss, failed };
  } finally {
    poller.close();
    await server.stop();
  }
}

interface Load {
  readonly requests: { readonly average: number };
  readonly errors: number;
  readonly timeouts: number;
  readonly non2xx: number;
}

/** Load comes from a process of its own, so that measuring does not slow it down. */
async function cannon(url: string, connections: number, duration: number): Promise<Load> {
  const program = createRequire(import.meta.url).resolve('autocannon');
  const args = [program, '--json', '-c', String(connections), '-d', String(duration), url];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout);
}
