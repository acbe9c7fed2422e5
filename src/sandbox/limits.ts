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
/** CPU that loading a module may use. */
export const loadCpuMs = 5_000;

/**
 * The same where a program is described in an isolate that others are described in, too: what needs more is described again, with
 * the limits above, in one of its own.
 */
export const sharedLoadWallMs = 1_000;
export const sharedLoadCpuMs = 500;
/** Programs that one isolate describes before it is renewed. */
export const describersRenewAfter = 200;
/** Isolates that describe programs at once. */
export const describersAtOnce = 4;
/** Without work for so long, such an isolate is given up. */
export const describerRestMs = 500;
/** After this many descriptions an idle child is replaced: V8 returns their memory only after ten seconds, and not all of it. */
export const describedPerChild = 40;
/** Nothing has been invoked in it for so long by then. */
export const renewPauseMs = 1_000;
/** Programs that are made ready again in a child that replaces another: those used last. */
export const warmedAgain = 4;

/** Contexts made ready ahead of invocations, per isolate: kept always, and while invocations come fast. */
export const readyContexts = { idle: 4, busy: 8 };
/** A context leaves traces in its isolate even when every handle is released; after so many the isolate is renewed. */
export const contextsPerIsolate = 500;
/** Share of the isolate's memory limit above which it is renewed. */
export const renewHeapShare = 0.5;

/** After an invocation of that length the heap is looked at before the end is told. */
export const sampledWallMs = 20;
/** After shorter ones, not more often: each look costs a way into the isolate and back. */
export const sampleEveryMs = 50;
/** Programs that are described between two looks at the heap. */
export const sampleEvery = 16;

/** So many fresh invocations, each so soon after the one before, come without a pause. */
export const rapidInvocations = 20;
export const rapidMs = 5;

export const isolatesPerChild = 30;
/** From the moment in which a child is half full to the start of another one. */
export const anotherChildAfterMs = 100;
/** Isolates above that number, for nested invocations: these never wait for the ones that wait for them. More are refused as busy. */
export const nestedIsolatesPerChild = 60;
/** Isolates above that number, for programs that have none: what is quick does not wait for the slow ones of others. */
export const firstIsolatesPerChild = 10;
/** Isolates of one program that run at once, per core. Nested invocations may exceed it, and those that wait for answers. */
export const isolatesPerCore = 2;
/** What an isolate of a program that waits is taken to need at least. */
export const waitingIsolateBytes = 16 * 1024 * 1024;
/** How much more than its heap at the end of an invocation an isolate takes, until V8 has looked for garbage. */
export const garbageFactor = 1.5;
/** Invocations that wait for so long, on an average, keep no processor busy. */
export const waitsLongMs = 20;
/** What a program has above the usual number is given up when it has not been needed for so long. */
export const surplusRestMs = 5_000;
/**
 * A program whose invocations take less than this is quick: some wait in the child, each behind another one, and begin without a
 * way to the parent and back.
 */
export const quickWallMs = 2;
/** When all its isolates have been at work for so long it is given more, as a program that is not quick. */
export const notQuickMs = 100;
/** So many behind one that runs. */
export const aheadPerIsolate = 6;
/** What waits in the child behind one that takes so long is recalled, for another isolate. */
export const recallAfterMs = 15;
/** Of invocations by each other (contract: `callDepth`). */
export const deepestNesting = 8;
/** Invocations that wait for an isolate, over all programs. */
export const queuedInvocations = 2_000;
export const queueWaitMs = 30_000;

/** A child above this is killed. */
export const childResidentBytes = 512 * 1024 * 1024;
/** Another takes the place of a child above this, which goes on with what runs in it. */
export const crowdedResidentBytes = 416 * 1024 * 1024;
/** What the isolates of a child may keep together; above it some in which nothing runs are given up. */
export const keptBytes = 256 * 1024 * 1024;
/** What an isolate takes in which hardly anything ran. */
export const isolateBytes = 8 * 1024 * 1024;
/** All children together; above it the biggest is killed. */
export const totalResidentBytes = 896 * 1024 * 1024;
/** A child above this, and what its isolates take at least, is replaced when nothing runs in it: V8 gives little memory back. */
export const recycleResidentBytes = 200 * 1024 * 1024;
export const residentPollMs = 100;

/** How often the child looks at CPU and wall clock of what runs. */
export const watchdogMs = 20;
/**
 * CPU that a child may use from disposing an isolate to being killed because that isolate does not stop. Time would be no
 * measure: on a busy machine a thread may not have run at all yet. The second: where nobody's limit was broken.
 */
export const disposeGraceCpuMs = 300;
export const retireGraceCpuMs = 2_000;
/** Whatever CPU it used, an isolate has stopped by then or never will. */
export const disposeWaitMs = 20_000;
/** A child is killed that has answered nothing for so long and used so much CPU meanwhile, on the thread that answers. */
export const silentChildMs = 5_000;
export const silentChildCpuMs = 2_000;
/** The same, where it used no CPU: the machine may be busy, or the child hangs. */
export const silentStarvedMs = 30_000;
/** A child that says nothing for so long after it was started will never be ready: it takes a tenth of a second, on a busy machine some. */
export const silentStartMs = 30_000;

/** Bytes that one operation of a function may carry out of the isolate – with the words that say what to do with them – and all open ones together. */
export const operationBytes = 16 * 1024 * 1024 + 64 * 1024;
export const openOperationBytes = 2 * operationBytes;
/** Requests of one invocation that are under way at once, each with an answer of megabytes; the others wait for their turn. */
export const fetchesAtOnce = 16;
/** Answers of one invocation whose bodies it may take piece by piece at once; those of others are read as a whole before they are handed out. */
export const openBodies = 64;
/** Calls of one invocation that are kept in its record. */
export const recordedCalls = 1_000;
/** So many of what a function did not wait for are named in its log. */
export const namedLeft = 3;
/** Errors that one failure tells of, with all that caused them and that they hold: each has texts of up to 40 KiB. (web/layer/errors.ts) */
export const mostErrors = 32;
