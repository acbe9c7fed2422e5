import { isOperationName, operationOf, refusal } from '../contract/index.ts';
import { TurnableClock } from '../std/index.ts';
import { type Database, openDatabase } from './database/index.ts';
import { etagOf } from './door/etag.ts';
import type { Facts } from './door/tx.ts';
import type { Engine } from './engine.ts';
import { liveFlows } from './flows/live-flows.ts';
import { InvocationLog } from './invocations/invocation-log.ts';
import { defaultSeed, seedOfBeginning } from './seed/default.ts';
import { StartQuestions } from './start.ts';
import { hmac } from './tokens/hmac.ts';
import { Tokens } from './tokens/tokens.ts';
import type { JournalEvent, Workspace, WorkspaceOptions } from './types.ts';
import { Subscriptions } from './webhooks/subscriptions.ts';

/**
 * Opens a workspace, creating its database if there is none. Takes a few milliseconds: query builder and shapes are
 * loaded at the first call (see `warm`).
 * @throws MachineError workspace_in_use, workspace_newer, workspace_damaged, workspace_foreign, workspace_not_writable, workspace_path_too_long, disk_full
 */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { slug, clock } = options;
  const database = await openDatabase(options);
  const now = () => Math.round(clock.now());
  const tokens = new Tokens(database, slug, now);
  const jobListeners = new Listeners<void>();
  const resent = new Listeners<void>();
  const cancelled = new Listeners<string>();
  const keptSecrets = new Listeners<string>();
  const facts: Facts = {
    slug,
    name: options.name ?? slug,
    baseUrl: options.baseUrl,
    secret: await prepare(database),
    tokens,
    subscriptions: new Subscriptions(),
    flows: liveFlows(),
    jobsChanged: () => jobListeners.tell([undefined]),
    listenersChanged: () => resent.tell([undefined]),
    runCancelled: (runId) => cancelled.tell([runId]),
    secretKept: (value) => keptSecrets.tell([value]),
    clockOffsetMs: () => (clock instanceof TurnableClock ? clock.offsetMs : 0),
  };
  const start = new StartQuestions(database);
  const listeners = new Listeners<JournalEvent>();
  const published = (events: readonly JournalEvent[]) => listeners.tell(events);
  // Also while the workspace closes: what waits is written then.
  const log = new InvocationLog(database, now, async (records) => (await load()).writeWithEvents(records));
  const seeded = new Set<() => void>();
  const namedSecrets = async () => (await options.namedSecrets?.()) ?? {};
  let closing: Promise<void> | undefined;
  let loading: Promise<Engine> | undefined;
  const load = () => {
    loading ??= import('./engine.ts').then((room) =>
      room.makeEngine({ database, facts, now, published, namedSecrets }),
    );
    return loading;
  };
  const engine = () => (closing === undefined ? load() : Promise.reject(refusal('workspace_stopping')));

  return {
    slug,
    async call(name, input, caller, callOptions) {
      const { door } = await engine();
      if (isOperationName(name) && operationOf(name).readsInvocations) await log.flush();
      return door.call(name, input, caller, callOptions);
    },
    check: async (name, input, caller) => (await engine()).door.check(name, input, caller),
    etagOf,
    authenticate: async (authorization, actingAs) => {
      if (closing !== undefined) throw refusal('workspace_stopping');
      return tokens.authenticate(authorization, actingAs);
    },
    actAs: (caller, agentId) => tokens.actAs(caller, agentId),
    installLocalToken: (value, renew = async () => {}) => tokens.install(value, renew),
    warm: async () => {
      await (await engine()).warm();
    },
    events: {
      latest: async () => (await engine()).events.latest(),
      after: async (seq, limit) => (await engine()).events.after(seq, limit),
      begin: async (from) => (await engine()).events.begin(from),
      next: async (seq, filter) => (await engine()).events.next(seq, filter),
      subscribe: (listener) => listeners.add(listener),
    },
    jobs: {
      open: async () => (await engine()).jobs.open(),
      enqueue: async (specs) => (await engine()).jobs.enqueue(specs),
      claim: async (workers) => (await engine()).jobs.claim(workers),
      finish: async (job, end, next) => (await engine()).jobs.finish(job, end, next),
      nextDue: async (kinds) => (await engine()).jobs.nextDue(kinds),
      waiting: async (kind) => (await engine()).jobs.waiting(kind),
      remove: async (ids) => (await engine()).jobs.remove(ids),
      reschedule: async (id, due) => (await engine()).jobs.reschedule(id, due),
      shift: async (byMs) => (await engine()).jobs.shift(byMs),
      onChange: (listener) => jobListeners.add(listener),
    },
    webhooks: {
      load: async (id) => (await engine()).webhooks.load(id),
      record: async (outcome) => (await engine()).webhooks.record(outcome),
      expire: async (job, id) => (await engine()).webhooks.expire(job, id),
      keepAppEndpoints: async (wanted, unknown) => (await engine()).webhooks.keepAppEndpoints(wanted, unknown),
      nextForListener: async (id, from) => (await engine()).webhooks.nextForListener(id, from),
      onResend: (listener) => resent.add(listener),
    },
    flows: {
      publish: async (app, flows) => (await engine()).flows.publish(app, flows),
      situation: async (job) => (await engine()).flows.situation(job),
      scheduled: async () => (await engine()).flows.scheduled(),
      begin: async (job, starts) => (await engine()).flows.begin(job, starts),
      keep: async (job, runId, message, queued) => (await engine()).flows.keep(job, runId, message, queued),
      wake: async (job, runId, event, at) => (await engine()).flows.wake(job, runId, event, at),
      fail: async (job, runId, message) => (await engine()).flows.fail(job, runId, message),
      definition: async (flowId, version) => (await engine()).flows.definition(flowId, version),
      load: async (job, runId) => (await engine()).flows.load(job, runId),
      record: async (job, record) => (await engine()).flows.record(job, record),
    },
    harnesses: {
      load: async (asked) => (await engine()).harnesses.load(asked),
    },
    runs: {
      knowAgents: async (agents) => (await engine()).runs.knowAgents(agents),
      create: async (run, caller) => (await engine()).runs.create(run, caller),
      begin: async (job, runId) => (await engine()).runs.begin(job, runId),
      record: async (job, runId, change) => (await engine()).runs.record(job, runId, change),
      end: async (job, runId, end) => (await engine()).runs.end(job, runId, end),
      recordLate: async (runId, change) => (await engine()).runs.recordLate(runId, change),
      expire: async (job, runId) => (await engine()).runs.expire(job, runId),
      eventsAfter: async (runId, seq, limit) => (await engine()).runs.eventsAfter(runId, seq, limit),
      onCancel: (listener) => cancelled.add(listener),
    },
    mcpClients: {
      load: async (asked) => (await engine()).mcpClients.load(asked),
      names: async () => (await engine()).mcpClients.names(),
      recordListed: async (id, listed) => (await engine()).mcpClients.recordListed(id, listed),
      recordFailed: async (id, error) => (await engine()).mcpClients.recordFailed(id, error),
    },
    tools: {
      refuse: async (call, ended) => (await engine()).tools.refuse(call, ended),
      begin: async (call, limits, question) => (await engine()).tools.begin(call, limits, question),
      end: async (callId, ended) => (await engine()).tools.end(callId, ended),
      endAbandoned: async (isOurs) => (await engine()).tools.endAbandoned(isOurs),
      earlier: async (callId) => (await engine()).tools.earlier(callId),
      take: async (callId) => (await engine()).tools.take(callId),
      asked: async (id) => (await engine()).tools.asked(id),
      answer: async (input, caller, request) => (await engine()).tools.answer(input, caller, request),
      subject: async (conversationId) => (await engine()).tools.subject(conversationId),
      expire: async (job, id) => (await engine()).tools.expire(job, id),
      digest: (text) => hmac(facts.secret, `tool call ${text}`),
    },
    invocations: {
      record: (invocation) => log.record(invocation),
      recordLater: (of, make) => log.recordLater(of, make),
      flush: () => log.flush(),
    },
    media: {
      receive: async (input, contentType, body) => (await engine()).media.receive(input, contentType, body),
      read: async (mediaId) => (await engine()).media.read(mediaId),
    },
    deployments: {
      putFile: async (input, body) => (await engine()).deployments.putFile(input, body),
      getFile: async (input) => (await engine()).deployments.getFile(input),
      activate: async (input, caller, callOptions) => (await engine()).deployments.activate(input, caller, callOptions),
      rollback: async (input, caller, callOptions) => (await engine()).deployments.rollback(input, caller, callOptions),
      planActivate: async (input, callOptions) => (await engine()).deployments.planActivate(input, callOptions),
      planRollback: async (input, callOptions) => (await engine()).deployments.planRollback(input, callOptions),
      live: async (app) => (await engine()).deployments.live(app),
      blob: async (sha256) => (await engine()).deployments.blob(sha256),
      apps: () => start.deployedApps(),
    },
    apps: {
      known: () => start.knownApps(),
      state: (app) => start.appState(app),
      installed: async (app, state, caller) => (await engine()).apps.installed(app, state, caller),
      uninstalled: async (app, caller) => (await engine()).apps.uninstalled(app, caller),
      register: async (app, builtIn) => (await engine()).apps.register(app, builtIn),
    },
    secrets: {
      ofApp: (app) => start.secretsOf(app),
      ofOwners: () => start.ownerSecrets(),
      onOwnerSecret: (listener) => keptSecrets.add(listener),
    },
    idempotency: {
      begin: async (key, caller, fingerprint) => (await engine()).idempotency.begin(key, caller, fingerprint),
      isAnswered: async (key, caller) => (await engine()).idempotency.isAnswered(key, caller),
      finish: async (key, caller, answer) => (await engine()).idempotency.finish(key, caller, answer),
      abandon: async (key, caller) => (await engine()).idempotency.abandon(key, caller),
    },
    seed: {
      apply: async (seed) => {
        const made = await (await engine()).seed.apply(seed);
        for (const tell of seeded) tell();
        return made;
      },
      reset: async (seed) => {
        await log.flush();
        await (await engine()).seed.reset(seed);
        for (const tell of seeded) tell();
      },
      onChange: (listener) => {
        seeded.add(listener);
        return () => seeded.delete(listener);
      },
      fillSecrets: async () => {
        if (await start.lacksSecret()) await (await engine()).seed.fillSecrets();
      },
      isEmpty: () => start.isEmpty(),
      default: () => defaultSeed(),
      beginning: seedOfBeginning,
    },
    clock: {
      keptOffset: () => start.keptOffset(),
      keepOffset: async (offsetMs) => (await engine()).keepOffset(offsetMs),
    },
    close: () => {
      closing ??= close(database, log, tokens);
      return closing;
    },
  };
}

/** Reads the workspace's secret, and clears entries of requests that ran when the last process ended. */
async function prepare(database: Database): Promise<string> {
  return database.writer.use((connection) => {
    const unfinished = connection.get('SELECT 1 AS found FROM idempotency WHERE answer IS NULL LIMIT 1');
    if (unfinished !== undefined) connection.run('DELETE FROM idempotency WHERE answer IS NULL');
    return String(connection.get(`SELECT value FROM setting WHERE key = 'secret'`)?.['value']);
  });
}

async function close(database: Database, log: InvocationLog, tokens: Tokens): Promise<void> {
  try {
    await log.flush();
    await tokens.flush();
  } finally {
    await database.close();
  }
}

/** Listeners for events. One that throws must not undo a change, nor keep the others from being called. */
class Listeners<T> {
  readonly #all = new Set<(event: T) => void>();

  add(listener: (event: T) => void): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  tell(events: readonly T[]): void {
    for (const event of events) {
      for (const listener of this.#all) {
        try {
          listener(event);
        } catch (error) {
          process.emitWarning(error instanceof Error ? error : String(error));
        }
      }
    }
  }
}
