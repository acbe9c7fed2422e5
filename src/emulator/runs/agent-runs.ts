import {
  addEvent,
  Budget,
  createPrices,
  type HarnessConfig,
  handoverTool,
  harnessAdapters,
  type Interrupt,
  noProgress,
  type ProjectPackages,
  type Reservation,
  type RunErrorCode,
  type RunEvent,
  type RunHost,
  type RunInput,
  type RunMessage,
  runErrorHints,
} from '../../agent/index.ts';
import { limits } from '../../contract/index.ts';
import { messageOf, shortened, toTimestamp } from '../../std/index.ts';
import type {
  Job,
  LoadedHarness,
  LoadedRun,
  RunEnd,
  RunEventRecord,
  RunInputMessage,
  RunUsage,
  Workspace,
} from '../../workspace/index.ts';
import type { Secrets } from '../invoke/secrets.ts';
import type { JobWorker } from '../jobs/runner.ts';
import type { LiveFrames } from '../live-frames.ts';
import type { ToolsGate } from '../tools/index.ts';
import type { Agents } from './agents.ts';
import type { RunDoors } from './run-doors.ts';
import type { RunFeed } from './run-feed.ts';
import { RunTools } from './run-tools.ts';
import { surroundingsOf } from './surroundings.ts';

export interface AgentRunsOptions {
  readonly workspace: Pick<Workspace, 'runs'>;
  readonly agents: Pick<Agents, 'readScript'>;
  readonly tools: ToolsGate;
  readonly secrets: Pick<Secrets, 'learn' | 'redact' | 'hasAny'>;
  readonly feed: RunFeed;
  /** Where the servers of custom agents may ask for what their runs give. */
  readonly doors: Pick<RunDoors, 'open'>;
  readonly liveFrames: Pick<LiveFrames, 'wants' | 'send'>;
  /** Where harnesses made of an SDK load its package from. */
  readonly packages: () => ProjectPackages | undefined;
  /** Hears of each run that is no longer worked on. */
  readonly onStopped?: ((runId: string) => void) | undefined;
  readonly clock: { now(): number };
}

/** How long an adapter has to stop, once its run was cancelled. What it does afterwards is nobody's concern. */
const stopMs = 5_000;

/** Works on runs of AI agents: a run is a job, and goes on where it was after a restart. */
export class AgentRuns {
  readonly #options: AgentRunsOptions;
  readonly #working = new Map<string, AbortController>();
  readonly #unsubscribe: () => void;

  constructor(options: AgentRunsOptions) {
    this.#options = options;
    this.#unsubscribe = options.workspace.runs.onCancel((runId) => {
      const working = this.#working.get(runId);
      working?.abort();
      options.feed.tell(runId, { kept: true });
      if (working === undefined) options.onStopped?.(runId);
    });
  }

  async run(job: Job, signal: AbortSignal): Promise<Awaited<ReturnType<JobWorker['run']>>> {
    const { workspace, secrets, feed } = this.#options;
    const runId = String(job.payload['runId']);
    const run = await workspace.runs.begin(job, runId);
    if (run === undefined) return 'ended';
    feed.tell(runId, { kept: true });
    const cancelling = new AbortController();
    this.#working.set(runId, cancelling);
    try {
      if (run.harness !== undefined) await secrets.learn(run.harness.id);
      const work = new RunWork(this.#options, job, run, AbortSignal.any([signal, cancelling.signal]));
      const outcome = await work.carryOut();
      // The workspace stops: the run goes on at the next start.
      if (signal.aborted && !cancelling.signal.aborted) return 'left';
      return outcome === 'ended' ? 'ended' : { end: { state: 'done' } };
    } finally {
      this.#working.delete(runId);
      feed.tell(runId, { kept: true });
      this.#options.onStopped?.(runId);
    }
  }

  close(): void {
    this.#unsubscribe();
  }
}

/** The work on one run, from where it stands to its end. */
class RunWork {
  readonly #options: AgentRunsOptions;
  readonly #job: Job;
  readonly #run: LoadedRun;
  readonly #signal: AbortSignal;
  readonly #budget: Budget;
  readonly #tools: RunTools;
  /** Told, and not yet written down. */
  #pending: RunEventRecord[] = [];
  #seq: number;
  #keptBytes = 0;
  /** Whether the run still belongs to this process. */
  #owned = true;
  readonly #texts = new Map<string, string>();
  readonly #warnings: { code: string; message: string }[] = [];
  #error: RunEnd['error'] = null;
  #handover: RunEnd['handover'] = null;
  #waitingFor: RunEnd['waitingFor'] = [];
  #state: unknown;
  #draft = { messageId: '', text: '' };

