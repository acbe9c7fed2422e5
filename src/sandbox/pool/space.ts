import { monotonicMs } from '../../std/index.ts';
import {
  codeFactor,
  crowdedResidentBytes,
  firstLoadMs,
  firstLoadsPerCore,
  garbageFactor,
  grownFactor,
  isolateBytes,
  keptBytes,
  mostFirstLoads,
  mostGrownBytes,
  mostGuessedBytes,
  roomInChild,
} from '../limits.ts';
import { isBusy, type Lane, type Member, restingIn, type Worker } from './lane.ts';
import { cores } from './sizing.ts';

// How much memory isolates take, whether a child has room for another one, and which ones have to be closed.

/** What an isolate of the program takes in its process in the long run. */
function bytesFor({ firstHeapBytes, heapBytes, program }: Lane): number {
  if (firstHeapBytes > 0) return times(grownFactor, firstHeapBytes);
  return heapBytes > 0
    ? times(garbageFactor, heapBytes)
    : Math.max(isolateBytes, Math.min(program.code.length * codeFactor, mostGuessedBytes));
}

/** The same for one that may keep more than others. */
function bytesOf({ heapBytes, lane }: Worker): number {
  return Math.max(times(garbageFactor, heapBytes), bytesFor(lane));
}

function times(factor: number, heapBytes: number): number {
  return Math.max(isolateBytes, Math.min(heapBytes * factor, heapBytes + mostGrownBytes));
}

/** What the isolates of a child take. @param most what is counted of one at most */
export function takenIn(member: Member, most = Number.POSITIVE_INFINITY): number {
  let bytes = 0;
  for (const worker of member.workers.values()) bytes += Math.min(bytesOf(worker), most);
  return bytes;
}

/** How full a child is: at 1 it has as many isolates as it should have, or they take as much as they should. */
export function fullness(member: Member): number {
  return Math.max(member.workers.size / roomInChild.isolates, takenIn(member) / roomInChild.bytes);
}

/**
 * The idle workers to close, least recently used first, so that a child has room for one more isolate.
 * @param most what it may have then
 * @returns undefined if that is not enough
 */
export function closedFor(lane: Lane, member: Member, most: typeof roomInChild): Worker[] | undefined {
  let count = member.workers.size + 1;
  let bytes = takenIn(member) + bytesFor(lane);
  const fits = () => count === 1 || (count <= most.isolates && bytes <= most.bytes);
  const closed: Worker[] = [];
  for (const worker of restingIn(member).sort((a, b) => a.usedAt - b.usedAt)) {
    if (fits()) break;
    closed.push(worker);
    count--;
    bytes -= bytesOf(worker);
  }
  return fits() ? closed : undefined;
}

/** Whether a child is about to be replaced for its memory. One that is idle is not, and would never take another program. */
export function isCrowded(member: Member): boolean {
  return isBusy(member) && member.child.residentBytes() > crowdedResidentBytes;
}

/** Whether a child takes another program now. It gets a few at a time, so that what they take is known before the next ones. */
export function takesPrograms(member: Member): boolean {
  const now = monotonicMs();
  let loading = 0;
  for (const worker of member.workers.values()) if (worker.loading && now - worker.usedAt < firstLoadMs) loading++;
  return loading < Math.min(firstLoadsPerCore * cores, mostFirstLoads) && !isCrowded(member);
}

/**
 * The idle workers to close because the isolates of the child keep more than `keptBytes` in total: big ones that were not used for
 * long come first.
 */
export function surplusIn(member: Member): Worker[] {
  const now = monotonicMs();
  const weight = (worker: Worker) => bytesOf(worker) * (now - worker.usedAt);
  let tooMuch = takenIn(member) - keptBytes;
  if (tooMuch <= 0) return [];
  const surplus: Worker[] = [];
  for (const worker of restingIn(member).sort((a, b) => weight(b) - weight(a))) {
    if (tooMuch <= 0) break;
    tooMuch -= bytesOf(worker);
    surplus.push(worker);
  }
  return surplus;
}
