import type { JobKind } from '../../contract/index.ts';
import { messageOf, monotonicMs, type TurnableClock } from '../../std/index.ts';
import type { FreeWorkers, Job, JobEnd, JobSpec, Workspace } from '../../workspace/index.ts';
import type { EmulatorEvent } from '../events.ts';

/** Works on the jobs of one kind. */
export interface JobWorker {
  /** How many jobs of the kind run at once. */
  readonly maxAtOnce: number;
  /** How many of one group run at once; no limit if left out. */
  readonly maxPerGroup?: number;
  /**
   * Carries out one try. What fails by plan is a value; a throw is a bug of fn and ends the job as failed, with the stack kept.
   * @param signal aborted when the workspace stops: return early, the job runs again at the next start
   * @returns how the try ended; `ended` if the worker has written that itself, with its effects; `left` to leave it to the next start
   */
  run(job: Job, signal: AbortSignal): Promise<Ended | 'ended' | 'left'>;
}

export interface Ended {
  readonly end: JobEnd;
  /** Jobs that it leads to, enqueued in the same transaction. */
  readonly next?: readonly JobSpec[];
}

export interface JobRunnerOptions {
  readonly workspace: Pick<Workspace, 'jobs'>;
  readonly clock: TurnableClock;
  readonly emit: (event: EmulatorEvent) => void;
}

/** Longest sleep, and so the longest delay until a change of the machine's clock is noticed. */
const maxSleepMs = 60_000;
/** How long a turn of the clock waits for what is due. In real time. */
const turnLimitMs = 60_000;
const settleLimitMs = 30_000;
/** How long running jobs may take when the workspace stops. */
const graceMs = 1_000;

/**
 * Runs what is due by the workspace clock. A commit that enqueues wakes it, and a timer for the earliest due time; nothing polls.
 */
