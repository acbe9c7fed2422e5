import { availableParallelism } from 'node:os';
import { monotonicMs } from '../../std/index.ts';
import {
  garbageFactor,
  isolatesPerCore,
  keptBytes,
  notQuickMs,
  quickWallMs,
  waitingIsolateBytes,
  waitsLongMs,
} from '../limits.ts';
import { isShared, type Lane, type Worker } from './lane.ts';

// How many isolates a program can use, judged by its invocations so far.

export const cores = availableParallelism();
/** An invocation that has run this long is assumed to be waiting rather than computing. */
export const waitingMs = 20;
/** A longer wait costs more than another isolate. */
export const shortWaitMs = 5;

interface Used {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly heapBytes: number;
}

/** Updates what the next invocations are expected to take. */
export function learn(lane: Lane, { wallMs, cpuMs, heapBytes }: Used, fresh: boolean): void {
  lane.idleMs = 0.8 * lane.idleMs + 0.2 * Math.max(0, wallMs - cpuMs);
  lane.wallMs = lane.wallMs === undefined ? wallMs : 0.8 * lane.wallMs + 0.2 * wallMs;
  lane.heapBytes = Math.max(heapBytes, 0.95 * lane.heapBytes);
  if (fresh && heapBytes > 0) lane.firstHeapBytes = Math.min(heapBytes, lane.firstHeapBytes || heapBytes);
}

export function isQuick({ wallMs }: Lane): boolean {
  return wallMs !== undefined && wallMs < quickWallMs;
}

/** Whether queued jobs would wait long although there is a processor for one more isolate. */
export function isBehind({ workers, wallMs = 0 }: Lane): boolean {
  let waiting = 0;
  for (const { ahead } of workers) waiting += ahead.length;
  return workers.size < cores && waiting * wallMs > shortWaitMs;
}

/** Whether its invocations mostly wait. Only then do more isolates than cores finish more of them; otherwise they just take memory. */
export function waits(lane: Lane): boolean {
  return lane.idleMs > 3 || allRunFor(lane, waitingMs);
}

/** Whether none of its isolates has been free for this long. */
function allRunFor({ workers }: Lane, ms: number): boolean {
  const now = monotonicMs();
  return [...workers].every((worker) => worker.job && now - worker.usedAt > ms);
}

const usualIsolates = isolatesPerCore * cores;
/**
 * For quick invocations, more isolates only take memory. Besides, isolated-vm keeps one thread more than there are cores; for any further
 * isolate it starts a thread at almost every entry.
 */
const quickIsolates = Math.max(2, cores);

/**
 * How many isolates a program may have at once. A waiting isolate takes memory but no processor, so a program whose invocations wait gets as
 * many as fit.
 */
export function isolatesFor(lane: Lane): number {
  const most = fittingFor(lane);
  if (lane.idleMs > waitsLongMs) return most;
  // A quick program may have a slow invocation now and then; the others should not wait for it.
  const isQuickNow = isQuick(lane) && !allRunFor(lane, notQuickMs);
  return Math.min(isQuickNow ? quickIsolates : usualIsolates, most);
}

/** How many of its isolates fit into the memory of a child, garbage included. Unknown until the first invocation has ended. */
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
