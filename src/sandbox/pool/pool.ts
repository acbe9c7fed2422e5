import { monotonicMs } from '../../std/index.ts';
import {
  deepestNesting,
  defaultLimits,
  firstLoadMs,
  queuedInvocations,
  rapidInvocations,
  rapidMs,
  warmedAgain,
} from '../limits.ts';
import { Members, type MembersOptions } from '../members.ts';
import type { FromChild, ToChild } from '../protocol.ts';
import { Ahead } from './ahead.ts';
import { Isolates } from './isolates.ts';
import {
  aheadIn,
  describing,
  guiltyIn,
  idleIn,
  isBusy,
  isShared,
  type Job,
  type JobFailure,
  type Lane,
  type LaneProgram,
  type Member,
  type Worker,
} from './lane.ts';
import { Lanes } from './lanes.ts';
import { cores, fittingFor, isBehind, isQuick, learn, shortWaitMs, waitingMs, waits } from './sizing.ts';
import { surplusIn } from './space.ts';
import { Strikes } from './strikes.ts';
import { Turnover } from './turnover.ts';
import { Watch } from './watch.ts';

export interface PoolOptions extends MembersOptions {
  readonly processes: number;
  /** Pause after which children that are no longer needed end, in milliseconds. */
  readonly restMs: number;
  onInspected(worker: Worker, message: string): void;
}

/** Why a child is killed. */
interface Blame {
  readonly why: string;
  readonly reason: 'timeout' | 'memory';
  /** Its invocation ends with `reason`; the others in that child crash. */
  readonly guilty: Worker | undefined;
  /** The program that does not stop, even if its invocation is over. */
  readonly program?: string | undefined;
}