export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #workers = new Map<JobKind, JobWorker>();
  readonly #running = new Map<string, { job: Job; done: Promise<void> }>();
  readonly #stopping = new AbortController();
  #live = false;
  #pumping: Promise<void> | undefined;
  #again = false;
  #timer: NodeJS.Timeout | undefined;
  #unsubscribe: (() => void)[] = [];
  /** Turns of the clock happen one after another. */
  #turning: Promise<unknown> = Promise.resolve();

  constructor(options: JobRunnerOptions) {
    this.#options = options;
  }

  register(kind: JobKind, worker: JobWorker): void {
    this.#workers.set(kind, worker);
  }

  /**
   * Begins to work on what is due, in order, and on what falls due.
   * @param isNew nothing can be due yet, so that there is nothing to look for
   */
  start(isNew = false): void {
    if (this.#live || this.#stopping.signal.aborted) return;
    this.#live = true;
    const { workspace, clock } = this.#options;
    this.#unsubscribe = [workspace.jobs.onChange(() => this.#wake()), clock.onTurn(() => this.#wake())];
    if (!isNew) this.#wake();
  }

  /** Stops claiming, and gives running jobs a moment. What has not ended by then runs again at the next start. */
  async close(): Promise<void> {
    this.#live = false;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    clearTimeout(this.#timer);
    this.#stopping.abort(new Error('the workspace stops'));
    await this.#pumping;
    await this.#idle(monotonicMs() + graceMs);
  }

  /** Resolves when nothing is due. @returns what still runs or waits after 30 s, as `kind id` */
  async settled(limitMs = settleLimitMs): Promise<string[]> {
    const deadline = monotonicMs() + limitMs;
    for (;;) {
      if (!(await this.#idle(deadline))) return this.#names();
      const next = await this.#nextDue();
      if (next === undefined || next > this.#options.clock.now()) return [];
      if (monotonicMs() >= deadline) return [`due ${new Date(next).toISOString()}`];
      await this.#pump();
      if (this.#running.size === 0 && monotonicMs() >= deadline) return this.#names();
    }
  }

  /**
   * Takes the workspace clock to a time, from due time to due time: what is due runs to its end, then the next, up to the target.
   * @param set sets the clock; called for every step
   * @returns whether something was still running after 60 s
   */
  turn(targetMs: number, set: (ms: number) => Promise<void>): Promise<{ stillRunning: boolean }> {
    const turned = this.#turning.then(() => this.#turn(targetMs, set));
    this.#turning = turned.catch(() => {});
    return turned;
  }

  async #turn(targetMs: number, set: (ms: number) => Promise<void>): Promise<{ stillRunning: boolean }> {
    const { clock } = this.#options;
    const deadline = monotonicMs() + turnLimitMs;
    for (;;) {
      const hangs = (await this.settled(Math.max(0, deadline - monotonicMs()))).length > 0;
      const next = hangs ? undefined : await this.#nextDue();
      if (next === undefined || next > targetMs) {
        await set(targetMs);
        if (hangs) return { stillRunning: true };
        return { stillRunning: (await this.settled(Math.max(0, deadline - monotonicMs()))).length > 0 };
      }
      if (next > clock.now()) await set(next);
    }
  }

  #wake(): void {
    if (this.#live) void this.#pump();
  }

  /** Claims until nothing more can be claimed. Runs once at a time; a wake-up meanwhile makes it look again. */
  #pump(): Promise<void> {
    if (this.#pumping) {
      this.#again = true;
      return this.#pumping;
    }
    this.#pumping = this.#claimAll().finally(() => {
      this.#pumping = undefined;
    });
    return this.#pumping;
  }

  async #claimAll(): Promise<void> {
    const { workspace, emit } = this.#options;
    try {
      do {
        this.#again = false;
        if (this.#stopping.signal.aborted) return;
        const jobs = await workspace.jobs.claim(this.#free());
        for (const job of jobs) this.#begin(job);
        if (jobs.length > 0) this.#again = true;
        // Inside the loop: a wake-up while the next due time is read must not be lost.
        else await this.#sleep();
      } while (this.#again);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      emit({ type: 'problem', code: 'jobs_unreadable', message: `Jobs cannot be read: ${messageOf(error)}` });
      this.#sleepFor(maxSleepMs);
    }
  }

  #free(): FreeWorkers[] {
    const running = new Map<JobKind, Job[]>();
    for (const { job } of this.#running.values()) running.set(job.kind, [...(running.get(job.kind) ?? []), job]);
    return [...this.#workers]
      .map(([kind, { maxAtOnce, maxPerGroup }]) => {
        const jobs = running.get(kind) ?? [];
        if (maxPerGroup === undefined) return { kind, free: maxAtOnce - jobs.length };
        const groups = new Map<string, number>();
        for (const { group } of jobs) if (group !== null) groups.set(group, (groups.get(group) ?? 0) + 1);
        return { kind, free: maxAtOnce - jobs.length, groups: { most: maxPerGroup, running: groups } };
      })
      .filter(({ free }) => free > 0);
  }

  #begin(job: Job): void {
    const done = this.#run(job).finally(() => {
      this.#running.delete(job.id);
      this.#wake();
    });
    this.#running.set(job.id, { job, done });
  }

  async #run(job: Job): Promise<void> {
    const { workspace, emit } = this.#options;
    let ended: Ended | 'ended' | 'left';
    try {
      ended = (await this.#workers.get(job.kind)?.run(job, this.#stopping.signal)) ?? 'left';
    } catch (error) {
      const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
      emit({ type: 'problem', code: 'job_failed', message: `${job.kind} ${job.id} failed: ${messageOf(error)}` });
      ended = { end: { state: 'failed', outcome: { error: stack } } };
    }
    if (typeof ended === 'string') return;
    try {
      await workspace.jobs.finish(job, ended.end, ended.next);
    } catch (error) {
      // A full disk, say. The job is leased until the next start, and then runs again with the same key.
      if (this.#stopping.signal.aborted) return;
      emit({
        type: 'problem',
        code: 'job_not_recorded',
        message: `The end of ${job.id} cannot be written: ${messageOf(error)}`,
      });
    }
  }

  #nextDue(): Promise<number | undefined> {
    return this.#options.workspace.jobs.nextDue([...this.#workers.keys()]);
  }

  async #sleep(): Promise<void> {
    if (!this.#live) return;
    // A job that ends looks for the next one.
    const free = this.#free().map(({ kind }) => kind);
    const next = await this.#options.workspace.jobs.nextDue(free);
    if (next !== undefined) this.#sleepFor(next - this.#options.clock.now());
    else clearTimeout(this.#timer);
  }

  #sleepFor(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#live) return;
    // What is due although a worker is free waits for its group; the end of a running one wakes it.
    const delay = ms <= 0 && this.#running.size > 0 ? maxSleepMs : Math.min(Math.max(ms, 1), maxSleepMs);
    this.#timer = setTimeout(() => this.#wake(), delay).unref();
  }

  /** Waits until nothing runs. @returns whether that is so */
  async #idle(deadline: number): Promise<boolean> {
    while (this.#running.size > 0 || this.#pumping) {
      const left = deadline - monotonicMs();
      if (left <= 0) return false;
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, left);
      const running = [...this.#running.values()].map(({ done }) => done);
      await Promise.race([late, Promise.allSettled([...running, this.#pumping])]);
      clearTimeout(timer);
    }
    return true;
  }

  #names(): string[] {
    return [...this.#running.values()].map(({ job }) => `${job.kind} ${job.id}`);
  }
}
