import { monotonicMs } from '../../std/index.ts';
import type { Child } from '../child-process.ts';
import { aheadPerIsolate, recallAfterMs } from '../limits.ts';
import type { FromChild } from '../protocol.ts';
import { Queue } from './queue.ts';

/** A job of the pool: it receives a worker, the child's messages about it, or the reason for an end without a message. */
export interface Job {
  readonly depth: number;
  readonly memoryMb: number;
  /** It needs a context that nobody has used. */
  readonly fresh: boolean;
  /** The number by which the child's messages name it. */
  readonly invocation: number;
  /** It may be told to a worker that still runs another one. */
  readonly mayFollow: boolean;
  begin(worker: Worker): void;
  /** Called when a worker has not begun the job and will not: it is submitted again if it is still wanted. */
  again(): void;
  hear(message: FromChild): void;
  /** It will not be run, or its child is gone. */
  fail(cause: JobFailure): void;
}

export type JobFailure =
  | { kind: 'busy' | 'depth' | 'crashed' | 'closed' }
  | { kind: 'killed'; reason: 'timeout' | 'memory' }
  | { kind: 'unavailable'; message: string };

/** One isolate's place in a child, as the parent knows it. */
export interface Worker {
  readonly id: number;
  readonly lane: Lane;
  readonly member: Member;
  job: Job | undefined;
  /** The child has these too, and begins each when the one before it has ended. */
  readonly ahead: Job[];
  /** Ready for any invocation; false while it is being made for those that wait. */
  open: boolean;
  usedAt: number;
  /** Its isolate's heap after what ran last; not looked at after every invocation. */
  heapBytes: number;
}

export interface LaneProgram {
  readonly id: string;
  readonly url: string;
  readonly code: string;
  /** For the debugger only. */
  readonly map?: string | undefined;
}

/** All there is of one program: its isolates, and what waits for them. */
export interface Lane {
  readonly program: LaneProgram;
  readonly workers: Set<Worker>;
  readonly queue: Queue;
  retired: boolean;
  /** Fresh invocations that followed each other faster than contexts are made. */
  rapid: number;
  begunAt: number;
  /** How long its invocations wait for others rather than use the processor; a moving average. */
  idleMs: number;
  /** How long its invocations take; a moving average, undefined before the first one. */
  wallMs: number | undefined;
  /** The largest heap of its isolates of late. */
  heapBytes: number;
  growTimer: NodeJS.Timeout | undefined;
  /** Gives up the isolates that describe programs, when none was for a while. */
  restTimer: NodeJS.Timeout | undefined;
}

/** A child and who lives in it. */
export interface Member {
  readonly child: Child;
  readonly workers: Map<number, Worker>;
  /** The one program that this child exists for, because it once had to be killed. */
  readonly quarantineFor: string | undefined;
  ready: boolean;
  /** Programs that were described in isolates they share. */
  described: number;
  /** The one that goes when this one is ready. */
  insteadOf: Member | undefined;
  /** It is given nothing to run any more, and goes when it has ended what it was given. */
  leaving: boolean;
  /** The worker that used most CPU when the child last answered, and when that was. */
  busiest: { worker: number; at: number } | undefined;
}

/** Stands for all programs that are described in isolates they share; no program's id is empty. */
export const describing: LaneProgram = { id: '', url: '', code: '' };

/** A lane before anything ran in it. */
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
    growTimer: undefined,
    restTimer: undefined,
  };
}

/** A worker that is given nothing to run yet. */
export function newWorker(id: number, lane: Lane, member: Member): Worker {
  return { id, lane, member, job: undefined, ahead: [], open: false, usedAt: monotonicMs(), heapBytes: 0 };
}

/** A busy worker that takes one more, of those the one that has least to do. */
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

/** One of those that wait in a child. */
export function aheadIn({ workers }: Lane): Job | undefined {
  for (const { ahead } of workers) if (ahead[0]) return ahead[0];
  return undefined;
}

/** Nothing that goes wrong there is any one program's fault. */
export function isShared(lane: Lane): boolean {
  return lane.program.id === describing.id;
}

export function isBusy(member: Member): boolean {
  for (const { job } of member.workers.values()) if (job) return true;
  return false;
}

/** The idle workers of a member whose lanes have nothing queued. */
export function restingIn(member: Member): Worker[] {
  return [...member.workers.values()].filter(({ job, lane }) => !job && lane.queue.length === 0);
}

export function inLane(member: Member, lane: Lane): number {
  let count = 0;
  for (const worker of member.workers.values()) if (worker.lane === lane) count++;
  return count;
}

/**
 * For a fresh invocation the worker that has rested longest, since it had most time to make contexts ready; for a warm one the
 * last, since it has the state.
 */
export function idleIn(lane: Lane, fresh: boolean): Worker | undefined {
  let best: Worker | undefined;
  for (const worker of lane.workers) {
    if (!worker.job && (worker.open || lane.workers.size === 1) && (!best || worker.usedAt < best.usedAt === fresh))
      best = worker;
  }
  return best;
}

/** The child said who was at work a moment ago; that is the likeliest cause. */
export function guiltyIn(member: Member): Worker | undefined {
  const { busiest } = member;
  if (!busiest || monotonicMs() - busiest.at > 1_000) return undefined;
  const worker = member.workers.get(busiest.worker);
  return worker?.job ? worker : undefined;
}