  constructor(options: AgentRunsOptions, job: Job, run: LoadedRun, signal: AbortSignal) {
    this.#options = options;
    this.#job = job;
    this.#run = run;
    this.#signal = signal;
    this.#tools = new RunTools(options.tools, run);
    this.#seq = run.events.at(-1)?.seq ?? 0;
    this.#budget = new Budget(run.spec.budget, {
      prices: createPrices(),
      // A call that is made again, after a restart or with the answer of a person, counts once.
      used: { ...run.usage, toolCalls: run.events.filter(({ event }) => event.type === 'toolCall.ended').length },
      allowUnknownPrice: run.spec.allowUnknownPrice,
    });
    for (const { event } of run.events) this.#note(event as unknown as RunEvent);
    // What it once ended with is over: it goes on.
    this.#error = null;
  }

  /** @returns `cancelled` if its end was written by whoever cancelled it */
  async carryOut(): Promise<'ended' | 'cancelled'> {
    const { workspace } = this.#options;
    let status: RunEnd['status'] = 'failed';
    try {
      status = await this.#converse();
    } catch (error) {
      this.#error = problemOf('internal', shortened(messageOf(error), 500));
    }
    if (this.#signal.aborted || !this.#owned) {
      await workspace.runs.recordLate(this.#run.id, { events: this.#taken(), usage: this.#usage });
      return 'cancelled';
    }
    const end: RunEnd = {
      status,
      events: this.#taken(),
      usage: this.#usage,
      texts: [...this.#texts.values()].filter((text) => text.trim() !== ''),
      error: status === 'failed' ? (this.#error ?? problemOf('internal', 'The run failed')) : null,
      warnings: this.#warnings,
      handover: status === 'handedOver' ? (this.#handover ?? { team: null, reason: null, summary: null }) : null,
      waitingFor: status === 'waiting' ? this.#waitingFor : [],
      state: this.#state,
    };
    if (await workspace.runs.end(this.#job, this.#run.id, end)) {
      this.#showLive(status);
      return 'ended';
    }
    await workspace.runs.recordLate(this.#run.id, end);
    return 'cancelled';
  }

  async #converse(): Promise<RunEnd['status']> {
    const { harness, spec } = this.#run;
    if (harness === undefined) {
      this.#error = problemOf('harness_not_available', 'The harness of this run was removed');
      return 'failed';
    }
    const { tools, warnings, missing } = await this.#tools.offer();
    this.#settleUnended();
    this.#warn(warnings);
    if (missing !== undefined) {
      this.#error = problemOf('mcp_unavailable', missing);
      return 'failed';
    }
    this.#keep({
      type: 'run.tools',
      tools: [
        ...tools.map(({ spec: { name, readOnly }, source }) => ({ name, source, readOnly })),
        { name: handoverTool.name, source: { type: 'platform', function: null, client: null } },
      ],
    });
    const adapter = harnessAdapters[harness.kind];
    const { leftOut } = this.#run;
    if (leftOut.length > 0 && !adapter.sumsUp) {
      const message = `Harnesses of the kind ${harness.kind} do not sum up what a run does not see`;
      this.#warn([{ code: 'history_summary_unsupported', message }]);
    }
    const { about, facts } = surroundingsOf(this.#run);
    const progress = this.#run.events.reduce(
      (before, { event }) => addEvent(before, event as unknown as RunEvent),
      noProgress,
    );
    const input: RunInput = {
      runId: this.#run.id,
      harness: { ...configOf(harness), packages: this.#options.packages() },
      instructions: spec.instructions,
      facts,
      messages: this.#run.messages.map(toRunMessage),
      leftOut: adapter.sumsUp ? leftOut.map(toRunMessage) : [],
      progress,
      tools: [...tools.map((tool) => tool.spec), handoverTool],
      models: spec.models,
      budget: this.#budget,
      signal: this.#signal,
      state: this.#run.state,
      trace: this.#run.trace,
      about,
    };
    this.#showLive('running');
    return this.#follow(adapter.run(input, this.#host));
  }

  /** Reads what happens in the run. What an event announces begins when the next one is asked for, so it is written down before. */
  async #follow(events: AsyncGenerator<RunEvent, void>): Promise<RunEnd['status']> {
    const stop = stopOf(this.#signal);
    let status: RunEnd['status'] = 'failed';
    try {
      while (this.#owned) {
        const step = await Promise.race([events.next(), stop.late]);
        if (step === 'late' || step.done) break;
        const event = step.value;
        if (event.type === 'done') status = event.status;
        else await this.#take(event);
        if (event.type === 'toolCall.ended' && this.#handover !== null) return 'handedOver';
      }
    } finally {
      stop.end();
      // An adapter that does not stop must not keep this from ending.
      void events.return(undefined).catch(() => {});
    }
    return status;
  }

  async #take(event: RunEvent): Promise<void> {
    if (event.type === 'text.delta' || event.type === 'reasoning.delta') {
      this.#showDelta(event);
      return;
    }
    this.#note(event);
    this.#keep(event);
    if (event.type === 'modelCall.started' || event.type === 'leg.started') await this.#flush();
  }

  /** What the end of the run is made of. */
  #note(event: RunEvent): void {
    if (event.type === 'message') this.#texts.set(event.messageId, event.text);
    else if (event.type === 'warning') this.#warnings.push({ code: event.code, message: event.message });
    else if (event.type === 'error') this.#error = { code: event.code, message: event.message, hint: event.hint };
    else if (event.type === 'handover') {
      const { team, reason, summary } = event;
      this.#handover = { team, reason, summary };
    } else if (event.type === 'interrupt') {
      this.#waitingFor = this.#redacted(event.interrupts).map(toWaiting);
    } else if (event.type === 'state') this.#state = event.state;
    else if (event.type === 'leg.ended' && event.state !== undefined) this.#state = event.state;
  }

  /** Without the values of secrets that the harness knows. */
  #redacted<T>(value: T): T {
    const id = this.#run.harness?.id;
    const { secrets } = this.#options;
    if (id === undefined || !secrets.hasAny(id)) return value;
    return JSON.parse(secrets.redact(id, JSON.stringify(value))) as T;
  }

  #warn(warnings: readonly { readonly code: string; readonly message: string }[]): void {
    for (const { code, message } of warnings) {
      if (this.#warnings.some((known) => known.code === code && known.message === message)) continue;
      this.#note({ type: 'warning', code, message });
      this.#keep({ type: 'warning', code, message });
    }
  }

  #keep(event: RunEventRecord['event'] | RunEvent): void {
    const { secrets, clock } = this.#options;
    let text = JSON.stringify(event);
    const id = this.#run.harness?.id;
    if (id !== undefined && secrets.hasAny(id)) text = secrets.redact(id, text);
    this.#keptBytes += text.length;
    const isFull = this.#keptBytes > limits.agents.messageBytes;
    this.#pending.push({
      seq: ++this.#seq,
      at: clock.now(),
      event: JSON.parse(text, isFull ? cutText : undefined) as RunEventRecord['event'],
    });
  }

  /** Writes down what happened. A run that is no longer this process's goes no further. */
  async #flush(): Promise<void> {
    if (this.#pending.length === 0 || !this.#owned) return;
    const { workspace, feed } = this.#options;
    const events = this.#taken();
    this.#owned = await workspace.runs.record(this.#job, this.#run.id, { events, usage: this.#usage });
    if (!this.#owned) this.#pending.unshift(...events);
    feed.tell(this.#run.id, { kept: true });
  }

  #taken(): RunEventRecord[] {
    const taken = this.#pending;
    this.#pending = [];
    return taken;
  }

  get #usage(): RunUsage {
    const { byModel, seconds, ...used } = this.#budget.used;
    return { ...used, seconds: Math.round(seconds * 1_000) / 1_000, byModel: [...byModel] };
  }

  /** A model call whose end nobody saw, because its process ended, counts with all that was put aside for it. */
  #settleUnended(): void {
    const ended = new Set(
      this.#run.events.flatMap(({ event }) => (event.type === 'modelCall.ended' ? [event['modelCallId']] : [])),
    );
    for (const { event } of this.#run.events) {
      if (event.type !== 'modelCall.started' || ended.has(event['modelCallId'])) continue;
      const reserved = event['reserved'] as Reservation | null;
      const costUsd = reserved === null ? null : this.#budget.settle(reserved);
      const { modelCallId, role, provider, model } = event;
      const error = problemOf('run_interrupted', 'The process ended during this call');
      const usage = reserved && {
        inputTokens: reserved.inputTokens,
        outputTokens: reserved.outputTokens,
        cachedInputTokens: 0,
        reasoningTokens: 0,
      };
      const ending = { modelCallId, role, provider, model, finishReason: 'error', usage, costUsd, answer: null, error };
      this.#keep({ type: 'modelCall.ended', ...ending });
    }
  }

  get #host(): RunHost {
    const { agents, doors } = this.#options;
    const { app } = this.#run.spec;
    return {
      callTool: async (name, args, options) => {
        await this.#flush();
        if (!this.#owned) return cancelledCall;
        if (name === handoverTool.name) return handedOver;
        const { handover, ...result } = await this.#tools.call(name, args, options);
        // Whoever was asked did not answer in time.
        if (handover) this.#handover = { team: null, reason: result.error?.message ?? null, summary: null };
        return result;
      },
      openDoor: (door) => doors.open(this.#run.id, door),
      readScript: async (name) => (app === null ? undefined : agents.readScript(app, name)),
    };
  }

  #showDelta(event: Extract<RunEvent, { type: 'text.delta' | 'reasoning.delta' }>): void {
    const { feed, liveFrames } = this.#options;
    const { id, conversation, spec } = this.#run;
    feed.tell(id, { kept: false, event });
    if (event.type !== 'text.delta') return;
    const before = this.#draft.messageId === event.messageId ? this.#draft.text : '';
    this.#draft = { messageId: event.messageId, text: before + event.text };
    if (conversation === null || !spec.sends || !liveFrames.wants('draft')) return;
    liveFrames.send('draft', { runId: id, conversationId: conversation.id, ...this.#draft });
  }

  #showLive(status: string): void {
    const { liveFrames } = this.#options;
    if (!liveFrames.wants('run')) return;
    const { id, agent, conversation } = this.#run;
    liveFrames.send('run', {
      id,
      status,
      agent: agent?.name ?? null,
      conversationId: conversation?.id ?? null,
      usage: this.#usage,
    });
  }
}

