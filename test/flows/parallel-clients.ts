import assert from 'node:assert/strict';
import { Agent, request } from 'undici';
import type { App, Dev } from './app.ts';

/** The method that the clients call: counts what was asked of it, for all of them together. */
export const countMethod = `
export const config = { type: 'server-side-method', expose: { methods: ['POST'], auth: 'token' } };
export default (sdk) => sdk.store.increment('calls');
`;

const kinds = ['read', 'list', 'create', 'send', 'link', 'method'] as const;
export type Kind = (typeof kinds)[number];

export interface KindFigures {
  readonly kind: Kind;
  readonly requests: number;
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

/** What one client was told, to be compared with what is there in the end. */
interface Told {
  readonly customers: string[];
  readonly messages: string[];
  readonly counts: number[];
  conversationId: string;
}

/**
 * Lets clients ask one running workspace at the same time – reads, writes, apps of ours in the sandbox, a method of the app – and
 * then compares what each was told with what is there.
 * @param dev serves an app with `functions/count.js` of `countMethod`
 * @throws AssertionError for any answer but success, and for a lost or doubled row
 */
export async function askInParallel(dev: Dev, clients: number, ms: number): Promise<KindFigures[]> {
  const agent = new Agent({ connections: clients, pipelining: 1 });
  const { url, token } = dev.ready;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const latencies = new Map<Kind, number[]>(kinds.map((kind) => [kind, []]));

  const ask = async <T>(kind: Kind | undefined, method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> => {
    const start = performance.now();
    const answer = await request(`${url}/api/dev${path}`, {
      dispatcher: agent,
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (kind) latencies.get(kind)?.push(performance.now() - start);
    assert.ok(answer.statusCode < 300, `${method} ${path} → ${answer.statusCode}: ${text.slice(0, 300)}`);
    return JSON.parse(text) as T;
  };
  const link = (kind: Kind | undefined, phone: string) =>
    ask<{ conversationId: string }>(kind, 'POST', '/custom-functions/session-link-app/api/session/link.js', { phone });
  const shared = (await link(undefined, '+4915199999999')).conversationId;

  const asOneClient = async (client: number, end: number): Promise<Told> => {
    const phone = (n: number) => `+49151${String(10_000_000 + client * 40_000 + n)}`;
    const { conversationId } = await link(undefined, phone(0));
    const told: Told = { customers: [], messages: [], counts: [], conversationId };
    let known = '';
    // Each takes a turn, however late it is by then: together they ask all kinds.
    for (let turn = client; turn === client || performance.now() < end; turn++) {
      switch (kinds[turn % kinds.length]) {
        case 'create': {
          const asked = phone(told.customers.length + 1);
          const made = await ask<{ id: string; phone: string }>('create', 'POST', '/customers', { phone: asked });
          assert.equal(made.phone, asked);
          known = made.id;
          told.customers.push(made.id);
          break;
        }
        case 'send': {
          const path = `/conversations/${conversationId}/messages`;
          told.messages.push((await ask<{ id: string }>('send', 'POST', path, { text: `${told.messages.length}` })).id);
          break;
        }
        case 'link':
          assert.equal((await link('link', '+4915199999999')).conversationId, shared);
          break;
        case 'method':
          told.counts.push(await ask<number>('method', 'POST', '/custom-functions/flow/count.js', {}));
          break;
        case 'list':
          await ask('list', 'GET', '/conversations?limit=10');
          break;
        default:
          await ask('read', 'GET', known === '' ? '/workspace' : `/customers/${known}`);
      }
    }
    return told;
  };

  try {
    const before = await everyId(ask, '/customers');
    const start = performance.now();
    const told = await Promise.all(Array.from({ length: clients }, (_, client) => asOneClient(client, start + ms)));
    const seconds = (performance.now() - start) / 1000;
    await requireAllThere(ask, told, before);
    return kinds.map((kind) => figuresOf(kind, latencies.get(kind) ?? [], seconds));
  } finally {
    await agent.close();
  }
}

type Ask = <T>(kind: undefined, method: 'GET', path: string) => Promise<T>;

async function requireAllThere(ask: Ask, told: readonly Told[], before: readonly string[]): Promise<void> {
  const customers = await everyId(ask, '/customers');
  assert.equal(new Set(customers).size, customers.length, 'a customer is listed twice');
  // One more for each client: whom it was linked to.
  const made = told.flatMap((one) => one.customers);
  assert.equal(customers.length, before.length + told.length + made.length, 'customers were lost or doubled');
  const there = new Set(customers);
  assert.deepEqual(
    made.filter((id) => !there.has(id)),
    [],
  );
  for (const { conversationId, messages } of told) {
    assert.deepEqual(await everyId(ask, `/conversations/${conversationId}/messages`), messages);
  }
  const counts = told.flatMap((one) => one.counts).sort((a, b) => a - b);
  assert.deepEqual(
    counts,
    counts.map((_, i) => i + 1),
    'calls of the method were lost or doubled',
  );
}

async function everyId(ask: Ask, path: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const query: string = `?limit=200${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const page: { items: { id: string }[]; nextCursor: string | null } = await ask(undefined, 'GET', path + query);
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return ids;
}

function figuresOf(kind: Kind, latencies: number[], seconds: number): KindFigures {
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  const { length: requests } = latencies;
  return { kind, requests, perSecond: requests / seconds, medianMs: at(0.5), p99Ms: at(0.99) };
}

/** Files of the app that the clients ask. */
export const parallelApp: ConstructorParameters<typeof App>[0] = { 'functions/count.js': countMethod };
