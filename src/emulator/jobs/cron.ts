import { Cron } from 'croner';
import { messageOf, type TurnableClock, Turnstile, toTimestamp } from '../../std/index.ts';
import type { Workspace } from '../../workspace/index.ts';
import type { EmulatorEvent } from '../events.ts';
import { cronArgument, systemCaller } from '../invoke/arguments.ts';
import type { Invoker } from '../invoke/invoker.ts';
import type { Apps } from '../sources/apps.ts';

export interface SchedulerOptions {
  readonly apps: Apps;
  readonly invoker: Invoker;
  readonly workspace: Workspace;
  readonly clock: TurnableClock;
  readonly emit: (event: EmulatorEvent) => void;
}

interface Job {
  readonly app: string;
  readonly name: string;
  readonly schedule: string;
  readonly timezone: string;
  readonly overlap: 'skip' | 'queue';
  readonly cron: Cron;
  nextMs: number;
}

/** The unfinished runs of one job. They outlive the job, whose schedule may change and whose file may be missing for a moment. */
interface Line {
  last: Promise<void>;
  /** Number of runs, including the current one. */
  length: number;
}

/** Longest sleep, and so the longest delay until a changed clock is noticed. */
const mostSleepMs = 30_000;
const mostWaiting = 100;
/** Further jobs wait here without limit: the sandbox would refuse them as busy after half a minute. */
const runningAtOnce = 32;
/** Delay of a scan after a change of a function. */
const lookAfterMs = 50;

