import { type Caller, type ParsedInput, refusal } from '../contract/index.ts';
import type { Seed } from '../contract/shapes/index.ts';
import { kyselyOver } from './database/dialect.ts';
import { type Database, giveBackSpace } from './database/index.ts';
import { Deployments } from './deployments/deployments.ts';
import { DoorOfState, loadInput } from './door/door.ts';
import { forget, keep, keptOf, requireKey, requireSameRequest, scopeOfKey, seal, unseal } from './door/idempotency.ts';
import type { Facts, Tx } from './door/tx.ts';
import { openFiles } from './files/files.ts';
import { MediaStore } from './files/media.ts';
import { Flows } from './flows/flows.ts';
import { markInstalled, markUninstalled, registerApp } from './handlers/apps.ts';
import { fillHarnessSecrets, loadHarness } from './harnesses/harnesses.ts';
import { invocationOrigin, writeWithEvents } from './invocations/write-with-events.ts';
import { Jobs } from './jobs/jobs.ts';
import { openFeed } from './journal/feed.ts';
import { eventsAfter, latestSeq } from './journal/read-events.ts';
import { McpClientsState } from './mcp/mcp-clients.ts';
import { Runs } from './runs/runs.ts';
import { applySeed } from './seed/apply.ts';
import { emptyWorkspace } from './seed/empty.ts';
import { fillSecrets, type NamedSecrets } from './seed/endpoints.ts';
import { fillMcpSecrets } from './seed/mcp-clients.ts';
import { namesSecrets } from './seed/named-secrets.ts';
import { setOffset } from './settings.ts';
import { expiryOrigin, Tools } from './tools/tools.ts';
import type { AppsDoor, Idempotency, JournalEvent, NewInvocation, StoredAnswer } from './types.ts';
import { Webhooks } from './webhooks/webhooks.ts';

/** The workspace itself as the caller, for work that nobody requested. */
const system: Caller = { type: 'system', id: null, scopes: ['admin'] };

/** What the opened workspace passes to the engine. */
export interface EngineParts {
  readonly database: Database;
  readonly facts: Facts;
  readonly now: () => number;
  readonly published: (events: JournalEvent[]) => void;
  /** Values of secrets that a seed names. */
  readonly namedSecrets: () => Promise<NamedSecrets>;
}

/** Everything that needs the query builder and the shapes; loaded at the first call. */
export function makeEngine({ database, facts, now, published, namedSecrets }: EngineParts) {
  const writer = kyselyOver(database.writer);
  const reader = database.reader === database.writer ? writer : kyselyOver(database.reader);
  const door = new DoorOfState({ writer, reader, file: database.file, facts, now, published });
  const files = (name: string) =>
    openFiles(
      database.filesFolder === null ? null : process.getBuiltinModule('node:path').join(database.filesFolder, name),
    );
  const jobs = new Jobs({
    read: (work) => read(work),
    write: (work) => door.change({ name: 'jobs', emits: [] }, system, work),
  });
  const webhooks = new Webhooks({
    read: (work) => read(work),
    write: (origin, work) => door.change(origin, system, work),
  });
  const flows = new Flows({
    read: (work) => read(work),
    write: (origin, caller, work) => door.change(origin, caller, work),
    loadParser: async () => (await loadInput()).parseInput,
  });
  const runs = new Runs({
    read: (work) => read(work),
    write: (origin, caller, work) => door.change(origin, caller, work),
    create: (caller, input, work) => door.perform('aiAgentRuns.create', input, caller, {}, work),
  });
  const mcpClients = new McpClientsState({
    read: (work) => read(work),
    write: (origin, work) => door.change(origin, system, work),
  });
  const tools = new Tools({
    read: (work) => read(work),
    calling: (work) => door.perform('tools.call', {}, system, {}, work),
    answering: (caller, work) => door.perform('confirmations.answer', {}, caller, {}, work),
    expiring: (work) => door.change(expiryOrigin, system, work),
  });
  /** They are read only for a seed that names one: a broken file of secrets concerns no other. */
  const secretsOf = async (seed: ParsedInput<'workspace.import'>['seed'] | undefined): Promise<NamedSecrets> =>
    seed !== undefined && namesSecrets(seed) ? namedSecrets() : {};
  const read = <T>(work: (tx: Tx) => Promise<T>) => door.perform('workspace.show', {}, system, {}, work);
  const write = <T>(work: (tx: Tx) => Promise<T>) => door.perform('workspace.import', {}, system, {}, work);

  return {
    door,
    warm: loadInput,
    media: new MediaStore(door, files('media'), facts, now),
    deployments: new Deployments(door, files('deployed')),
    jobs,
    webhooks,
    flows,
    runs,
    harnesses: { load: (asked: string) => read((tx) => loadHarness(tx, asked)) },
    mcpClients,
    tools,
    writeWithEvents: (invocations: readonly NewInvocation[]) =>
      door.change(invocationOrigin, system, (tx) => writeWithEvents(tx, invocations)),
    events: {
      latest: () => read((tx) => latestSeq(tx.db)),
      after: (seq: number, limit: number) => read((tx) => eventsAfter(tx.db, seq, limit)),
      ...openFeed((work) => read(work)),
    },
    apps: appsDoor(door, write),
    idempotency: idempotencyDoor(write),
    keepOffset: (offsetMs: number) => write((tx) => setOffset(tx, offsetMs)),
    seed: {
      apply: async (seed: Seed) => {
        const parsed = (await loadInput()).parseSeed(seed);
        const secrets = await secretsOf(parsed);
        return write(async (tx) => ({ ...(await applySeed(tx, parsed, secrets)) }));
      },
      reset: async (seed: Seed | undefined) => {
        const parsed = seed === undefined ? undefined : (await loadInput()).parseSeed(seed);
        const secrets = await secretsOf(parsed);
        await write(async (tx) => {
          await emptyWorkspace(tx);
          if (parsed !== undefined) await applySeed(tx, parsed, secrets);
        });
        await giveBackSpace(database);
      },
      fillSecrets: async () => {
        const secrets = await namedSecrets();
        await write(async (tx) => {
          await fillSecrets(tx, secrets);
          await fillHarnessSecrets(tx, secrets);
          await fillMcpSecrets(tx, secrets);
        });
      },
    },
  };
}

