import { Cron } from 'croner';
import { messageOf, type TurnableClock, toTimestamp } from '../../std/index.ts';
import type { Job, JobSpec, Workspace } from '../../workspace/index.ts';
import type { EmulatorEvent } from '../events.ts';
import { cronArgument, systemCaller } from '../invoke/arguments.ts';
import type { Invoker } from '../invoke/invoker.ts';
import type { Apps } from '../sources/apps.ts';
import type { Ended, JobRunner } from './runner.ts';

export interface SchedulerOptions {
  readonly apps: Pick<Apps, 'all' | 'isLive' | 'load' | 'onChange'>;
  readonly invoker: Pick<Invoker, 'invoke'>;
  readonly workspace: Pick<Workspace, 'jobs' | 'flows' | 'call'>;
  readonly clock: TurnableClock;
  readonly runner: JobRunner;
  readonly emit: (event: EmulatorEvent) => void;
}

/** What a cron function's config says, or the trigger of a flow. */
interface Schedule {
  readonly of: 'function' | 'flow';
  readonly app: string;
  readonly name: string;
  readonly schedule: string;
  readonly timezone: string;
  readonly overlap: 'skip' | 'queue';
}

/** Runs of one function that wait behind each other with `overlap: 'queue'`. */
const maxWaiting = 100;
/** The sandbox would refuse more as busy after half a minute. */
const maxAtOnce = 32;
/** Delay of a scan after a change of a function. */
const lookAfterMs = 50;

