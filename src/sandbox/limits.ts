import type { Limits } from './types.ts';

/** What an invocation may use unless its configuration says less (contract: invocations). */
export const defaultLimits: Limits = {
  wallMs: 30_000,
  cpuMs: 10_000,
  memoryMb: 128,
  resultBytes: 10 * 1024 * 1024,
  bodyBytes: 6 * 1024 * 1024,
  logLines: 1_000,
  logBytes: 1024 * 1024,
  pendingCalls: 1_000,
};

/** Loading a module (its top level, awaits included) may take this long, whatever the invocation's own limits are. */
export const loadWallMs = 10_000;
/** What a module may log while it is loaded; child/bridge/outgoing.ts has the same numbers. */
export const loadLogLimits = { logLines: 200, logBytes: 65_536 } as const;
/** CPU that loading a module may use. */
export const loadCpuMs = 5_000;

/**
 * The same for a program that is described in a shared isolate. A program that needs more is described again, with the limits
 * above, in its own isolate.
 */
export const sharedLoadWallMs = 1_000;
export const sharedLoadCpuMs = 500;
/** How many programs one isolate describes before it is replaced. */
export const describersRenewAfter = 200;
/** How many isolates describe programs at the same time. */
export const describersAtOnce = 4;
/** Such an isolate is closed after this long without work. */
export const describerRestMs = 500;
/** After this many descriptions an idle child is replaced: V8 returns their memory only after ten seconds, and not all of it. */
export const describedPerChild = 40;
/** A child may be replaced after this long without invocations. */
export const renewPauseMs = 1_000;
/** How many programs, most recently used first, are prepared in a child that replaces another. */
export const warmedAgain = 4;

/** The first load of a program counts as running for at most this long, in milliseconds: after that it probably waits for something. */
export const firstLoadMs = 250;
/** How many first loads a child is given at once, per core and in any case: what each takes is known before the next ones begin. */
export const firstLoadsPerCore = 2;
export const mostFirstLoads = 6;

/** Contexts prepared ahead of invocations, per isolate: normally, and while invocations follow each other closely. */
export const readyContexts = { idle: 2, busy: 8 };
/** The isolate is replaced after this many contexts: a context leaves traces in it even when every handle is released. */
export const contextsPerIsolate = 500;
/** The isolate is replaced above this share of its memory limit. */
export const renewHeapShare = 0.5;

/** After an invocation of this length, the heap is sampled before the end is reported. */
export const sampledWallMs = 20;
/** After shorter ones, the heap is sampled at most this often: each sample takes a round trip into the isolate. */
export const sampleEveryMs = 50;
/** How many programs are described between two samples of the heap. */
export const sampleEvery = 16;

/** This many fresh invocations in close succession count as "without a pause". */
export const rapidInvocations = 20;
export const rapidMs = 5;

/** How many isolates a child has at most, and what they may take in total, counted as they are after some invocations. */
export const roomInChild = { isolates: 30, bytes: 272 * 1024 * 1024 };
/** The same for a program that has none, so that quick programs do not wait for slow ones. */
export const roomForFirst = { isolates: 40, bytes: 320 * 1024 * 1024 };
/** The same for nested invocations, which must not wait for invocations that wait for them. More are refused as busy. */
export const roomForNested = { isolates: 90, bytes: Number.POSITIVE_INFINITY };
/** Delay between a child being half full and the start of another one. */
export const anotherChildAfterMs = 100;
/** Isolates of one program that run at once, per core. Nested invocations may exceed it, and those that wait for answers. */
export const isolatesPerCore = 2;
/** Assumed minimum size of an isolate whose program waits. */
export const waitingIsolateBytes = 16 * 1024 * 1024;
/** How much an isolate takes compared to its heap at the end of an invocation, until V8 has collected garbage. */
export const garbageFactor = 1.5;
/** Invocations that wait this long on average do not keep a processor busy. */
export const waitsLongMs = 20;
/** Isolates above the usual number of a program are closed when unused for this long. */
export const surplusRestMs = 5_000;
/**
 * A program is quick if its invocations take less than this. Some of them are then queued in the child and begin without a round
 * trip to the parent.
 */