export type Engine = ReturnType<typeof makeEngine>;

type Perform = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

function appsDoor(door: DoorOfState, write: Perform): Omit<AppsDoor, 'known' | 'state'> {
  return {
    installed: (app, state, caller) =>
      door.perform('apps.install', { app }, caller, {}, (tx) => markInstalled(tx, app, state)),
    uninstalled: (app, caller) => door.perform('apps.uninstall', { app }, caller, {}, (tx) => markUninstalled(tx, app)),
    register: (app, builtIn) => write((tx) => registerApp(tx, app, builtIn)),
  };
}

function idempotencyDoor(write: Perform): Idempotency {
  /** Keys of requests that are under way. The database cannot tell: a request whose answer found no room there would run for ever. */
  const running = new Set<string>();
  const nameOf = (key: string, caller: Caller) => `${scopeOfKey(caller)} ${key}`;
  const ending = async (key: string, caller: Caller, work: Promise<unknown>): Promise<void> => {
    try {
      await work;
    } finally {
      running.delete(nameOf(key, caller));
    }
  };
  return {
    begin: async (key, caller, fingerprint) => {
      const name = nameOf(key, caller);
      let begun = false;
      try {
        return await write(async ({ db, now }) => {
          requireKey(key);
          const scope = scopeOfKey(caller);
          const kept = await keptOf(db, scope, key, now);
          if (kept !== undefined) requireSameRequest(kept, fingerprint);
          if (typeof kept?.answer === 'string') {
            const replay = JSON.parse(kept.answer) as StoredAnswer;
            return { replay: replay.sealed ? { ...replay, body: unseal(replay.body, key) } : replay };
          }
          if (running.has(name)) throw refusal('idempotency_key_running', undefined, { retryAfterSeconds: 1 });
          await keep(db, scope, key, { fingerprint, answer: null, at: now });
          // Within the transaction: another request with this key may follow directly.
          running.add(name);
          begun = true;
          return {};
        });
      } catch (error) {
        if (begun) running.delete(name);
        throw error;
      }
    },
    isAnswered: (key, caller) =>
      write(async ({ db, now }) => (await keptOf(db, scopeOfKey(caller), key, now))?.answer != null),
    finish: (key, caller, answer) =>
      ending(
        key,
        caller,
        write(async ({ db, now }) => {
          const scope = scopeOfKey(caller);
          const kept = await keptOf(db, scope, key, now);
          if (kept === undefined) return;
          const stored = answer.sealed ? { ...answer, body: seal(answer.body, key) } : answer;
          await keep(db, scope, key, { fingerprint: kept.fingerprint, answer: JSON.stringify(stored), at: now });
        }),
      ),
    abandon: (key, caller) =>
      ending(
        key,
        caller,
        write(({ db }) => forget(db, scopeOfKey(caller), key)),
      ),
  };
}
