/** What the room takes and gives, as plain data. */
import type { InspectOptions } from './inspect.ts';

/** One built function: the source of an async function expression that takes `register`. Made by `bundle`. */
export interface Program {
  /** sha256 of `code`, in hex. */
  readonly id: string;
  readonly app: string;
  /** The function's path below `functions/`, without its ending: `api/orders/find`. */
  readonly name: string;
  /** `(async (register) => { …; register(namespace); })` */
  readonly code: string;
  /** JSON; from lines and columns of `code` to sources relative to the app's root, with `sourcesContent`. */
  readonly sourceMap?: string;
}

/** What one invocation may use. Each is enforced by the sandbox itself, whatever the function does. */
export interface Limits {
  /** From the moment the function's own code starts; queueing, cold start and compiling do not count. */
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Heap of the isolate, array buffers included. */
  readonly memoryMb: number;
  /** UTF-8 bytes of the result's JSON plus bytes of its body. */
  readonly resultBytes: number;
  /** Bytes of the request's body. */
  readonly bodyBytes: number;
  readonly logLines: number;
  readonly logBytes: number;
  /** Host calls, fetches, timers and background operations that may be open at one moment. */
  readonly pendingCalls: number;
}

export interface InvocationRequest {
  /** JSON; given to the prelude's `open`. */
  readonly argument: unknown;
  readonly body?: Uint8Array;
  readonly limits: Limits;
  /** `fresh`: new global state for each invocation. `warm`: the state of the isolate's one context is kept. */
  readonly isolation: 'fresh' | 'warm';
  /** How far the workspace's clock is ahead of the machine's. */
  readonly clockOffsetMs?: number;
  /** Where the workspace's clock stands; left out while it runs. */
  readonly clockStoppedAtMs?: number;
  /** `process.env` inside; the function's declared configuration and nothing else. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Aborting ends the invocation with `function_cancelled`. */
  readonly signal?: AbortSignal;
  /** How many invocations wait for this one. A nested one never queues behind its caller; at most 8. */
  readonly depth?: number;
}

/** The shape of a refusal as it is seen inside a function. */
export interface SdkErrorShape {
  readonly code: string;
  readonly message: string;
  readonly status: number;
  readonly requestId?: string;
  readonly details?: unknown;
}

/** A request of the function's `fetch`. The host decides whether it may be made. */
/** How `fetch` is asked past caches; undici says it to them in headers. */
export type CacheMode = 'no-store' | 'reload' | 'no-cache' | 'force-cache';

export interface FetchRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly redirect?: 'follow' | 'error' | 'manual';
  readonly cache?: CacheMode;
  /** Subresource integrity, as `sha256-…`. */
  readonly integrity?: string;
  readonly body?: Uint8Array;
  /** Its answer's body is not taken piece by piece. */
  readonly whole?: boolean;
}

export interface FetchResponse {
  readonly status: number;
  readonly statusText?: string;
  readonly headers: readonly (readonly [string, string])[];
  /** The address that answered at last. */
  readonly url?: string;
  readonly redirected?: boolean;
  /** A body that goes on arriving is asked for piece by piece, and left when the signal of its request is aborted. */
  readonly body?: Uint8Array | AsyncIterable<Uint8Array>;
}

