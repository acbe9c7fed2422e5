import { monotonicMs } from '../../std/index.ts';
import type { Child } from '../child-process.ts';
import { aheadPerIsolate, recallAfterMs } from '../limits.ts';
import type { FromChild } from '../protocol.ts';
import { Queue } from './queue.ts';

/** A unit of work for the pool. It is given a worker, and then either the child's messages or the reason why there are none. */
export interface Job {
  readonly depth: number;
  readonly memoryMb: number;
  /** Whether it needs an unused context. */
  readonly fresh: boolean;
  /** Identifies the job in the child's messages. */
  readonly invocation: number;
  /** Whether it may be sent to a worker that is still running another job. */
  readonly mayFollow: boolean;
  begin(worker: Worker): void;
  /** Called when the worker has not begun it, and will not: it is submitted again if it is still wanted. */
  again(): void;
  hear(message: FromChild): void;
  /** Called when it will not be run, or its child is gone. */
  fail(cause: JobFailure): void;
}

export type JobFailure =
  | { kind: 'busy' | 'depth' | 'crashed' | 'closed' }
  | { kind: 'killed'; reason: 'timeout' | 'memory' }
  | { kind: 'unavailable'; message: string };

/** The parent's view of one isolate in a child. */
export interface Worker {
  readonly id: number;
  readonly lane: Lane;
  readonly member: Member;
  job: Job | undefined;
  /** Jobs that the child has as well; it begins each when the one before has ended. */
  readonly ahead: Job[];
  /** Ready for any invocation; false while it is being created for those that wait. */
  open: boolean;
  /** Nothing has been heard of it: it is probably still loading its program. */
  loading: boolean;
  usedAt: number;
  /** Heap of its isolate after the last sample, in bytes. Not every invocation is sampled. */
  heapBytes: number;
}

export interface LaneProgram {
  readonly id: string;
  readonly url: string;
  readonly code: string;
  /** For the debugger only. */
  readonly map?: string | undefined;
}

/** The isolates of one program, and the jobs that wait for them. */
export interface Lane {
  readonly program: LaneProgram;
  readonly workers: Set<Worker>;
  readonly queue: Queue;
  retired: boolean;
  /** Number of fresh invocations that followed each other faster than contexts are created. */
  rapid: number;
  begunAt: number;
  /** How long its invocations wait without using the processor; a moving average, in milliseconds. */
  idleMs: number;
  /** How long its invocations take; a moving average in milliseconds, undefined before the first one. */
  wallMs: number | undefined;
  /** The largest recent heap of its isolates, in bytes. */
  heapBytes: number;
  /** The smallest heap of its isolates after a fresh invocation, in bytes: that after the first one. 0 before it, and if all were warm. */
  firstHeapBytes: number;
  growTimer: NodeJS.Timeout | undefined;
  /** Closes the isolates that describe programs after a while without any. */
  restTimer: NodeJS.Timeout | undefined;
}

/** A child process and the workers in it. */
export interface Member {
  readonly child: Child;
  readonly workers: Map<number, Worker>;
  /** The only program of this child: its earlier child had to be killed. */
  readonly quarantineFor: string | undefined;
  ready: boolean;
  /** Number of programs that were described in shared isolates. */
  described: number;
  /** The child that leaves when this one is ready. */
  insteadOf: Member | undefined;
  /** Gets no new jobs, and ends when its current ones are done. */
  leaving: boolean;
  /** The worker that used the most CPU when the child last reported, and when that was. */
  busiest: { worker: number; at: number } | undefined;
}

/** Stands for all programs that are described in shared isolates. No real program has an empty id. */
export const describing: LaneProgram = { id: '', url: '', code: '' };

/** A lane in which nothing has run. */
export function newLane(program: LaneProgram): Lane {
  return {
    program,
    workers: new Set(),
    queue: new Queue(),
    retired: false,
    rapid: 0,
    begunAt: 0,
    idleMs: 0,
    wallMs: undefined,
    heapBytes: 0,
    firstHeapBytes: 0,
    growTimer: undefined,
    restTimer: undefined,
  };
}

/** A worker without a job. */
export function newWorker(id: number, lane: Lane, member: Member): Worker {
  return {
    id,
    lane,
    member,
    job: undefined,
    ahead: [],
    open: false,
    loading: true,
    usedAt: monotonicMs(),
    heapBytes: 0,
  };
}

/** The busy worker with the fewest queued jobs that can take one more. */
export function leastAhead({ workers }: Lane): Worker | undefined {
  let best: Worker | undefined;
  const now = monotonicMs();
  for (const worker of workers) {
    const { job, ahead, usedAt } = worker;
    if (!job || now - usedAt >= recallAfterMs) continue;
    if (ahead.length < aheadPerIsolate && (!best || ahead.length < best.ahead.length)) best = worker;
  }
  return best;
}

/** A job that waits in a child. */
export function aheadIn({ workers }: Lane): Job | undefined {
  for (const { ahead } of workers) if (ahead[0]) return ahead[0];
  return undefined;
}

/** Whether programs share its isolates, so that no failure can be blamed on one of them. */
export function isShared(lane: Lane): boolean {
  return lane.program.id === describing.id;
}

export function isBusy(member: Member): boolean {
  for (const { job } of member.workers.values()) if (job) return true;
  return false;
}

/** Workers that are not needed at the moment. */
export function restingIn(member: Member): Worker[] {
  return [...member.workers.values()].filter(({ job, lane }) => !job && lane.queue.length === 0);
}

export function inLane(member: Member, lane: Lane): number {
  let count = 0;
  for (const worker of member.workers.values()) if (worker.lane === lane) count++;
  return count;
}

/**
 * For a fresh invocation, the worker that has rested longest: it had the most time to prepare contexts. For a warm one, the
 * last one used: it has the state.
 */
export function idleIn(lane: Lane, fresh: boolean): Worker | undefined {
  let best: Worker | undefined;
  for (const worker of lane.workers) {
    if (!worker.job && (worker.open || lane.workers.size === 1) && (!best || worker.usedAt < best.usedAt === fresh))
      best = worker;
  }
  return best;
}

/** The worker that the child last reported as busiest: the likeliest cause. */
export function guiltyIn(member: Member): Worker | undefined {
  const { busiest } = member;
  if (!busiest || monotonicMs() - busiest.at > 1_000) return undefined;
  const worker = member.workers.get(busiest.worker);
  return worker?.job ? worker : undefined;
}
