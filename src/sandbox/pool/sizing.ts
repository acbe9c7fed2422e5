import { availableParallelism } from 'node:os';
import { monotonicMs } from '../../std/index.ts';
import {
  garbageFactor,
  isolateBytes,
  isolatesPerCore,
  keptBytes,
  notQuickMs,
  quickWallMs,
  waitingIsolateBytes,
  waitsLongMs,
} from '../limits.ts';
import { isShared, type Lane, type Member, restingIn, type Worker } from './lane.ts';

// How many isolates a program has use for, judged by what its invocations have taken so far, and which ones are too many.

export const cores = availableParallelism();
/** Invocations that took so long without an end are waited for, not computed. */
export const waitingMs = 20;
/** A longer wait costs more than another isolate. */
export const shortWaitMs = 5;

interface Used {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly heapBytes: number;
}

/** Updates the expected costs of further invocations with those of a finished one. */
export function learn(lane: Lane, { wallMs, cpuMs, heapBytes }: Used): void {
  lane.idleMs = 0.8 * lane.idleMs + 0.2 * Math.max(0, wallMs - cpuMs);
  lane.wallMs = lane.wallMs === undefined ? wallMs : 0.8 * lane.wallMs + 0.2 * wallMs;
  lane.heapBytes = Math.max(heapBytes, 0.95 * lane.heapBytes);
}

export function isQuick({ wallMs }: Lane): boolean {
  return wallMs !== undefined && wallMs < quickWallMs;
}

/** Whether the invocations waiting in the child would wait long while a processor is free for one more isolate. */
export function isBehind({ workers, wallMs = 0 }: Lane): boolean {
  let waiting = 0;
  for (const { ahead } of workers) waiting += ahead.length;
  return workers.size < cores && waiting * wallMs > shortWaitMs;
}

/** Its invocations mostly wait: then more isolates than cores finish more of them. Otherwise they only cost memory. */
export function waits(lane: Lane): boolean {
  return lane.idleMs > 3 || allRunFor(lane, waitingMs);
}

/** None of its isolates has been free for so long. */
function allRunFor({ workers }: Lane, ms: number): boolean {
  const now = monotonicMs();
  return [...workers].every((worker) => worker.job && now - worker.usedAt > ms);
}

const usualIsolates = isolatesPerCore * cores;
/**
 * More finish no more of what is quick, and take memory; and isolated-vm keeps one thread more than there are cores: for a further isolate
 * it starts one at almost every entry.
 */
const quickIsolates = Math.max(2, cores);

/**
 * Isolates that it may have at once. One that waits for an answer keeps no processor busy, only memory: of a program whose invocations
 * wait there are as many as fit.
 */
export function isolatesFor(lane: Lane): number {
  const most = fittingFor(lane);
  if (lane.idleMs > waitsLongMs) return most;
  // A quick one, too, has an invocation now and then that is not; the others do not wait for that.
  const isQuickNow = isQuick(lane) && !allRunFor(lane, notQuickMs);
  return Math.min(isQuickNow ? quickIsolates : usualIsolates, most);
}

/** So many of its isolates take what those of a child may keep, with what is garbage by then. Nothing is known before the first end. */
export function fittingFor(lane: Lane): number {
  if (lane.wallMs === undefined || isShared(lane)) return usualIsolates;
  return Math.max(1, Math.floor(keptBytes / Math.max(waitingIsolateBytes, garbageFactor * lane.heapBytes)));
}

/** The workers that a program no longer needs once its invocations have stopped waiting. */
export function surplusOf({ workers }: Lane): Worker[] {
  const over = workers.size - usualIsolates;
  if (over <= 0) return [];
  const resting = [...workers].filter(({ job }) => !job);
  return resting.sort((a, b) => a.usedAt - b.usedAt).slice(0, over);
}

/**
 * Resting ones to be given up because the isolates of the child keep more than `keptBytes` together: first those that are big and
 * were not used for long.
 */
export function surplusIn(member: Member): Worker[] {
  const now = monotonicMs();
  const taken = ({ heapBytes }: Worker) => Math.max(heapBytes, isolateBytes);
  const weight = (worker: Worker) => taken(worker) * (now - worker.usedAt);
  let tooMuch = -keptBytes;
  for (const worker of member.workers.values()) tooMuch += taken(worker);
  if (tooMuch <= 0) return [];
  const surplus: Worker[] = [];
  for (const worker of restingIn(member).sort((a, b) => weight(b) - weight(a))) {
    if (tooMuch <= 0) break;
    tooMuch -= taken(worker);
    surplus.push(worker);
  }
  return surplus;
}