/**
 * Keeps one job for the next due time of each Cron Job and of each flow that starts on a schedule, with a key made of its name and due time,
 * so that a restart neither loses nor doubles a run. What fell due while nothing worked runs once, at its last due time. Schedules of Cron
 * Jobs are known only from their config, and are read again after changes.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #lastRuns = new Map<string, string>();
  /** How many runs of a function wait or have not ended. */
  readonly #runs = new Map<string, number>();
  #schedules = new Map<string, Schedule>();
  #known = false;
  #closed = false;
  #fired = 0;
  #looking: Promise<void> | undefined;
  #lookAgain: Promise<void> | undefined;
  #soon: NodeJS.Timeout | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    options.runner.register('cron', { maxAtOnce, run: (job) => this.#run(job) });
  }

  /** Reads the schedules, now and after each change of a function. */
  async start(): Promise<void> {
    if (this.#unsubscribe || this.#closed) return;
    this.#unsubscribe = this.#options.apps.onChange(() => this.#lookSoon());
    await this.look();
  }

  /** Delayed, because after a change somebody is waiting for the new version's first answer, and several functions may change at once. */
  #lookSoon(): void {
    this.#soon ??= setTimeout(() => void this.look(), lookAfterMs).unref();
  }

  /** Reads the schedules again; a job whose schedule is the same keeps its due time. */
  look(): Promise<void> {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    if (this.#closed) return Promise.resolve();
    if (!this.#looking) {
      this.#looking = this.#look().finally(() => {
        this.#looking = undefined;
      });
      return this.#looking;
    }
    // The current scan may have read a function before it changed.
    this.#lookAgain ??= this.#looking.then(() => {
      this.#lookAgain = undefined;
      return this.look();
    });
    return this.#lookAgain;
  }

  /** Called before the clock is turned forward: a jump fires each job once, at its last due time up to the target. */
  async prepareJump(targetMs: number): Promise<void> {
    if (this.#soon || !this.#known) await this.look();
    const { jobs } = this.#options.workspace;
    for (const job of await jobs.waiting('cron')) {
      const schedule = this.#schedules.get(keyOf(job.payload));
      if (schedule === undefined || 'scheduledAt' in job.payload || job.due > targetMs) continue;
      await jobs.reschedule(job.id, lastDue(schedule, targetMs, job.due));
    }
  }

  /** Called after the clock was turned back: the next due times are others now. */
  async planAnew(): Promise<void> {
    const { jobs } = this.#options.workspace;
    const waiting = await jobs.waiting('cron');
    await jobs.remove(waiting.filter(({ payload }) => !('scheduledAt' in payload)).map(({ id }) => id));
    await this.look();
  }

  /** The number of runs that were started so far. */
  get fired(): number {
    return this.#fired;
  }

  /** RFC 3339; undefined if it never ran. */
  async lastRunOf(app: string, name: string): Promise<string | undefined> {
    const known = this.#lastRuns.get(keyOf({ app, name }));
    if (known !== undefined) return known;
    const { items } = await this.#options.workspace.call(
      'invocations.list',
      { app, function: name, limit: 50 },
      systemCaller,
    );
    return items.find(({ trigger }) => trigger === 'cron')?.startedAt;
  }

  /** Forgets all runs, when the workspace was reset, and plans anew. */
  async reset(): Promise<void> {
    this.#lastRuns.clear();
    await this.look();
  }

  close(): void {
    this.#closed = true;
    this.#unsubscribe?.();
    clearTimeout(this.#soon);
  }

  async #look(): Promise<void> {
    const { emit } = this.#options;
    try {
      const found = await this.#readSchedules();
      if (this.#closed) return;
      this.#schedules = found;
      this.#known = true;
      await this.#plan();
    } catch (error) {
      if (this.#closed) return;
      emit({ type: 'problem', code: 'cron_unreadable', message: `Cron jobs cannot be read: ${messageOf(error)}` });
    }
  }

  async #readSchedules(): Promise<Map<string, Schedule>> {
    const { apps, workspace } = this.#options;
    const found = new Map<string, Schedule>();
    const keep = (schedule: Schedule) => found.set(keyOf(schedule), schedule);
    for (const flow of await workspace.flows.scheduled()) keep({ of: 'flow', overlap: 'skip', ...flow });
    for (const source of await apps.all()) {
      if (!(await apps.isLive(source))) continue;
      for (const { name, config } of await source.list()) {
        if (config?.type !== 'cron-job') continue;
        const { schedule, timezone, overlap } = config;
        keep({ of: 'function', app: source.app, name, schedule, timezone, overlap });
      }
    }
    return found;
  }

  /** Makes the waiting jobs those of the schedules. */
  async #plan(): Promise<void> {
    const { workspace, clock } = this.#options;
    const planned = new Set<string>();
    const wrong: string[] = [];
    for (const { id, payload } of await workspace.jobs.waiting('cron')) {
      if ('scheduledAt' in payload) continue;
      const schedule = this.#schedules.get(keyOf(payload));
      const same =
        schedule !== undefined &&
        payload['schedule'] === schedule.schedule &&
        payload['timezone'] === schedule.timezone;
      if (same) planned.add(keyOf(payload));
      else wrong.push(id);
    }
    await workspace.jobs.remove(wrong);
    const missing = [...this.#schedules.values()].filter((schedule) => !planned.has(keyOf(schedule)));
    await workspace.jobs.enqueue(missing.flatMap((schedule) => nextJob(schedule, clock.now())));
  }

  async #run(job: Job): Promise<Ended> {
    const { clock } = this.#options;
    if (!this.#known) await this.look();
    const schedule = this.#schedules.get(keyOf(job.payload));
    if (schedule === undefined)
      return { end: { state: 'aborted', outcome: { reason: 'its function or flow is gone' } } };
    const queued = job.payload['scheduledAt'];
    if (typeof queued === 'string') return this.#fire(job, schedule, Date.parse(queued));
    const scheduledMs = lastDue(schedule, clock.now(), job.due);
    const next = nextJob(schedule, Math.max(clock.now(), scheduledMs));
    if (schedule.of === 'flow') {
      this.#fired++;
      return { end: { state: 'done' }, next: [...next, flowStart(schedule, scheduledMs)] };
    }
    if (schedule.overlap === 'queue') {
      const waiting = this.#runs.get(keyOf(schedule)) ?? 0;
      const run = waiting < maxWaiting ? [queuedRun(schedule, scheduledMs)] : [];
      this.#count(schedule, run.length);
      return { end: { state: 'done' }, next: [...next, ...run] };
    }
    // Before the run, so that the next one comes in time however long this one takes.
    await this.#options.workspace.jobs.enqueue(next);
    if (this.#runs.has(keyOf(schedule))) return { end: { state: 'done', outcome: { skipped: true } } };
    this.#count(schedule, 1);
    return this.#fire(job, schedule, scheduledMs);
  }

  async #fire(job: Job, schedule: Schedule, scheduledMs: number): Promise<Ended> {
    this.#fired++;
    try {
      await this.#invoke(job, schedule, scheduledMs);
    } finally {
      this.#count(schedule, -1);
    }
    return { end: { state: 'done' } };
  }

  #count(schedule: Schedule, by: number): void {
    const runs = (this.#runs.get(keyOf(schedule)) ?? 0) + by;
    if (runs > 0) this.#runs.set(keyOf(schedule), runs);
    else this.#runs.delete(keyOf(schedule));
  }

  async #invoke(job: Job, { app, name }: Schedule, scheduledMs: number): Promise<void> {
    const { apps, invoker, clock, emit } = this.#options;
    try {
      const loaded = await apps.load(app, name);
      const last = await this.lastRunOf(app, name);
      this.#lastRuns.set(keyOf({ app, name }), toTimestamp(clock.now()));
      const made = cronArgument(loaded, toTimestamp(scheduledMs), last ?? null);
      // The job's id is the key of its writes: a run that a kill interrupted writes nothing twice when it is run again.
      const caller = { ...systemCaller, trace: job.trace };
      await invoker.invoke(loaded, { trigger: 'cron', caller, onceKey: job.id, ...made });
    } catch (error) {
      emit({ type: 'problem', code: 'cron_failed', message: `${app}/${name} could not be run: ${messageOf(error)}` });
    }
  }
}