export const quickWallMs = 2;
/** When all of its isolates have been busy for this long, a program gets more, like one that is not quick. */
export const notQuickMs = 100;
/** How many invocations may be queued behind a running one. */
export const aheadPerIsolate = 6;
/** Invocations queued behind one that takes this long are recalled, for another isolate. */
export const recallAfterMs = 15;
/** How deep invocations may be nested (contract: `callDepth`). */
export const deepestNesting = 8;
/** How many invocations of all programs may wait for an isolate. */
export const queuedInvocations = 2_000;
export const queueWaitMs = 30_000;

/** A child that takes more is killed. */
export const childResidentBytes = 512 * 1024 * 1024;
/** A child that takes more is replaced by another one, and finishes what runs in it. */
export const crowdedResidentBytes = 416 * 1024 * 1024;
/** What the isolates of a child may keep in total; above that, some idle ones are closed. */
export const keptBytes = 256 * 1024 * 1024;
/** Memory of an isolate in which hardly anything has run. Its process takes some 100 MiB without any. */
export const isolateBytes = 8 * 1024 * 1024;
/**
 * How much an isolate takes, after some fresh invocations, compared to its heap after the first one: code, contexts prepared ahead, and garbage. Measured with
 * programs of 0 to 1 MB: 3.7 to 4.2 after nine. What a program keeps does not grow, so the difference is limited.
 */
export const grownFactor = 3.5;
export const mostGrownBytes = 24 * 1024 * 1024;
/** Guess for a program that has not run yet: this much per character of its code, but not more than the second value. */
export const codeFactor = 40;
export const mostGuessedBytes = 32 * 1024 * 1024;
/** Limit of all children together; above that, the biggest is killed. */
export const totalResidentBytes = 896 * 1024 * 1024;
/** An idle child that takes more, plus what usual isolates take, is replaced: V8 returns little memory. */
export const recycleResidentBytes = 200 * 1024 * 1024;
export const residentPollMs = 100;
/** After a pause of this length, only one child is kept, and replaced if it takes more than `recycleResidentBytes`. */
export const restMs = 60_000;

/** How often the child checks the CPU time and wall clock of running code. */
export const watchdogMs = 20;
/**
 * CPU time that a child may use between disposing of an isolate and being killed because that isolate does not stop. Wall time is
 * not suitable: on a busy machine a thread may not have run at all. The second value applies if no limit was exceeded.
 */
export const disposeGraceCpuMs = 300;
export const retireGraceCpuMs = 2_000;
/** After this time an isolate that has not stopped never will, however much CPU time it got. */
export const disposeWaitMs = 20_000;
/** A child is killed if it has been silent for this long and its main thread has used as much CPU time. */
export const silentChildMs = 5_000;
export const silentChildCpuMs = 2_000;
/** The same for a child without CPU time: the machine may be busy, or the child hangs. */
export const silentStarvedMs = 30_000;
/** A child that is silent for this long after its start will never be ready. Usually it takes a tenth of a second, on a busy machine some seconds. */
export const silentStartMs = 30_000;

/** Bytes that one operation of a function may carry out of the isolate, including its description, and the total of all open ones. */
export const operationBytes = 16 * 1024 * 1024 + 64 * 1024;
export const openOperationBytes = 2 * operationBytes;
/** How many requests of one invocation run at once, since each answer may have megabytes. The others wait for their turn. */
export const fetchesAtOnce = 16;
/** How many response bodies one invocation may stream at once. Further ones are read completely before they are handed out. */
export const openBodies = 64;
/** How many calls of one invocation its record keeps. */
export const recordedCalls = 1_000;
/** How many operations that a function did not await are named in its log. */
export const namedLeft = 3;
/** How many errors one failure reports, including causes and nested errors: each has texts of up to 40 KiB. (web/layer/errors.ts) */
export const mostErrors = 32;