/**
 * Fires cron jobs by the workspace clock: each due job once, however far the clock jumped or the machine slept. It knows the jobs
 * only from their functions' config, and reads that again after changes.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #lastRuns = new Map<string, string>();
  readonly #running = new Turnstile(runningAtOnce);
  readonly #lines = new Map<string, Line>();
  #jobs = new Map<string, Job>();
  #timer: NodeJS.Timeout | undefined;
  #seenMs: number;
  #live = false;
  #closed = false;
  #looking: Promise<void> | undefined;
  #lookAgain: Promise<void> | undefined;
  #soon: NodeJS.Timeout | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#seenMs = options.clock.now();
  }

  /** Starts firing jobs. */
  async start(): Promise<void> {
    if (this.#live || this.#closed) return;
    this.#live = true;
    this.#unsubscribe = this.#options.apps.onChange(() => this.#lookSoon());
    await this.look();
  }

  /** Delayed, because after a change somebody is waiting for the new version's first answer, and several functions may change at once. */
  #lookSoon(): void {
    this.#soon ??= setTimeout(() => void this.look(), lookAfterMs).unref();
  }

  /** Reads the jobs again; known ones with the same schedule keep their next time. */
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
    // The current scan may have read a job before it changed.
    this.#lookAgain ??= this.#looking.then(() => {
      this.#lookAgain = undefined;
      return this.look();
    });
    return this.#lookAgain;
  }

  /** Called when the clock was set: every due job runs once and has ended when this resolves. @returns the number of jobs */
  async turned(): Promise<number> {
    if (this.#soon || (this.#jobs.size === 0 && !this.#live)) await this.look();
    const fired = this.#fireDue();
    this.#sleep();
    await Promise.allSettled(fired);
    return fired.length;
  }

  /** RFC 3339; undefined if it never ran. */
  async lastRunOf(app: string, name: string): Promise<string | undefined> {
    const known = this.#lastRuns.get(keyOf(app, name));
    if (known !== undefined) return known;
    const { items } = await this.#options.workspace.call(
      'invocations.list',
      { app, function: name, limit: 50 },
      systemCaller,
    );
    return items.find(({ trigger }) => trigger === 'cron')?.startedAt;
  }

  /** Forgets all runs, when the workspace was reset. */
  reset(): void {
    this.#lastRuns.clear();
  }

  close(): void {
    this.#closed = true;
    this.#live = false;
    this.#unsubscribe?.();
    clearTimeout(this.#timer);
    clearTimeout(this.#soon);
    this.#jobs.clear();
  }

  async #look(): Promise<void> {
    const { apps, clock, emit } = this.#options;
    const found = new Map<string, Job>();
    try {
      for (const source of await apps.all()) {
        const deployed = source.version !== 'local';
        if (deployed && !(await apps.state(source.app)).installed) continue;
        for (const { name, config } of await source.list()) {
          if (config?.type !== 'cron-job') continue;
          const key = keyOf(source.app, name);
          const { schedule, timezone, overlap } = config;
          const before = this.#jobs.get(key);
          const same =
            before && before.schedule === schedule && before.timezone === timezone && before.overlap === overlap;
          found.set(key, same ? before : newJob(source.app, name, { schedule, timezone, overlap }, clock.now()));
        }
      }
      if (this.#closed) return;
      this.#jobs = found;
    } catch (error) {
      if (this.#closed) return;
      emit({ type: 'problem', code: 'cron_unreadable', message: `Cron jobs cannot be read: ${messageOf(error)}` });
    }
    this.#sleep();
  }

  #sleep(): void {
    clearTimeout(this.#timer);
    if (!this.#live || this.#jobs.size === 0) return;
    const next = Math.min(...[...this.#jobs.values()].map((job) => job.nextMs));
    const delay = Math.min(Math.max(next - this.#options.clock.now(), 0), mostSleepMs);
    this.#timer = setTimeout(() => {
      this.#fireDue();
      this.#sleep();
    }, delay);
    this.#timer.unref();
  }

  #fireDue(): Promise<void>[] {
    const now = this.#options.clock.now();
    const wentBack = now < this.#seenMs;
    this.#seenMs = now;
    const fired: Promise<void>[] = [];
    for (const job of this.#jobs.values()) {
      if (wentBack) job.nextMs = nextOf(job.cron, now);
      if (job.nextMs > now) continue;
      const [lastDue] = job.cron.previousRuns(1, new Date(now + 1));
      const scheduledMs = Math.max(lastDue?.getTime() ?? job.nextMs, job.nextMs);
      job.nextMs = nextOf(job.cron, now);
      const run = this.#fire(job, scheduledMs);
      if (run) fired.push(run);
    }
    return fired;
  }

  /** Fires a job; undefined if it is skipped because the previous run has not ended. */
  #fire(job: Job, scheduledMs: number): Promise<void> | undefined {
    const key = keyOf(job.app, job.name);
    const line = this.#lines.get(key) ?? { last: Promise.resolve(), length: 0 };
    if (line.length > 0 && (job.overlap === 'skip' || line.length >= mostWaiting)) return undefined;
    this.#lines.set(key, line);
    line.length++;
    line.last = line.last
      .then(() => this.#running.pass(() => this.#run(job, scheduledMs)))
      .finally(() => {
        line.length--;
        if (line.length === 0) this.#lines.delete(key);
      });
    return line.last;
  }

  async #run({ app, name }: Job, scheduledMs: number): Promise<void> {
    const { apps, invoker, clock, emit } = this.#options;
    if (this.#closed) return;
    try {
      const loaded = await apps.load(app, name);
      const last = await this.lastRunOf(app, name);
      this.#lastRuns.set(keyOf(app, name), toTimestamp(clock.now()));
      const made = cronArgument(loaded, toTimestamp(scheduledMs), last ?? null);
      await invoker.invoke(loaded, { trigger: 'cron', caller: systemCaller, ...made });
    } catch (error) {
      emit({ type: 'problem', code: 'cron_failed', message: `${app}/${name} could not be run: ${messageOf(error)}` });
    }
  }
}

function newJob(
  app: string,
  name: string,
  config: { schedule: string; timezone: string; overlap: 'skip' | 'queue' },
  now: number,
): Job {
  const cron = new Cron(config.schedule, { paused: true, timezone: config.timezone });
  return { app, name, ...config, cron, nextMs: nextOf(cron, now) };
}

const keyOf = (app: string, name: string) => `${app}/${name}`;

function nextOf(cron: Cron, now: number): number {
  return cron.nextRun(new Date(now))?.getTime() ?? Number.POSITIVE_INFINITY;
}
