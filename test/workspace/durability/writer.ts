/**
 * A process that changes a workspace as fast as it can and writes a line for every change it got an answer for. It is
 * made to be killed. Usage: node writer.ts FILE RUN
 */
import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import type { Caller } from '../../../src/contract/index.ts';
import { TurnableClock } from '../../../src/std/index.ts';
import { openWorkspace } from '../../../src/workspace/index.ts';

/** One change that was acknowledged. */
export type Acknowledged =
  | { kind: 'customer'; phone: string; id: string }
  | { kind: 'message'; id: string; conversationId: string }
  | { kind: 'counter'; value: number }
  | { kind: 'booking'; left: number }
  | { kind: 'token'; token: string }
  | { kind: 'live'; id: string; sha256: string };

const [file = '', run = '0'] = process.argv.slice(2);
const admin: Caller = { type: 'token', id: 'tok_writer', scopes: ['admin'] };
const app: Caller = { type: 'function', id: 'count', app: 'desk', scopes: ['read', 'write'] };

const workspace = await openWorkspace({
  file,
  slug: 'acme',
  baseUrl: () => 'http://127.0.0.1',
  clock: new TurnableClock(),
});
if (await workspace.seed.isEmpty()) {
  await workspace.seed.apply({
    channels: [{ kind: 'sms', name: 'SMS' }],
    packs: [{ name: 'Many days', days: 10_000 }],
  });
}

const tell = (acknowledged: Acknowledged) => writeSync(1, `${JSON.stringify(acknowledged)}\n`);
const phoneOf = (n: number) => `+4930${String(Number(run) * 10_000 + n + 1_000_000)}`;

const writers: ((n: number) => Promise<void>)[] = [
  async (n) => {
    const { id } = await workspace.call('customers.findOrCreate', { phone: phoneOf(n) }, admin);
    tell({ kind: 'customer', phone: phoneOf(n), id });
  },
  async (n) => {
    const phone = `+4940${1_000_000 + (n % 7)}`;
    const { id, conversationId } = await workspace.call('messages.receive', { phone, text: `${run}/${n}` }, admin);
    tell({ kind: 'message', id, conversationId });
  },
  async () => {
    const { value } = await workspace.call('store.increment', { key: 'n' }, app);
    tell({ kind: 'counter', value });
  },
  async () => {
    const { left } = await workspace.call('packs.use', { days: 0.25 }, admin);
    tell({ kind: 'booking', left });
  },
  async (n) => {
    const { token } = await workspace.call('tokens.create', { name: `${run}/${n}` }, admin);
    tell({ kind: 'token', token });
  },
  async (n) => {
    const bytes = Buffer.from(`export default ${run}.${n}`);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const live = await workspace.deployments.live('desk');
    const config = { type: 'server-side-method' };
    const manifest = [{ path: 'a.js', type: 'server-side-method' as const, config, sha256, bytes: bytes.length }];
    const { id } = await workspace.call(
      'deployments.create',
      { app: 'desk', baseVersion: live?.id ?? null, manifest },
      admin,
    );
    if (id === null) return;
    async function* body() {
      yield bytes;
    }
    await workspace.deployments.putFile({ app: 'desk', id, sha256 }, body());
    await workspace.deployments.activate({ app: 'desk', id }, admin);
    tell({ kind: 'live', id, sha256 });
  },
];

await Promise.all(
  writers.map(async (write) => {
    for (let n = 0; n < 9_000; n++) await write(n);
  }),
);