/** Assigns each job to an isolate of its program, now or later, and decides what happens to it when a child ends. */
export class Pool {
  readonly #options: PoolOptions;
  readonly #members: Members;
  readonly #lanes: Lanes;
  readonly #strikes = new Strikes();
  readonly #isolates: Isolates;
  /** Workers by the invocation number of their job. */
  readonly #running = new Map<number, Worker>();
  readonly #ahead = new Ahead(this.#running);
  readonly #turnover: Turnover;
  readonly #watch: Watch;
  #killed = 0;
  #closed = false;
  #feedTimer: NodeJS.Timeout | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#members = new Members(options, {
      ready: (member) => this.#ready(member),
      hear: (member, message) => this.#hear(member, message),
      exited: (member, how) => this.#exited(member, how),
      notStarted: (member, again) => this.#notStarted(member, again),
      unavailable: (message) => this.#giveUp(message),
    });
    this.#isolates = new Isolates(this.#members, this.#strikes, {
      processes: options.processes,
      inspect: options.inspect,
      end: (member) => this.#remove(member),
    });
    this.#lanes = new Lanes({
      close: (worker) => this.#isolates.close(worker),
      described: (members) => {
        for (const member of members) this.#turnover.renewInPause(member);
      },
    });
    this.#turnover = new Turnover(this.#members, {
      recall: (worker) => this.#ahead.recall(worker),
      close: (worker) => this.#isolates.close(worker),
      end: (member) => this.#remove(member),
      moved: (workers) => {
        for (const { lane } of workers.slice(0, warmedAgain))
          if (!lane.retired) this.warm(lane.program, defaultLimits.memoryMb);
        this.#goOn(workers);
      },
    });
    this.#watch = new Watch(
      this.#members.all,
      {
        kill: (member, why) => {
          const running = [...member.workers.values()].filter(({ job }) => job);
          const guilty = guiltyIn(member) ?? (running.length === 1 ? running[0] : undefined);
          this.#kill(member, { why, reason: why === 'silent' ? 'timeout' : 'memory', guilty });
        },
        replace: (member) => this.#turnover.replace(member),
        end: (member) => this.#remove(member),
        rest: () => {
          // A debugger may look at an isolate.
          if (!options.inspect) this.#turnover.rest();
        },
      },
      options.restMs,
    );
    this.#members.startFirst();
  }

  /** Resolves when the first child is ready. */
  get ready(): Promise<void> {
    return this.#members.ready;
  }

  get members(): ReadonlySet<Member> {
    return this.#members.all;
  }

  get queued(): number {
    return this.#lanes.queued;
  }

  get killed(): number {
    return this.#killed;
  }

  get quarantined(): string[] {
    return this.#strikes.quarantined;
  }

  /** Keeps this process alive until the first child is ready: something waits for it. */
  holdUntilReady(): void {
    this.#members.holdUntilReady();
  }

  submit(program: LaneProgram, job: Job): void {
    const lane = this.#admit(program, job);
    if (!lane) return;
    lane.retired = false;
    this.#place(lane, job);
  }

  /** Submits a job again that was given back. This does not count as a use of the program. */
  resubmit(program: LaneProgram, job: Job): void {
    const lane = this.#admit(program, job);
    if (lane) this.#place(lane, job);
  }

  #admit(program: LaneProgram, job: Job): Lane | undefined {
    const { unavailable } = this.#members;
    if (this.#closed) job.fail({ kind: 'closed' });
    else if (unavailable !== undefined) job.fail({ kind: 'unavailable', message: unavailable });
    else if (job.depth > deepestNesting) job.fail({ kind: 'depth' });
    else return this.#lanes.of(program);
    return undefined;
  }

  #place(lane: Lane, job: Job): void {
    const worker = idleIn(lane, job.fresh) ?? this.#workerFor(lane, job);
    if (worker) this.#begin(worker, job);
    else if (job.depth > 0) {
      job.fail({ kind: 'busy' });
      this.#lanes.tidy(lane);
    } else this.#wait(lane, job);
  }

  /** Prepares an isolate without running anything. */
  warm(program: LaneProgram, memoryMb: number): void {
    if (this.#closed || this.#members.unavailable !== undefined) return;
    const lane = this.#lanes.of(program);
    if (lane.workers.size === 0) this.#open(lane, memoryMb, 0);
  }

  /** Opens the isolates that describe programs. */
  expectDescriptions(): void {
    if (this.#closed || this.#members.unavailable !== undefined) return;
    const lane = this.#lanes.of(describing);
    while (lane.workers.size < this.#isolates.most(lane) && this.#open(lane, defaultLimits.memoryMb, 0)) {}
  }

  retire(programId: string): void {
    const lane = this.#lanes.find(programId);
    if (!lane) return;
    lane.retired = true;
    this.#lanes.tidy(lane);
  }

  /** The worker that a debugger of the program talks to. */
  workerOf(programId: string): Worker | undefined {
    return this.#lanes.find(programId)?.workers.values().next().value;
  }

  /** Sends a message about a worker's job to the child, unless the job has ended. */
  tell(worker: Worker, message: ToChild): void {
    if (this.#members.all.has(worker.member)) worker.member.child.post(message);
  }

  /** Stops or restarts the clocks: a debugger has paused a program, or none has any more. */
  holdClocks(held: boolean): void {
    for (const { child } of this.#members.all) child.post({ t: 'hold', held });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#feedTimer);
    this.#watch.stop();
    this.#failWaiting({ kind: 'closed' });
    for (const member of [...this.#members.all]) this.#remove(member);
    this.#members.close();
  }

  /** Opens a worker for a job that must not or need not wait. */
  #workerFor(lane: Lane, job: Job): Worker | undefined {
    if (lane.workers.size > 0 && job.depth === 0) return undefined;
    return this.#open(lane, job.memoryMb, job.depth);
  }

  #begin(worker: Worker, job: Job): void {
    worker.job = job;
    this.#running.set(job.invocation, worker);
    worker.open = true;
    worker.usedAt = monotonicMs();
    worker.member.child.hold(true);
    this.#watch.start();
    job.begin(worker);
    this.#pace(worker.lane, job);
  }

  /** When fresh invocations follow each other without a pause, a second isolate prepares contexts while the first runs. */
  #pace(lane: Lane, { fresh, memoryMb }: Job): void {
    const now = monotonicMs();
    lane.rapid = fresh && now - lane.begunAt < rapidMs ? lane.rapid + 1 : 0;
    lane.begunAt = now;
    if (lane.rapid === rapidInvocations && lane.workers.size === 1 && !this.#isolates.isAlone(lane))
      this.#open(lane, memoryMb, 0);
  }

  #wait(lane: Lane, job: Job): void {
    if (this.queued >= queuedInvocations) {
      job.fail({ kind: 'busy' });
      return;
    }
    lane.queue.push(job);
    this.#growIn(lane, lane.workers.size === 0 ? 0 : shortWaitMs);
    this.#handAhead(lane);
  }

  /** Removes a job that is no longer needed from the queue. */
  withdraw(job: Job): boolean {
    return this.#lanes.withdraw(job);
  }

  /** Opens another isolate if jobs still wait after `ms`: it costs more than a short wait. */
  #growIn(lane: Lane, ms: number): void {
    lane.growTimer ??= setTimeout(() => this.#grow(lane), ms);
  }

  #grow(lane: Lane): void {
    clearTimeout(lane.growTimer);
    lane.growTimer = undefined;
    if (this.#closed) return;
    this.#ahead.recallLate(lane);
    const ahead = aheadIn(lane);
    if (ahead) this.#growIn(lane, waitingMs);
    const first = lane.queue.first ?? (isBehind(lane) ? ahead : undefined);
    if (!first) return;
    const most = this.#isolates.most(lane);
    const beingMade = [...lane.workers].some((worker) => !worker.open);
    if (beingMade) return;
    if (lane.workers.size >= most || (lane.workers.size >= cores && !waits(lane))) {
      // By then the running ones may be waiting.
      if (most > 1) this.#growIn(lane, waitingMs);
      return;
    }
    const worker = this.#open(lane, first.memoryMb, 0);
    if (worker && lane.workers.size === 1) this.#next(worker);
  }

  #handAhead(lane: Lane): void {
    if (!isQuick(lane) || this.#isolates.isAlone(lane)) return;
    if (this.#ahead.hand(lane)) this.#growIn(lane, waitingMs);
  }

  #recalled(invocation: number): void {
    const recalled = this.#ahead.recalled(invocation);
    if (recalled) this.#again(recalled.lane, recalled.job);
  }

  #again(lane: Lane, job: Job): void {
    this.#lanes.resume(lane);
    job.again();
    this.#lanes.tidy(lane);
  }

  #open(lane: Lane, memoryMb: number, depth: number): Worker | undefined {
    const worker = this.#isolates.open(lane, memoryMb, depth);
    if (!worker) {
      this.#lanes.starve(lane);
      // A child that loads programs may have room without any of them having ended.
      this.#feedTimer ??= setTimeout(() => this.#feed(), firstLoadMs).unref();
    }
    return worker;
  }

  #ready(member: Member): void {
    if (!isBusy(member)) member.child.hold(false);
    this.#turnover.takeOver(member);
    this.#feed();
  }

  #hear(member: Member, message: FromChild): void {
    switch (message.t) {
      case 'opened':
        this.#opened(member.workers.get(message.worker));
        return;
      case 'stuck': {
        const { worker, program, reason } = message;
        this.#kill(member, { why: 'stuck', reason, guilty: member.workers.get(worker), program });
        return;
      }
      case 'inspected': {
        const worker = member.workers.get(message.worker);
        worker && this.#options.onInspected(worker, message.message);
        return;
      }
      case 'pong':
        member.busiest = message.busiest === undefined ? undefined : { worker: message.busiest, at: monotonicMs() };
        return;
      case 'ready':
      case 'unavailable':
      case 'resident':
      case 'code':
        return;
      case 'recalled':
        this.#recalled(message.invocation);
        return;
      default:
        this.#toJob(member, message);
        return;
    }
  }

  #toJob(member: Member, message: Extract<FromChild, { invocation: number }>): void {
    const worker = this.#running.get(message.invocation);
    const job = worker?.job;
    if (!job || job.invocation !== message.invocation || worker.member !== member) return;
    if (worker.loading) this.#loaded(worker);
    if (message.t === 'done') {
      learn(worker.lane, message, job.fresh);
      if (isShared(worker.lane)) member.described++;
      const isSampled = message.heapBytes !== worker.heapBytes;
      worker.heapBytes = message.heapBytes;
      this.#free(worker);
      if (isSampled) for (const surplus of surplusIn(member)) this.#isolates.close(surplus);
    }
    job.hear(message);
  }

  #opened(worker: Worker | undefined): void {
    if (!worker?.lane.workers.has(worker)) return;
    worker.open = true;
    worker.loading = false;
    if (!worker.job) this.#next(worker);
    this.#more(worker.lane);
    if (!worker.job) this.#lanes.tidy(worker.lane);
  }

  #loaded(worker: Worker): void {
    worker.loading = false;
    this.#feed();
  }

  #free(worker: Worker): void {
    if (worker.job) this.#running.delete(worker.job.invocation);
    worker.job = worker.ahead.shift();
    worker.usedAt = monotonicMs();
    if (worker.job) {
      this.#pace(worker.lane, worker.job);
      this.#handAhead(worker.lane);
      return;
    }
    if (!isBusy(worker.member)) worker.member.child.hold(false);
    if (worker.member.leaving) this.#turnover.leave(worker.member);
    else if (!worker.lane.workers.has(worker) || worker.lane.workers.size > fittingFor(worker.lane))
      this.#isolates.close(worker);
    else this.#next(worker);
    this.#lanes.tidy(worker.lane);
    this.#feed();
  }

  #next(worker: Worker): void {
    const job = worker.lane.queue.shift();
    if (!job) return;
    this.#begin(worker, job);
    this.#more(worker.lane);
    this.#handAhead(worker.lane);
  }

  #more(lane: Lane): void {
    if (lane.queue.length > 0) this.#growIn(lane, shortWaitMs);
  }

  /** Lets the lanes that wait for room in a child try again. */
  #feed(): void {
    clearTimeout(this.#feedTimer);
    this.#feedTimer = undefined;
    for (const lane of this.#lanes.feed()) {
      if (lane.workers.size === 0) this.#grow(lane);
      else this.#more(lane);
      this.#lanes.tidy(lane);
    }
  }

  /** Continues the lanes that have lost these workers. */
  #goOn(workers: readonly Worker[]): void {
    for (const { lane } of workers) {
      if (lane.queue.length > 0) this.#grow(lane);
      else this.#lanes.tidy(lane);
    }
    this.#feed();
  }

  #exited(member: Member, how: string): void {
    const { child } = member;
    const running = [...member.workers.values()].filter(({ job }) => job);
    this.#options.onProblem(
      'sandbox_child_crashed',
      `A sandbox process ended by itself (${how})${child.lastWords && `: ${child.lastWords}`}`,
    );
    const [only] = running.length === 1 ? running : [];
    this.#strikes.add(only?.lane.program.id, running);
    if (only && child.ranOutOfMemory) this.#remove(member, { kind: 'killed', reason: 'memory' }, only);
    else this.#remove(member);
  }

  #notStarted(member: Member, again: boolean): void {
    // Nothing has run in it yet, so its jobs get another worker.
    const jobs = [...member.workers.values()].flatMap(({ lane, job }) => (again && job ? [{ lane, job }] : []));
    if (again) {
      for (const worker of member.workers.values()) {
        if (worker.job) this.#running.delete(worker.job.invocation);
        worker.job = undefined;
      }
    }
    this.#remove(member);
    for (const { lane, job } of jobs) this.#again(lane, job);
    if (again && this.#members.all.size === 0) this.#members.startAgain();
  }

  #giveUp(message: string): void {
    this.#failWaiting({ kind: 'unavailable', message });
    for (const member of [...this.#members.all]) this.#remove(member, { kind: 'unavailable', message });
  }

  #kill(member: Member, { why, reason, guilty, program = guilty?.lane.program.id }: Blame): void {
    if (!this.#members.all.has(member)) return;
    const running = [...member.workers.values()].filter(({ job }) => job);
    const url = program !== undefined && this.#lanes.find(program)?.program.url;
    this.#options.onProblem(
      'sandbox_child_killed',
      `A sandbox process had to be killed (${why})${url ? ` because of ${url}` : ''}; ${running.length} invocations were running in it`,
    );
    this.#killed++;
    this.#strikes.add(program, running);
    this.#remove(member, { kind: 'killed', reason }, guilty);
  }

  /** Removes a child. Its running jobs end with `cause` – if it was killed, only the offender's –, and its waiting jobs get another isolate. */
  #remove(member: Member, cause: JobFailure = { kind: 'crashed' }, offender?: Worker): void {
    this.#members.end(member);
    const workers = [...member.workers.values()];
    // Their debuggers have lost their isolates.
    for (const worker of workers) this.#options.onInspected(worker, '');
    for (const worker of workers) worker.lane.workers.delete(worker);
    member.workers.clear();
    /** Jobs without any message yet. Even if they have begun, they have had no effect, so they run elsewhere. */
    const unheard: { lane: Lane; job: Job }[] = [];
    for (const worker of workers) {
      const { lane, job } = worker;
      worker.job = undefined;
      for (const waiting of worker.ahead) this.#running.delete(waiting.invocation);
      unheard.push(...worker.ahead.splice(0).map((waiting) => ({ lane, job: waiting })));
      if (job) this.#running.delete(job.invocation);
      job?.fail(cause.kind === 'killed' && worker !== offender ? { kind: 'crashed' } : cause);
    }
    for (const { lane } of workers) {
      if (this.#strikes.isQuarantined(lane))
        this.#turnover.letGo([...lane.workers].filter((worker) => worker.member.quarantineFor === undefined));
    }
    for (const { lane, job } of unheard) this.#again(lane, job);
    if (this.#closed || this.#members.unavailable !== undefined) return;
    this.#goOn(workers);
  }

  #failWaiting(cause: JobFailure): void {
    for (const job of this.#lanes.empty()) job.fail(cause);
  }
}