const cancelledCall = {
  status: 'cancelled',
  content: 'The run was stopped.',
  error: { code: 'tool_cancelled', message: 'The run was stopped', retryable: false },
} as const;

const handedOver = { status: 'ok', content: 'A person takes over.', result: null } as const;

function problemOf(code: RunErrorCode, message: string): NonNullable<RunEnd['error']> {
  return { code, message, hint: runErrorHints[code] };
}

function configOf(harness: LoadedHarness): HarnessConfig {
  const { kind, name, provider, baseUrl, module, apiKey, secrets, requireSignedReplies } = harness;
  return { kind, name, provider, baseUrl, module, apiKey, secrets, requireSignedReplies };
}

const maxCutText = 4_096;

/** Of a run that has said too much, only the beginning of each text is kept. */
function cutText(_: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > maxCutText ? shortened(value, maxCutText) : value;
}

/** Resolves a while after the signal has aborted. */
function stopOf(signal: AbortSignal): { readonly late: Promise<'late'>; end(): void } {
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    timer ??= setTimeout(() => resolve('late'), stopMs);
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return {
    late,
    end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', begin);
    },
  };
}

function toRunMessage({ role, id, content, author, sentAt }: RunInputMessage): RunMessage {
  if (role === 'user') return { role, id, content, author: author === 'system' ? 'system' : 'customer', sentAt };
  return { role, id, content, author: author === 'agent' || author === 'flow' ? author : 'aiAgent', sentAt };
}

type Waiting = RunEnd['waitingFor'][number];

function toWaiting(interrupt: Interrupt): Waiting {
  const { id, kind, message, toolCallId, responseSchema, expiresAt } = interrupt;
  const isTime = expiresAt !== undefined && !Number.isNaN(Date.parse(expiresAt));
  return {
    id,
    kind,
    message: message ?? null,
    toolCallId: toolCallId ?? null,
    ...(responseSchema !== undefined && { responseSchema: responseSchema as Waiting['responseSchema'] }),
    expiresAt: isTime ? toTimestamp(Date.parse(expiresAt)) : null,
  };
}
