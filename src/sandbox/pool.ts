import { monotonicMs } from '../std/index.ts';
import {
  aheadIn,
  cores,
  describing,
  fittingFor,
  guiltyIn,
  idleIn,
  inLane,
  isBehind,
  isBusy,
  isolatesFor,
  isQuick,
  isShared,
  type Job,
  type JobFailure,
  type Lane,
  type LaneProgram,
  learn,
  leastAhead,
  type Member,
  newLane,
  restingIn,
  shortWaitMs,
  surplusIn,
  surplusOf,
  type Worker,
  waitingMs,
  waits,
} from './lane.ts';
import {
  deepestNesting,
  defaultLimits,
  describedPerChild,
  describerRestMs,
  describersAtOnce,
  isolateBytes,
  isolatesPerChild,
  nestedIsolatesPerChild,
  queuedInvocations,
  recallAfterMs,
  renewPauseMs,
  surplusRestMs,
  warmedAgain,
} from './limits.ts';
import { Members, type MembersOptions } from './members.ts';
import type { FromChild, ToChild } from './protocol.ts';
import { Strikes } from './strikes.ts';
import { Watch } from './watch.ts';

export interface PoolOptions extends MembersOptions {
  readonly processes: number;
  onInspected(worker: Worker, message: string): void;
}

const rapidMs = 5;
const rapidInvocations = 20;

