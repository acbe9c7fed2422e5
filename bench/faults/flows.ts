/**
 * Kills the server (`fn dev`, a process of its own) with SIGKILL at random moments while customers write and flows answer: a condition, a wait,
 * a message. Then lets it end what waits, and counts what is wrong: messages that came twice or not at all, waits that fired twice, runs that
 * did not end. `node bench/faults/flows.ts [kills = 50] [runs = 3000] [seed] [minutes = 10]`: after so many minutes nobody writes any more.
 */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { App, type Dev } from '../../test/flows/app.ts';
import { type CallLocal, openLocalApi, readIntegrity } from './local-api.ts';
import { seeded } from './proxy.ts';
import { fromStillCopy } from './snapshot.ts';

export interface FlowFaults {
  readonly kills: number;
  /** Flow runs that began: one for each message of a customer, which was acknowledged. */
  readonly runs: number;
  /** Conversations in which the flow has said something twice. */
  readonly saidTwice: number;
  /** Conversations in which it has said nothing. */
  readonly saidNothing: number;
  /** Runs whose wait began or ended other than once. */
  readonly waitsNotOnce: number;
  /** Runs that did not end as completed, once. */
  readonly unended: number;
  /** Jobs of flows that failed, or had not ended. */
  readonly badJobs: number;
  readonly integrity: string;
  readonly seconds: number;
}

const writers = 4;
/** Longest life of a server after it is ready. */
const maxLifeMs = 1_500;
const maxEndMs = 120_000;

const flow = {
  nodes: {
    t: { type: 'trigger', on: 'message.received', next: 'c' },
    c: {
      type: 'condition',
      branches: [{ if: { field: 'message.text', op: 'contains', value: 'even' }, next: 'w' }],
      else: 'v',
    },
    w: { type: 'wait', for: 'time', duration: '1s', next: 'm' },
    v: { type: 'wait', for: 'message.received', timeout: '1s', next: 'm', onTimeout: 'm' },
    m: { type: 'message', text: 'Once: {{message.text}}', next: 'e' },
    e: { type: 'end' },
  },
};

export async function killWhileFlowsRun(kills: number, runs: number, seed: number, minutes = 10): Promise<FlowFaults> {
  const startedAt = performance.now();
  const endOfWriting = startedAt + minutes * 60_000;
  const random = seeded(seed);
  const app = new App({ 'flows/answer.json': JSON.stringify(flow) });
  let dev = await app.dev();
  const { port } = new URL(dev.ready.url);
  const api = openLocalApi(dev.ready);
  let ready: Promise<unknown> = Promise.resolve();
  let killed = 0;
  let asked = 0;
  let mayWrite = true;
  let acknowledged = 0;
  const write = async () => {
    while (mayWrite && asked < runs && performance.now() < endOfWriting) {
      const n = asked++;
      const message = { phone: `+4930${3_000_000 + n}`, text: `${n % 2 === 0 ? 'even' : 'odd'} ${n}` };
      // The same key until it is acknowledged: the message is made once, whatever dies.
      while (mayWrite) {
        try {
          await api('POST', '/_local/messages/receive', message, `write-${n}`);
          acknowledged++;
          break;
        } catch {
          await Promise.all([ready, sleep(20)]);
        }
      }
      // As many as are left are spread over the kills that are left.
      while (mayWrite && killed < kills && acknowledged > ((killed + 1) * runs) / kills) await sleep(20);
    }
  };
  try {
    const writing = Promise.all(Array.from({ length: writers }, write));
    // Each life has its share of the messages, whatever a busy machine takes for them.
    const atWork = async (before: number) => {
      // Not beyond what the writers may write before the next kill: each would wait for the other until the time is over.
      const enough = Math.min(before + (random() * 2 * runs) / kills, ((killed + 1) * runs) / kills);
      while (mayWrite && acknowledged < enough && asked < runs && performance.now() < endOfWriting) await sleep(20);
    };
    while (killed < kills && performance.now() < endOfWriting) {
      await sleep(random() * maxLifeMs);
      dev.child.kill('SIGKILL');
      await dev.ended;
      killed++;
      const started = app.dev('--port', port).then((next) => {
        dev = next;
      });
      ready = started.catch(() => {});
      await started;
      await Promise.race([atWork(acknowledged), writing]);
    }
    await writing;
    const unended = await endAll(dev, api);
    await dev.stop();
    const counted = countFaults(app.path('.fn', 'workspace.db'), acknowledged);
    return {
      kills: killed,
      runs: acknowledged,
      ...counted,
      unended: counted.unended + unended,
      seconds: Math.round((performance.now() - startedAt) / 1000),
    };
  } finally {
    mayWrite = false;
    dev.child.kill('SIGKILL');
    await dev.ended;
  }
}

/** @returns how many runs are under way after a while nevertheless */
async function endAll(dev: Dev, api: CallLocal): Promise<number> {
  const until = performance.now() + maxEndMs;
  for (;;) {
    const waiting = await api<{ items: unknown[] }>('GET', '/flow-runs?status=waiting&limit=200');
    const running = await api<{ items: unknown[] }>('GET', '/flow-runs?status=running&limit=200');
    const left = waiting.items.length + running.items.length;
    if (left === 0 || performance.now() > until || dev.child.exitCode !== null) return left;
    await sleep(100);
  }
}

/** Journal and messages tell of every run; of the runs themselves only the last 1,000 are kept. */
function countFaults(file: string, runs: number) {
  const database = new DatabaseSync(file, { readOnly: true });
  const count = (sql: string) => Number(database.prepare(`SELECT count(*) AS n FROM (${sql})`).get()?.['n']);
  const said = `SELECT conversation_id FROM message WHERE direction = 'out' AND author_type = 'flow' GROUP BY conversation_id`;
  const written = `SELECT DISTINCT conversation_id FROM message WHERE direction = 'in' AND (text GLOB 'even [0-9]*' OR text GLOB 'odd [0-9]*')`;
  const eventsOf = (type: string) =>
    `SELECT json_extract(data, '$.flowRun.id') AS id FROM journal WHERE type = '${type}' GROUP BY 1`;
  const once = (type: string) =>
    Math.abs(runs - count(eventsOf(type))) + count(`${eventsOf(type)} HAVING count(*) > 1`);
  try {
    return {
      saidTwice: count(`${said} HAVING count(*) > 1`),
      saidNothing: count(`${written} AND conversation_id NOT IN (${said})`),
      waitsNotOnce:
        once('flowRun.waiting') +
        count(`SELECT run_id FROM flow_step WHERE type = 'wait' GROUP BY run_id HAVING count(*) > 1`),
      unended: once('flowRun.completed'),
      badJobs: count(`SELECT id FROM job WHERE kind = 'flow-step' AND state NOT IN ('done', 'aborted')`),
      integrity: readIntegrity(file),
    };
  } finally {
    database.close();
  }
}

export function isFaultless(faults: FlowFaults): boolean {
  const { saidTwice, saidNothing, waitsNotOnce, unended, badJobs, integrity } = faults;
  return saidTwice + saidNothing + waitsNotOnce + unended + badJobs === 0 && integrity === 'ok';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await fromStillCopy(fileURLToPath(import.meta.url), async () => {
    const [kills = 50, runs = 3_000, seed = Date.now(), minutes = 10] = process.argv.slice(2).map(Number);
    const faults = await killWhileFlowsRun(kills, runs, seed, minutes);
    console.log(JSON.stringify(faults, null, 2));
    return isFaultless(faults) ? 0 : 1;
  });
}