/** Whom a running function asks. Arguments and results are copied; no live object crosses. */
export interface Host {
  call(operation: string, input: unknown): Promise<{ ok: unknown } | { error: SdkErrorShape }>;
  /** A rejection becomes the `TypeError` of `fetch` inside, with its message and its cause. The signal is aborted when the invocation ends, or wants no more of the body. */
  fetch(request: FetchRequest, signal: AbortSignal): Promise<FetchResponse>;
  /** Hears each line as it is written; all of them are in the outcome, too. */
  log?(line: LogLine): void;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LogLine {
  readonly level: LogLevel;
  /** Stack positions are mapped to the author's files. */
  readonly text: string;
  /** Since 1970, by the workspace's clock. */
  readonly atMs: number;
}

/** One `sdk` call or fetch of an invocation. The first 1,000 are kept. */
export interface CallRecord {
  readonly kind: 'call' | 'fetch';
  /** The operation, or method and address of a fetch. */
  readonly name: string;
  /** JSON of the input, cut at 1,024 characters. */
  readonly input: string;
  /** Since the start of the invocation. */
  readonly startedMs: number;
  /** Missing while unanswered. */
  readonly ms?: number;
  readonly errorCode?: string;
}

export type FailureCode =
  | 'function_failed'
  | 'function_timeout'
  | 'function_memory'
  | 'function_crashed'
  | 'result_too_large'
  | 'result_invalid'
  | 'body_too_large'
  | 'function_busy'
  | 'function_cancelled'
  | 'function_depth'
  | 'function_export_missing';

/** Why an invocation gave no result. */
export interface Failure extends ErrorCause {
  readonly code: FailureCode;
  /** The error's own `code` property, when it has one that is a string. */
  readonly errorCode?: string;
}

export interface ErrorCause {
  /** The error's name inside the function, `TypeError`. */
  readonly name: string;
  readonly message: string;
  /** Mapped; files relative to the app's root; no frame of `fn`. */
  readonly stack?: string;
  /** What else it says of itself, as text: `code: 'no_price',\n  lines: []`. Whoever called the function is not told. */
  readonly fields?: string;
  /** Where it says that a function failed which it has called: that invocation. Only as true as the function is. */
  readonly callee?: string;
  readonly cause?: ErrorCause;
  /** Of an AggregateError: the first five of what it holds. */
  readonly errors?: readonly ErrorCause[];
}

/** What every outcome tells, whatever happened. */
export interface Accounting {
  readonly logs: readonly LogLine[];
  readonly cpuMs: number;
  readonly wallMs: number;
  /** The isolate's heap and array buffers as last sampled: at the end of an invocation of 20 ms and more, else after the one before. */
  readonly peakMemoryBytes: number;
  readonly calls: readonly CallRecord[];
}

export type Outcome = Accounting &
  (
    | { readonly status: 'ok'; readonly result: unknown; readonly resultJson: string; readonly body?: Uint8Array }
    | { readonly status: 'error' | 'timeout' | 'memory' | 'crashed' | 'refused'; readonly error: Failure }
  );

/** What a program says of itself when it is loaded. */
export interface Description {
  /** The exported `config`, JSON; undefined where there is none. */
  readonly config: unknown;
  readonly hasDefault: boolean;
  readonly exports: readonly string[];
  /** What the module's top level wrote. */
  readonly logs: readonly LogLine[];
}

export interface ChildStats {
  readonly pid: number;
  readonly residentBytes: number;
  readonly isolates: number;
  readonly running: number;
  readonly quarantine: boolean;
}

export interface SandboxStats {
  readonly children: readonly ChildStats[];
  readonly queued: number;
  readonly running: number;
  /** Children that had to be killed since the start. */
  readonly killed: number;
  /** Ids of programs that run alone because they once had to be killed. */
  readonly quarantined: readonly string[];
  /** `ws://…` address of each program that can be debugged, when `inspect` is on. */
  readonly inspectors: readonly { readonly program: string; readonly name: string; readonly url: string }[];
}

export interface Sandbox {
  /** The first child answers. Rejects with MachineError `sandbox_unavailable` where isolated-vm cannot be loaded. */
  readonly ready: Promise<void>;
  /**
   * Loads the program once and tells what it exports.
   * @param purpose `run` (default): it will be invoked next, so its isolate is kept for that. `list`: only to know; many such
   * programs are described in one isolate, each in a context of its own, and what fails there once more in one that no other
   * program was in.
   * @throws FunctionError with the mapped place where loading failed; LimitError when it took too long or too much
   */
  describe(program: Program, purpose?: 'run' | 'list'): Promise<Description>;
  /**
   * Runs the program's default export once. A failure of the function is an outcome, never a throw.
   * @throws MachineError `sandbox_unavailable` where isolated-vm cannot be loaded
   */
  invoke(program: Program, request: InvocationRequest, host: Host): Promise<Outcome>;
  /** Many programs are going to be described to be listed: isolates for that are made ready. Never fails. */
  expectList(): void;
  /** Makes an isolate and its contexts ready ahead of the first invocation. Never fails. */
  warm(program: Program): void;
  /**
   * The program was replaced: what runs or waits is finished, then its isolates go. So do those of an invocation that comes with the same
   * object later; the same code in a new object is in use again.
   */
  retire(programId: string): void;
  /**
   * A save made the one out of the other, perhaps with the same code at other lines: places of errors are those of the new one, and a
   * debugger can attach to it at once.
   */
  replace(before: Program, after: Program | undefined): void;
  stats(): SandboxStats;
  /** Ends all children at once; what runs gets `function_crashed`. */
  close(): Promise<void>;
}

/** A function in a script or a source, as V8 tells of it: the first range is all of it, the others are blocks in it that ran otherwise. */
export interface FunctionCoverage {
  readonly functionName: string;
  readonly isBlockCoverage: boolean;
  readonly ranges: readonly CoveredRange[];
}

export interface CoveredRange {
  /** UTF-16 units from the beginning. */
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** What ran of one source of a program. */
export interface SourceCoverage {
  /** As the program's source map names it: relative to the app's root. */
  readonly source: string;
  /** The first one stands for the source itself. */
  readonly functions: readonly FunctionCoverage[];
}

export interface SandboxOptions {
  /** The script that defines `__prelude`; made by `sdk`. */
  readonly prelude: string;
  /** Children for programs in good standing. Default 2; the second is started when the first one is busy. */
  readonly processes?: number;
  /** Offers each program to Chrome DevTools and editors. */
  readonly inspect?: InspectOptions;
  /** What runs is counted; hears after each invocation what of its author's sources has run. Slower. */
  onCoverage?(sources: readonly SourceCoverage[]): void;
  /** Hears what went wrong around the functions: a child that was killed, a port that is taken. */
  onProblem?(problem: { readonly code: string; readonly message: string }): void;
  /** How long a child may take until it is ready, in milliseconds. */
  readonly childStartMs?: number;
  /** Further Node flags of the children, for tests and for working round a machine's peculiarities. */
  readonly childFlags?: readonly string[];
  /** Script text that stands in for the web layer, for tests of the room itself. */
  readonly layer?: string;
}