/** Decides which isolate in which child runs what, and what happens to the others when a child has to be killed. */
export class Pool {
  readonly #options: PoolOptions;
  readonly #members: Members;
  readonly #lanes = new Map<string, Lane>();
  readonly #strikes = new Strikes();
  /** Whose job an invocation's number names. */
  readonly #running = new Map<number, Worker>();
  /** Lanes that wait for room in a child. */
  readonly #starving = new Set<Lane>();
  readonly #watch: Watch;
  #nextWorker = 1;
  #killed = 0;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#members = new Members(options, {
      ready: (member) => this.#ready(member),
      hear: (member, message) => this.#hear(member, message),
      exited: (member, how) => this.#exited(member, how),
      notStarted: (member, again) => this.#notStarted(member, again),
      unavailable: (message) => this.#giveUp(message),
    });
    this.#watch = new Watch(this.#members.all, {
      kill: (member, why) => {
        const running = [...member.workers.values()].filter(({ job }) => job);
        const guilty = guiltyIn(member) ?? (running.length === 1 ? running[0] : undefined);
        this.#kill(member, why, guilty, why === 'silent' ? 'timeout' : 'memory');
      },
      replace: (member) => this.#replace(member),
      end: (member) => this.#remove(member, undefined, { kind: 'crashed' }),
    });
    this.#members.startFirst();
  }

  /** The first child is ready. */
  get ready(): Promise<void> {
    return this.#members.ready;
  }

  get members(): ReadonlySet<Member> {
    return this.#members.all;
  }

  get queued(): number {
    let queued = 0;
    for (const lane of this.#lanes.values()) queued += lane.queue.length;
    return queued;
  }

  get killed(): number {
    return this.#killed;
  }

  get quarantined(): string[] {
    return this.#strikes.quarantined;
  }

  /** Somebody waits for the first child: until it answers, it keeps this process alive. */
  holdUntilReady(): void {
    this.#members.holdUntilReady();
  }

  submit(program: LaneProgram, job: Job): void {
    const lane = this.#admit(program, job);
    if (!lane) return;
    lane.retired = false;
    this.#place(lane, job);
  }

  /** Once more, after it was given back: that is no sign that the program is still in use. */
  resubmit(program: LaneProgram, job: Job): void {
    const lane = this.#admit(program, job);
    if (lane) this.#place(lane, job);
  }

  #admit(program: LaneProgram, job: Job): Lane | undefined {
    const { unavailable } = this.#members;
    if (this.#closed) job.fail({ kind: 'closed' });
    else if (unavailable !== undefined) job.fail({ kind: 'unavailable', message: unavailable });
    else if (job.depth > deepestNesting) job.fail({ kind: 'depth' });
    else return this.#lane(program);
    return undefined;
  }

  #place(lane: Lane, job: Job): void {
    const worker = idleIn(lane, job.fresh) ?? this.#workerFor(lane, job);
    if (worker) this.#begin(worker, job);
    else if (job.depth > 0) {
      job.fail({ kind: 'busy' });
      this.#tidy(lane);
    } else this.#wait(lane, job);
  }

  /** Makes an isolate ready without running anything. */
  warm(program: LaneProgram, memoryMb: number): void {
    if (this.#closed || this.#members.unavailable !== undefined) return;
    const lane = this.#lane(program);
    if (lane.workers.size === 0) this.#open(lane, memoryMb, 0);
  }

  /** Opens as many isolates as describe programs at once. */
  expectDescriptions(): void {
    if (this.#closed || this.#members.unavailable !== undefined) return;
    const lane = this.#lane(describing);
    while (lane.workers.size < this.#most(lane) && this.#open(lane, defaultLimits.memoryMb, 0)) {}
  }

  retire(programId: string): void {
    const lane = this.#lanes.get(programId);
    if (!lane) return;
    lane.retired = true;
    this.#tidy(lane);
  }

  /** The isolate that a debugger of the program talks to. */
  workerOf(programId: string): Worker | undefined {
    return this.#lanes.get(programId)?.workers.values().next().value;
  }

  /** Says something about a worker's job to the child; nothing, once the job has ended. */
  tell(worker: Worker, message: ToChild): void {
    if (this.#members.all.has(worker.member)) worker.member.child.post(message);
  }

  close(): void {
    this.#closed = true;
    this.#watch.stop();
    this.#failWaiting({ kind: 'closed' });
    for (const member of [...this.#members.all]) this.#remove(member, undefined, { kind: 'crashed' });
    this.#members.close();
  }

  #lane(program: LaneProgram): Lane {
    let lane = this.#lanes.get(program.id);
    if (!lane) {
      lane = newLane(program);
      this.#lanes.set(program.id, lane);
    }
    return lane;
  }

  /** A new worker for a job that must not or need not wait. */
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

  /** Where fresh invocations come one after another without a pause, a second isolate makes contexts while the first runs. */
  #pace(lane: Lane, { fresh, memoryMb }: Job): void {
    const now = monotonicMs();
    lane.rapid = fresh && now - lane.begunAt < rapidMs ? lane.rapid + 1 : 0;
    lane.begunAt = now;
    const alone = this.#options.inspect || this.#strikes.isQuarantined(lane);
    if (lane.rapid === rapidInvocations && lane.workers.size === 1 && !alone) this.#open(lane, memoryMb, 0);
  }

  #wait(lane: Lane, job: Job): void {
    if (this.queued >= queuedInvocations) {
      job.fail({ kind: 'busy' });
      return;
    }
    lane.queue.push(job);
    this.#handAhead(lane);
    this.#growIn(lane, lane.workers.size === 0 ? 0 : shortWaitMs);
  }

  /** Takes a job out of the queue, when nobody needs it any more. */
  withdraw(job: Job): boolean {
    for (const lane of this.#lanes.values()) if (lane.queue.remove(job)) return true;
    return false;
  }

  /** Another isolate costs more than a short wait: it is made when the wait is not short. */
  #growIn(lane: Lane, ms: number): void {
    lane.growTimer ??= setTimeout(() => this.#grow(lane), ms);
  }

  #grow(lane: Lane): void {
    lane.growTimer = undefined;
    if (this.#closed) return;
    this.#recallLate(lane);
    const ahead = aheadIn(lane);
    if (ahead) this.#growIn(lane, waitingMs);
    const first = lane.queue.first ?? (isBehind(lane) ? ahead : undefined);
    if (!first) return;
    const most = this.#most(lane);
    const beingMade = [...lane.workers].some((worker) => !worker.open);
    if (beingMade) return;
    if (lane.workers.size >= most || (lane.workers.size >= cores && !waits(lane))) {
      // Those that run may wait by then.
      if (most > 1) this.#growIn(lane, waitingMs);
      return;
    }
    const worker = this.#open(lane, first.memoryMb, 0);
    if (worker && lane.workers.size === 1) this.#next(worker);
  }

  /** Gives quick jobs that wait to workers that still run others, so that these go on without a way to here and back. */
  #handAhead(lane: Lane): void {
    if (!isQuick(lane) || this.#options.inspect || this.#strikes.isQuarantined(lane)) return;
    for (;;) {
      const job = lane.queue.first;
      const worker = job?.mayFollow ? leastAhead(lane) : undefined;
      if (!job || !worker) return;
      lane.queue.shift();
      worker.ahead.push(job);
      this.#running.set(job.invocation, worker);
      job.begin(worker);
    }
  }

  /** Who takes longer than usual holds up nobody else. */
  #recallLate(lane: Lane): void {
    const now = monotonicMs();
    for (const worker of lane.workers) {
      if (worker.ahead.length > 0 && now - worker.usedAt >= recallAfterMs) this.#recall(worker);
    }
  }

  /** What waits behind another invocation is given back, should it not have begun. */
  #recall({ id, ahead, member }: Worker): void {
    for (const { invocation } of ahead) member.child.post({ t: 'recall', worker: id, invocation });
  }

  /** It had not begun: it waits with the others again. */
  #recalled(invocation: number): void {
    const worker = this.#running.get(invocation);
    const at = worker?.ahead.findIndex((job) => job.invocation === invocation) ?? -1;
    const [job] = worker?.ahead.splice(at, at < 0 ? 0 : 1) ?? [];
    if (!worker || !job) return;
    this.#running.delete(invocation);
    job.again();
  }

  #most(lane: Lane): number {
    if (this.#options.inspect || this.#strikes.isQuarantined(lane)) return 1;
    return isShared(lane) ? Math.min(cores, describersAtOnce) : isolatesFor(lane);
  }

  #open(lane: Lane, memoryMb: number, depth: number): Worker | undefined {
    const member = this.#memberFor(lane, depth);
    if (!member) {
      this.#starving.add(lane);
      return undefined;
    }
    const worker: Worker = {
      id: this.#nextWorker++,
      lane,
      member,
      job: undefined,
      ahead: [],
      open: false,
      usedAt: monotonicMs(),
      heapBytes: 0,
    };
    const known = [...member.workers.values()].some((other) => other.lane === lane);
    if (isShared(lane)) member.child.post({ t: 'open-describer', worker: worker.id });
    else {
      if (!known) member.child.post({ t: 'program', ...lane.program });
      member.child.post({ t: 'open', worker: worker.id, program: lane.program.id, memoryMb });
    }
    member.workers.set(worker.id, worker);
    lane.workers.add(worker);
    return worker;
  }

  #memberFor(lane: Lane, depth: number): Member | undefined {
    if (this.#strikes.isQuarantined(lane)) return this.#quarantineFor(lane, depth);
    const usual = this.#members.usual();
    // A program's isolates live together: should it take its child along, fewer others are in it; and one child costs half
    // the memory of two, at the same throughput.
    usual.sort(
      (a, b) =>
        inLane(b, lane) - inLane(a, lane) || Number(b.ready) - Number(a.ready) || a.workers.size - b.workers.size,
    );
    const best = usual[0];
    const mayFork = usual.length < this.#options.processes;
    if (!best) return this.#members.start();
    if (mayFork && best.workers.size >= isolatesPerChild / 2) this.#members.startSoon(this.#options.processes);
    return this.#makeRoomIn(best, depth) ? best : undefined;
  }

  /** Gives up the isolate that was not used for longest. Where all are busy, a nested invocation gets one above the number. */
  #makeRoomIn(member: Member, depth: number): boolean {
    if (member.workers.size < isolatesPerChild) return true;
    const oldest = restingIn(member).sort((a, b) => a.usedAt - b.usedAt)[0];
    if (oldest) this.#closeWorker(oldest);
    return oldest !== undefined || (depth > 0 && member.workers.size < isolatesPerChild + nestedIsolatesPerChild);
  }

  #quarantineFor(lane: Lane, depth: number): Member | undefined {
    const { id } = lane.program;
    const others: Member[] = [];
    for (const member of this.#members.all) {
      if (member.quarantineFor === id) return member;
      if (member.quarantineFor !== undefined) others.push(member);
    }
    const idle = others.find((member) => !isBusy(member));
    if (idle) this.#remove(idle, undefined, { kind: 'crashed' });
    else if (others.length > 0 && depth === 0) return undefined;
    return this.#members.start(id);
  }

  #ready(member: Member): void {
    if (!isBusy(member)) member.child.hold(false);
    this.#takeOver(member);
    this.#feed();
  }

  #hear(member: Member, message: FromChild): void {
    switch (message.t) {
      case 'opened':
        this.#opened(member.workers.get(message.worker));
        return;
      case 'stuck':
        this.#kill(member, 'stuck', member.workers.get(message.worker), message.reason, message.program);
        return;
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
    if (message.t === 'done') {
      learn(worker.lane, message);
      if (isShared(worker.lane)) member.described++;
      worker.heapBytes = message.heapBytes;
      this.#free(worker);
      if (message.heapBytes > isolateBytes) for (const surplus of surplusIn(member)) this.#closeWorker(surplus);
    }
    job.hear(message);
  }

  #opened(worker: Worker | undefined): void {
    if (!worker) return;
    worker.open = true;
    if (!worker.job) this.#next(worker);
    this.#more(worker.lane);
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
    if (worker.member.leaving) this.#leave(worker.member);
    else if (worker.lane.workers.size > fittingFor(worker.lane)) this.#closeWorker(worker);
    else this.#next(worker);
    this.#tidy(worker.lane);
    this.#feed();
  }

  #next(worker: Worker): void {
    const job = worker.lane.queue.shift();
    if (!job) return;
    this.#begin(worker, job);
    this.#handAhead(worker.lane);
    this.#more(worker.lane);
  }

  #more(lane: Lane): void {
    if (lane.queue.length > 0) this.#growIn(lane, shortWaitMs);
  }

  /** Whoever waits for room in a child may try again. */
  #feed(): void {
    for (const lane of this.#starving) {
      this.#starving.delete(lane);
      this.#more(lane);
    }
  }

  /** Closes isolates that are not needed any more: of a replaced program, and in a while those above the usual number. */
  #tidy(lane: Lane): void {
    if (lane.retired && lane.queue.length === 0) {
      for (const worker of [...lane.workers]) if (!worker.job) this.#closeWorker(worker);
    }
    if (isShared(lane)) this.#rest(lane);
    else if (surplusOf(lane).length > 0) this.#shrink(lane);
    if (lane.workers.size === 0 && lane.queue.length === 0) {
      // What still runs in a child that leaves has a lane that another one may have followed.
      if (this.#lanes.get(lane.program.id) === lane) this.#lanes.delete(lane.program.id);
      this.#starving.delete(lane);
    }
  }

  #shrink(lane: Lane): void {
    clearTimeout(lane.restTimer);
    lane.restTimer = setTimeout(() => {
      for (const worker of surplusOf(lane)) this.#closeWorker(worker);
    }, surplusRestMs).unref();
  }

  #rest(lane: Lane): void {
    clearTimeout(lane.restTimer);
    lane.restTimer = setTimeout(() => {
      if (lane.queue.length > 0 || [...lane.workers].some(({ job }) => job)) return;
      const members = new Set([...lane.workers].map(({ member }) => member));
      for (const worker of [...lane.workers]) this.#closeWorker(worker);
      if (this.#lanes.get(lane.program.id) === lane) this.#lanes.delete(lane.program.id);
      for (const member of members) if (member.described >= describedPerChild) this.#renewInPause(member);
    }, describerRestMs).unref();
  }

  /** While functions are invoked in it again and again, somebody works on them, and would wait for those that go with it. */
  #renewInPause(member: Member): void {
    if (!this.#members.all.has(member) || member.described < describedPerChild) return;
    const usedAt = Math.max(0, ...[...member.workers.values()].map((worker) => worker.usedAt));
    const pauseMs = isBusy(member) ? 0 : monotonicMs() - usedAt;
    if (pauseMs >= renewPauseMs) this.#replace(member);
    else setTimeout(() => this.#renewInPause(member), renewPauseMs - pauseMs).unref();
  }

  /** Another child is started, one at a time; when it is ready it takes what comes, and this one goes when nothing runs in it. */
  #replace(member: Member): void {
    const underWay = [...this.#members.all].some(({ insteadOf, leaving }) => insteadOf || leaving);
    if (this.#closed || underWay || member.quarantineFor !== undefined) return;
    member.described = 0;
    this.#members.start().insteadOf = member;
  }

  #takeOver(member: Member): void {
    const { insteadOf } = member;
    member.insteadOf = undefined;
    if (!insteadOf || !this.#members.all.has(insteadOf)) return;
    insteadOf.leaving = true;
    const workers = [...insteadOf.workers.values()].sort((a, b) => b.usedAt - a.usedAt);
    for (const worker of workers) {
      // Its lane runs what comes elsewhere.
      worker.lane.workers.delete(worker);
      if (worker.job) this.#recall(worker);
      else this.#closeWorker(worker);
    }
    this.#leave(insteadOf);
    for (const { lane } of workers.slice(0, warmedAgain))
      if (!lane.retired) this.warm(lane.program, defaultLimits.memoryMb);
    this.#goOn(workers);
  }

  #leave(member: Member): void {
    if (!isBusy(member)) this.#remove(member, undefined, { kind: 'crashed' });
  }

  /** Their lanes have lost them. */
  #goOn(workers: readonly Worker[]): void {
    for (const { lane } of workers) {
      if (lane.queue.length > 0) this.#grow(lane);
      else this.#tidy(lane);
    }
    this.#feed();
  }

  #closeWorker(worker: Worker): void {
    worker.lane.workers.delete(worker);
    worker.member.workers.delete(worker.id);
    worker.member.child.post({ t: 'close', worker: worker.id });
  }

  #exited(member: Member, how: string): void {
    const { child } = member;
    const running = [...member.workers.values()].filter(({ job }) => job);
    this.#options.onProblem(
      'sandbox_child_crashed',
      `A sandbox process ended by itself (${how})${child.lastWords && `: ${child.lastWords.trim()}`}`,
    );
    this.#strikes.add(running.length === 1 ? running[0]?.lane.program.id : undefined, running);
    this.#remove(member, undefined, { kind: 'crashed' });
  }

  #notStarted(member: Member, again: boolean): void {
    // Nothing has run in it yet: whoever waited for it is given another one.
    const jobs = [...member.workers.values()].flatMap(({ job }) => (again && job ? [job] : []));
    if (again) {
      for (const worker of member.workers.values()) {
        if (worker.job) this.#running.delete(worker.job.invocation);
        worker.job = undefined;
      }
    }
    this.#remove(member, undefined, { kind: 'crashed' });
    for (const job of jobs) job.again();
    if (again && this.#members.all.size === 0) this.#members.startAgain();
  }

  #giveUp(message: string): void {
    this.#failWaiting({ kind: 'unavailable', message });
    for (const member of [...this.#members.all]) this.#remove(member, undefined, { kind: 'unavailable', message });
  }

  /**
   * @param guilty whose invocation ends by `reason`; the others in that child crash
   * @param program what does not stop, where that is no invocation's any more
   */
  #kill(
    member: Member,
    why: string,
    guilty: Worker | undefined,
    reason: 'timeout' | 'memory',
    program = guilty?.lane.program.id,
  ): void {
    if (!this.#members.all.has(member)) return;
    const running = [...member.workers.values()].filter(({ job }) => job);
    const url = program !== undefined && this.#lanes.get(program)?.program.url;
    this.#options.onProblem(
      'sandbox_child_killed',
      `A sandbox process had to be killed (${why})${url ? ` because of ${url}` : ''}; ${running.length} invocations were running in it`,
    );
    this.#killed++;
    this.#strikes.add(program, running);
    this.#remove(member, guilty, { kind: 'killed', reason });
  }

  /** The child goes; the offender's job ends by `cause`, others crash, what waits is given another isolate. */
  #remove(member: Member, offender: Worker | undefined, cause: JobFailure): void {
    this.#members.end(member);
    const workers = [...member.workers.values()];
    for (const worker of workers) worker.lane.workers.delete(worker);
    member.workers.clear();
    /** Nothing was heard of them, so whatever they may have begun has had no effect: they are run elsewhere. */
    const unheard: Job[] = [];
    for (const worker of workers) {
      const { job } = worker;
      worker.job = undefined;
      for (const waiting of worker.ahead) this.#running.delete(waiting.invocation);
      unheard.push(...worker.ahead.splice(0));
      if (job) this.#running.delete(job.invocation);
      job?.fail(cause.kind === 'killed' && worker !== offender ? { kind: 'crashed' } : cause);
    }
    for (const job of unheard) job.again();
    if (this.#closed || this.#members.unavailable !== undefined) return;
    this.#goOn(workers);
  }

  #failWaiting(cause: JobFailure): void {
    for (const lane of this.#lanes.values()) {
      clearTimeout(lane.growTimer);
      for (const job of lane.queue.empty()) job.fail(cause);
    }
  }
}
