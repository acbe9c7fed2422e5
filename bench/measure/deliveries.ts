import { Agent, createServer, get, request } from 'node:http';
import { localCaller, openLocal } from '../../src/emulator/index.ts';
import { requireProject } from '../../src/project/index.ts';
import { closing, listening } from '../../test/client/server.ts';
import { makeApp } from '../lib/app.ts';
import { type Figure, median, quantile } from '../lib/figures.ts';
import { limit } from '../lib/in-turn.ts';
import { Server } from '../lib/process.ts';

const conversations = 200;
const messages = 600;
/** Each event goes to all of them. */
const endpoints = 4;
const atOnce = 32;
const latencies = 200;

/** From a commit to its attempt, and deliveries per second to a receiver in a process of its own, beside bare requests of the same size. */
export async function measure(runs: number): Promise<Figure[]> {
  const waits = await commitToAttempt();
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let run = 0; run < Math.min(runs, 3); run++) {
    bare.push(await withReceiver((port) => bareRequests(port, messages * endpoints)));
    ours.push(await withReceiver(delivered));
  }
  return [
    { name: 'commit → attempt arrives, p50', unit: 'ms', ours: median(waits), target: '≤ 5 ms' },
    { name: 'commit → attempt arrives, p95', unit: 'ms', ours: quantile(waits, 0.95), target: '≤ 20 ms' },
    {
      name: 'deliveries',
      unit: '/s',
      ours: median(ours),
      limit: median(bare),
      limitName: 'bare requests',
      target: '≥ 1500/s',
    },
  ];
}

async function aWorkspace(database: 'file' | 'memory') {
  const local = await openLocal({ project: await requireProject(makeApp(1).root), database, processes: 1 });
  return { local, door: local.door(localCaller) };
}

async function commitToAttempt(): Promise<number[]> {
  const { local, door } = await aWorkspace('file');
  const arrived = new Map<string, number>();
  let wake = () => {};
  const server = createServer((asked, response) => {
    arrived.set(String(asked.headers['webhook-id']), performance.now());
    asked.resume();
    response.writeHead(204).end();
    wake();
  });
  const port = await listening(server);
  await door('webhooks.add', { url: `http://127.0.0.1:${port}/`, events: ['message.received'] });
  await local.emulator.work();
  const committed = new Map<string, number>();
  local.workspace.events.subscribe(({ id, type }) => {
    if (type === 'message.received') committed.set(id, performance.now());
  });
  for (let n = 0; n < latencies; n++) {
    const came = new Promise<void>((resolve) => {
      wake = resolve;
    });
    await door('messages.receive', { phone: phoneOf(n), text: 'Where is my order?' });
    await came;
    await local.emulator.settled();
  }
  await local.close();
  await closing(server);
  return [...committed].map(([id, at]) => (arrived.get(id) ?? Number.NaN) - at);
}

/** Deliveries per second of what waits when the work begins. */
async function delivered(port: number): Promise<number> {
  const { local, door } = await aWorkspace('file');
  for (let n = 0; n < endpoints; n++) {
    await door('webhooks.add', { url: `http://127.0.0.1:${port}/${n}`, events: ['message.received'] });
  }
  for (let n = 0; n < messages; n++)
    await door('messages.receive', { phone: phoneOf(n % conversations), text: 'Where is my order?' });
  const startedAt = performance.now();
  await local.emulator.work();
  await until(port, messages * endpoints);
  const perSecond = (messages * endpoints * 1000) / (performance.now() - startedAt);
  await local.close();
  return perSecond;
}

const phoneOf = (n: number) => `+4930${2_000_000 + n}`;

async function bareRequests(port: number, count: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const body = 'x'.repeat(900);
  const one = () =>
    new Promise<void>((resolve, reject) => {
      request({ port, agent, method: 'POST', headers: { 'content-length': body.length } }, (response) => {
        response.resume().on('end', resolve);
      })
        .on('error', reject)
        .end(body);
    });
  const startedAt = performance.now();
  let left = count;
  const loop = async () => {
    while (left-- > 0) await one();
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  const perSecond = (count * 1000) / (performance.now() - startedAt);
  agent.destroy();
  return perSecond;
}

let nextPort = 19_500 + Math.floor(Math.random() * 400);

async function withReceiver(work: (port: number) => Promise<number>): Promise<number> {
  const port = nextPort++;
  const server = new Server({ argv: limit('receiver.mjs', String(port)) });
  try {
    await until(port, 0);
    return await work(port);
  } finally {
    await server.stop();
  }
}

/** Waits until the receiver has got so many. */
async function until(port: number, count: number): Promise<void> {
  for (;;) {
    const got = await new Promise<number>((resolve) => {
      get({ port, agent: false }, (response) => {
        response.setEncoding('utf8').once('data', (text: string) => resolve(Number(text)));
      }).on('error', () => resolve(-1));
    });
    if (got >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
