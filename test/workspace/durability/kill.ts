import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { build } from 'esbuild';
import type { Caller } from '../../../src/contract/index.ts';
import { TurnableClock } from '../../../src/std/index.ts';
import { openWorkspace, type Workspace } from '../../../src/workspace/index.ts';
import type { Acknowledged } from './writer.ts';

const admin: Caller = { type: 'token', id: 'tok_checker', scopes: ['admin'] };
const app: Caller = { type: 'function', id: 'count', app: 'desk', scopes: ['read'] };

/** Makes one file of the writing process: most of its short life would be reading and compiling a hundred. */
export async function buildWriter(folder: string): Promise<string> {
  const outfile = join(folder, 'writer.mjs');
  const entryPoints = [join(import.meta.dirname, 'writer.ts')];
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'silent' });
  return outfile;
}

/**
 * Lets a process write into the workspace, kills it with SIGKILL and looks whether everything is there that it got an
 * answer for, and nothing is half-done.
 * @param writer  the program of `buildWriter`
 * @param afterMs how long after its first answer the process is killed
 * @returns how many changes were acknowledged
 * @throws AssertionError naming what was lost
 */
export async function killWhileWriting(writer: string, file: string, run: number, afterMs: number): Promise<number> {
  const acknowledged = await writeUntilKilled(writer, file, run, afterMs);
  const db = new DatabaseSync(file, { readOnly: true });
  const integrity = db.prepare('PRAGMA integrity_check').get();
  db.close();
  assert.equal(integrity?.['integrity_check'], 'ok');

  const workspace = await openWorkspace({ file, slug: 'acme', baseUrl: () => '', clock: new TurnableClock() });
  try {
    for (const one of acknowledged) await requireThere(workspace, one);
    await requireLast(workspace, acknowledged);
    await requireNothingHalf(workspace, file);
  } finally {
    await workspace.close();
  }
  return acknowledged.length;
}

async function writeUntilKilled(script: string, file: string, run: number, afterMs: number): Promise<Acknowledged[]> {
  const child = spawn(process.execPath, [script, file, String(run)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const acknowledged: Acknowledged[] = [];
  let timer: NodeJS.Timeout | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    timer ??= setTimeout(() => child.kill('SIGKILL'), afterMs);
    // The last line may be cut; it then says nothing.
    if (line.endsWith('}')) acknowledged.push(JSON.parse(line) as Acknowledged);
  }
  const [code, signal] = await ended;
  clearTimeout(timer);
  assert.equal(signal, 'SIGKILL', `the writer ended by itself with ${code}`);
  return acknowledged;
}

async function requireThere(workspace: Workspace, one: Acknowledged): Promise<void> {
  switch (one.kind) {
    case 'customer':
      assert.equal((await workspace.call('customers.find', { phone: one.phone }, admin)).id, one.id);
      return;
    case 'token':
      await workspace.authenticate(`Bearer ${one.token}`);
      return;
    case 'live':
      assert.ok((await workspace.deployments.getFile({ app: 'desk', id: one.id, sha256: one.sha256 })).length > 0);
      return;
    case 'message':
    case 'counter':
    case 'booking':
      return;
    default:
      one satisfies never;
  }
}

/** Of what counts up, the last answer is there; at most one change more, whose answer nobody heard. */
async function requireLast(workspace: Workspace, acknowledged: readonly Acknowledged[]): Promise<void> {
  const counters = acknowledged.flatMap((one) => (one.kind === 'counter' ? [one.value] : []));
  const { value } = await workspace.call('store.get', { key: 'n' }, app);
  const last = counters.at(-1) ?? 0;
  assert.ok(
    Number(value) >= last && Number(value) <= last + 1 + (counters.length === 0 ? Number.POSITIVE_INFINITY : 0),
  );

  const lefts = acknowledged.flatMap((one) => (one.kind === 'booking' ? [one.left] : []));
  const { left } = await workspace.call('packs.balance', {}, admin);
  const lastLeft = lefts.at(-1);
  if (lastLeft !== undefined) assert.ok(left === lastLeft || left === lastLeft - 0.25, `${left} after ${lastLeft}`);

  const messages = acknowledged.flatMap((one) => (one.kind === 'message' ? [one] : []));
  for (const [conversationId, sent] of Map.groupBy(messages, (one) => one.conversationId)) {
    const there = new Set<string>();
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof messagesPage>> = await messagesPage(workspace, conversationId, cursor);
      for (const { id } of page.items) there.add(id);
      cursor = page.nextCursor;
    } while (cursor !== null);
    for (const { id } of sent) assert.ok(there.has(id), `lost ${id}`);
  }
}

function messagesPage(workspace: Workspace, conversationId: string, cursor: string | null) {
  return workspace.call('messages.list', { conversationId, limit: 200, ...(cursor === null ? {} : { cursor }) }, admin);
}

/** A change and its event, a booking and the packs it takes from: both or neither. */
async function requireNothingHalf(workspace: Workspace, file: string): Promise<void> {
  const db = new DatabaseSync(file, { readOnly: true });
  const count = (sql: string) => Number(Object.values(db.prepare(sql).get() ?? {})[0]);
  try {
    const messages = count('SELECT count(*) FROM message');
    assert.equal(count(`SELECT count(*) FROM journal WHERE type = 'message.received'`), messages);
    const customers = count('SELECT count(*) FROM customer');
    assert.equal(count(`SELECT count(*) FROM journal WHERE type = 'customer.created'`), customers);
    const used = count(`SELECT coalesce(sum(quarters), 0) FROM pack_entry WHERE kind = 'used'`);
    assert.equal(count('SELECT sum(quarters - quarters_left) FROM pack'), used);
    assert.equal(count(`SELECT count(*) FROM deployment WHERE state = 'live'`), count('SELECT count(live) FROM app'));
  } finally {
    db.close();
  }
  const live = await workspace.deployments.live('desk');
  for (const { sha256 } of live?.manifest ?? []) await workspace.deployments.blob(sha256);
}
