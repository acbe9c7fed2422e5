/** What the sandbox takes and returns, as plain data. */
import type { SourceLocation } from '../std/index.ts';
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
  /** Counted from the start of the function's own code; queueing, cold start and compiling do not count. */
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
  /** How many host calls, fetches, timers and background operations may be open at once. */
  readonly pendingCalls: number;
}

export interface InvocationRequest {
  /** Any JSON; passed to the prelude's `open`. */
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
  /** How many invocations wait for this one, at most 8. A nested invocation never queues behind its caller. */
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
/** How `fetch` bypasses caches; undici translates this into request headers. */
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
  /** The response body is not streamed. */
  readonly whole?: boolean;
}

export interface FetchResponse {
  readonly status: number;
  readonly statusText?: string;
  readonly headers: readonly (readonly [string, string])[];
  /** The final address, after redirects. */
  readonly url?: string;
  readonly redirected?: boolean;
  /** A body that is still arriving is read piece by piece, and abandoned when the signal of its request is aborted. */
  readonly body?: Uint8Array | AsyncIterable<Uint8Array>;
}

/** Answers the requests of a running function. Arguments and results are copied; no live object crosses. */
export interface Host {
  call(operation: string, input: unknown): Promise<{ ok: unknown } | { error: SdkErrorShape }>;
  /** A rejection becomes the `TypeError` of `fetch` inside, with its message and cause. The signal is aborted when the invocation ends, or abandons the body. */
  fetch(request: FetchRequest, signal: AbortSignal): Promise<FetchResponse>;
  /** Receives each line as it is written. The outcome contains all of them as well. */
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
  /** JSON of the input, cut at 8,192 characters: a secret that crosses the shorter cut of a record can still be found and redacted. */
  readonly input: string;
  /** JSON of the answer or the error, cut like the input; undefined while there is none. */
  readonly answer?: string;
  /** Since the start of the invocation. */
  readonly startedMs: number;
  /** Undefined while there is no answer. */
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
  /** Of a TypeError: where it was thrown, with the source line. */
  readonly place?: SourceLocation;
}

export interface ErrorCause {
  /** The error's name inside the function, `TypeError`; empty if the cause is not an error. */
  readonly name: string;
  readonly message: string;
  /** Mapped to the author's files, relative to the app's root; without frames of `fn`. */
  readonly stack?: string;
  /** Further fields of the error, as text: `code: 'no_price',\n  lines: []`. Not disclosed to the function's caller. */
  readonly fields?: string;
  /** If the error reports the failure of a function that this one called: id of that invocation. Claimed by the function, so not trusted. */
  readonly callee?: string;
  readonly cause?: ErrorCause;
  /** The first five errors of an AggregateError. */
  readonly errors?: readonly ErrorCause[];
}

/** Part of every outcome, whatever happened. */
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

/** What a program exports and logs when it is loaded. */
export interface Description {
  /** The exported `config`, JSON; undefined if there is none. */
  readonly config: unknown;
  readonly hasDefault: boolean;
  readonly exports: readonly string[];
  /** Log lines of the module's top level. */
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
  /** How many children had to be killed since the start. */
  readonly killed: number;
  /** Ids of programs that run alone because they once had to be killed. */
  readonly quarantined: readonly string[];
  /** `ws://…` address of each program that can be debugged, when `inspect` is on. */
  readonly inspectors: readonly { readonly program: string; readonly name: string; readonly url: string }[];
}

export interface Sandbox {
  /** Resolves when the first child is ready. Rejects with MachineError `sandbox_unavailable` if isolated-vm cannot be loaded. */
  readonly ready: Promise<void>;
  /**
   * Loads the program once and returns what it exports.
   * @param purpose `run` (default): it will be invoked next, so its isolate is kept. `list`: for information only; many
   * programs are described in one isolate, each in its own context, and a program that fails there is described again in a
   * separate isolate.
   * @throws FunctionError with the mapped position if loading failed; LimitError if it exceeded a limit
   */
  describe(program: Program, purpose?: 'run' | 'list'): Promise<Description>;
  /**
   * Runs the program's default export once. A failure of the function is an outcome, never a throw.
   * @throws MachineError `sandbox_unavailable` if isolated-vm cannot be loaded
   */
  invoke(program: Program, request: InvocationRequest, host: Host): Promise<Outcome>;
  /** Prepares isolates for describing many programs with purpose `list`. Never fails. */
  expectList(): void;
  /** Prepares an isolate and its contexts ahead of the first invocation. Never fails. */
  warm(program: Program): void;
  /**
   * Retires a replaced program: running and waiting invocations are finished, then its isolates are closed. A later invocation with the same
   * object still runs, and its isolate is closed afterwards. A new object with the same code is in use again.
   */
  retire(programId: string): void;
  /**
   * Replaces a program after a save, perhaps by the same code at other lines: errors then have the positions of the new one, and a debugger
   * can attach to it at once.
   */
  replace(before: Program, after: Program | undefined): void;
  stats(): SandboxStats;
  /** Ends all children at once. Running invocations get `function_crashed`. */
  close(): Promise<void>;
}

/** V8's coverage of a function in a script or source. The first range is the whole function, the others are blocks with different counts. */
export interface FunctionCoverage {
  readonly functionName: string;
  readonly isBlockCoverage: boolean;
  readonly ranges: readonly CoveredRange[];
}

export interface CoveredRange {
  /** In UTF-16 units. */
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** Coverage of one source of a program. */
export interface SourceCoverage {
  /** Path as in the program's source map, relative to the app's root. */
  readonly source: string;
  /** The first one represents the source itself. */
  readonly functions: readonly FunctionCoverage[];
}

export interface SandboxOptions {
  /** The script that defines `__prelude`; created by the `sdk` room. */
  readonly prelude: string;
  /** Number of children for ordinary programs. Default 2; the second is started when the first is busy. */
  readonly processes?: number;
  /** Lets Chrome DevTools and editors attach to each program. */
  readonly inspect?: InspectOptions;
  /** Receives the coverage of the author's sources after each invocation. Setting it makes invocations slower. */
  onCoverage?(sources: readonly SourceCoverage[]): void;
  /** Receives problems that are not failures of functions: a child was killed, a port is taken. */
  onProblem?(problem: { readonly code: string; readonly message: string }): void;
  /** How long a child may take to become ready, in milliseconds. */
  readonly childStartMs?: number;
  /** Pause after which memory that is no longer needed is returned, in milliseconds. Default: a minute. */
  readonly restMs?: number;
  /** Additional Node flags of the children, for tests and for workarounds on unusual machines. */
  readonly childFlags?: readonly string[];
  /** Script text that replaces the web layer, for tests of the sandbox itself. */
  readonly layer?: string;
}
