/**
 * Kills the server (`fn dev`, a process of its own) with SIGKILL at random moments while messages come in and their events are delivered to three
 * endpoints, one of which fails by plan. Then lets it end what waits, and counts what is wrong: events lost, out of order, changed, badly signed.
 * `node bench/faults/webhooks.ts [kills = 200] [messages = 100000] [seed] [minutes = 10]`: after so many minutes it writes no more and ends what waits.
 */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../../src/std/index.ts';
import { App, Dev } from '../../test/flows/app.ts';
import { aCountingReceiver, type CountingReceiver } from './counting-receiver.ts';
import { type CallLocal, openLocalApi, readIntegrity } from './local-api.ts';
import { seeded } from './proxy.ts';
import { fromStillCopy } from './snapshot.ts';

export interface WebhookFaults {
  readonly kills: number;
  /** Messages that were written: each was acknowledged. */
  readonly messages: number;
  /** Deliveries that arrived, repeats among them. */
  readonly arrived: number;
  /** Of these, how many had arrived before: always with the same id and the same body. */
  readonly repeated: number;
  /** Answers of the failing endpoint that were no success. */
  readonly failedByPlan: number;
  /** Events of messages that did not arrive at an endpoint. */
  readonly lost: number;
  /** Messages that are there twice or not at all, although each was acknowledged once. */
  readonly miswritten: number;
  /** Events that arrived at a healthy endpoint before an earlier one of their conversation. */
  readonly outOfOrder: number;
  /** Events that arrived with two ids, or with another body than before. */
  readonly changed: number;
  readonly badSignatures: number;
  /** Deliveries that had not ended when nothing was due any more. */
  readonly unfinished: number;
  /** `ok`, or what SQLite says of the database. */
  readonly integrity: string;
  readonly seconds: number;
}

const conversations = 64;
const writers = 8;
/** Longest life of a server after it is ready. */
const maxLifeMs = 1_500;

export async function killWhileDelivering(
  kills: number,
  messages: number,
  seed: number,
  minutes = 10,
): Promise<WebhookFaults> {
  const startedAt = performance.now();
  const endOfWriting = startedAt + minutes * 60_000;
  const random = seeded(seed);
  const app = new App();
  let server = spawnServer(app, '0');
  await isReady(server);
  const { port } = new URL(server.ready.url);
  const api = openLocalApi(server.ready);
  const receivers = [
    await aCountingReceiver(() => 204),
    await aCountingReceiver(() => 204),
    await aCountingReceiver(() => {
      const at = random();
      if (at < 0.1) return 500;
      if (at < 0.15) return 'cut';
      if (at < 0.2) return 429;
      return at < 0.2004 ? 'silence' : 204;
    }),
  ];
  let ready: Promise<unknown> = Promise.resolve();
  let killed = 0;
  let written = 0;
  let mayWrite = true;
  const acknowledged = new Map<string, string>();
  try {
    for (const receiver of receivers) {
      await api('POST', '/webhooks', { url: receiver.url, events: ['message.received'], secret: receiver.secret });
    }
    const write = async (writer: number) => {
      for (let n = 0; mayWrite && written < messages && performance.now() < endOfWriting; n++) {
        written++;
        const phone = `+4930${2_000_000 + writer + writers * (n % (conversations / writers))}`;
        const key = `${writer}-${n}`;
        // The same key until it is acknowledged: the message is made once, whatever dies.
        for (;;) {
          try {
            const { id } = await api<{ id: string }>('POST', '/_local/messages/receive', { phone, text: key }, key);
            acknowledged.set(id, key);
            break;
          } catch {
            await Promise.all([ready, sleep(20)]);
          }
        }
      }
    };
    const writing = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
    const atWork = async (before: number) => {
      while (mayWrite && acknowledged.size === before) await sleep(20);
    };
    for (; killed < kills && performance.now() < endOfWriting; killed++) {
      await sleep(random() * maxLifeMs);
      server.child.kill('SIGKILL');
      await server.ended;
      server = spawnServer(app, port);
      const started = isReady(server);
      ready = started.catch(() => {});
      // One in four is killed while it starts, the others at work: a busy machine takes seconds to start one.
      if (random() < 0.25) continue;
      await started;
      await Promise.race([atWork(acknowledged.size), writing]);
    }
    await isReady(server);
    await writing;
    const unfinished = await endAll(api);
    const events = await allMessageEvents(api);
    await server.stop();
    const messageIds = new Set(events.values());
    const integrity = readIntegrity(app.path('.fn', 'workspace.db'));
    const sum = (of: (receiver: CountingReceiver) => number) => receivers.reduce((total, one) => total + of(one), 0);
    const [one, other] = receivers;
    return {
      kills: killed,
      messages: acknowledged.size,
      arrived: sum(({ arrived }) => arrived),
      repeated: sum(({ repeated }) => repeated),
      failedByPlan: sum(({ refused }) => refused),
      lost: sum(({ delivered }) => [...events.keys()].filter((id) => !delivered.has(id)).length),
      miswritten:
        [...acknowledged.keys()].filter((id) => !messageIds.has(id)).length + Math.abs(events.size - acknowledged.size),
      outOfOrder: (one?.outOfOrder ?? 0) + (other?.outOfOrder ?? 0),
      changed: sum(({ changed }) => changed),
      badSignatures: sum(({ badSignatures }) => badSignatures),
      unfinished,
      integrity,
      seconds: Math.round((performance.now() - startedAt) / 1000),
    };
  } finally {
    mayWrite = false;
    server.child.kill('SIGKILL');
    await server.ended;
    for (const receiver of receivers) await receiver.close();
  }
}

/** Turns the clock past the end of every schedule, until nothing waits. @returns how many deliveries wait nevertheless */
async function endAll(api: CallLocal): Promise<number> {
  let left = 0;
  for (let turn = 0; turn < 60; turn++) {
    const { stillRunning } = await api<{ stillRunning?: boolean }>('POST', '/_local/clock/advance', {
      ms: 100 * 3_600_000,
    });
    const { items } = await api<{ items: unknown[] }>('GET', '/deliveries?state=waiting&limit=200');
    left = items.length;
    if (left === 0 && stillRunning !== true) return 0;
  }
  return left;
}

/** Message by event. */
async function allMessageEvents(api: CallLocal): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: { items: { id: string; data: { message: { id: string } } }[]; nextCursor: string | null } = await api(
      'GET',
      `/events?type=message.received&limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    for (const { id, data } of page.items) found.set(id, data.message.id);
    cursor = page.nextCursor;
  }
  return found;
}

function spawnServer(app: App, port: string): Dev {
  const child = spawn(process.execPath, [packageFile('bin/fn.js'), 'dev', '--json', '--port', port], {
    cwd: app.root,
    env: { PATH: process.env['PATH'] ?? '', HOME: app.root },
    stdio: 'pipe',
  });
  return new Dev(child);
}

const isReady = (server: Dev) => server.event(({ type }) => type === 'ready');

export function isFaultless(faults: WebhookFaults): boolean {
  const { lost, miswritten, outOfOrder, changed, badSignatures, unfinished, integrity } = faults;
  return lost + miswritten + outOfOrder + changed + badSignatures + unfinished === 0 && integrity === 'ok';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await fromStillCopy(fileURLToPath(import.meta.url), async () => {
    const [kills = 200, messages = 100_000, seed = Date.now(), minutes = 10] = process.argv.slice(2).map(Number);
    const faults = await killWhileDelivering(kills, messages, seed, minutes);
    console.log(JSON.stringify(faults, null, 2));
    return isFaultless(faults) ? 0 : 1;
  });
}