function keyOf(named: object): string {
  const { of, app, name } = named as Partial<Schedule>;
  return of === 'flow' ? `flow ${app}/${name}` : `${app}/${name}`;
}

/** The job of the next due time after `now`; none if the schedule names no further one. */
function nextJob(planned: Schedule, now: number): JobSpec[] {
  const { of, app, name, schedule, timezone } = planned;
  const due = new Cron(schedule, { paused: true, timezone }).nextRun(new Date(now))?.getTime();
  if (due === undefined) return [];
  return [
    {
      kind: 'cron',
      key: `cron ${keyOf(planned)} ${toTimestamp(due)} ${schedule} ${timezone}`,
      due,
      fixed: true,
      payload: { ...(of === 'flow' && { of }), app, name, schedule, timezone },
    },
  ];
}

/** A flow starts in a job of its own, beside the next due time. */
function flowStart({ app, name }: Schedule, scheduledMs: number): JobSpec {
  const scheduledAt = toTimestamp(scheduledMs);
  return {
    kind: 'flow-step',
    key: `flow ${app}/${name} ${scheduledAt}`,
    lane: `flow ${app}/${name}`,
    payload: {
      do: 'event',
      type: 'schedule',
      app,
      name,
      conversationId: null,
      messageId: null,
      input: { scheduledAt },
    },
  };
}

/** A run that waits for the one before: with `overlap: 'queue'`. */
function queuedRun({ app, name, schedule, timezone }: Schedule, scheduledMs: number): JobSpec {
  const scheduledAt = toTimestamp(scheduledMs);
  return {
    kind: 'cron',
    key: `cron run ${app}/${name} ${scheduledAt}`,
    lane: `cron ${app}/${name}`,
    fixed: true,
    payload: { app, name, schedule, timezone, scheduledAt },
  };
}

/** The last time up to `until` at which it was due, but not before `due`. */
function lastDue({ schedule, timezone }: Schedule, until: number, due: number): number {
  const [last] = new Cron(schedule, { paused: true, timezone }).previousRuns(1, new Date(until + 1));
  return Math.max(last?.getTime() ?? due, due);
}
