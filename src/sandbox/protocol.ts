import type { ErrorCause, FailureCode, FunctionCoverage, Limits, LogLevel } from './types.ts';

/** Of a question to the debugger's engine that is ours, not its client's: none counts so far. */
export const ownId = 2 ** 31 - 1;

/**
 * What the parent and a child say to each other, through one pipe (channel.ts). A child has no other way out.
 */
export type ToChild =
  | ToChildInit
  | { t: 'program'; id: string; url: string; code: string; map?: string | undefined }
  | { t: 'open'; worker: number; program: string; memoryMb: number }
  /** A worker that describes many programs, which are told with each `look`. */
  | { t: 'open-describer'; worker: number }
  | { t: 'close'; worker: number }
  | { t: 'describe'; worker: number; invocation: number }
  | { t: 'look'; worker: number; invocation: number; id: string; url: string; code: string }
  | ToChildInvoke
  | { t: 'cancel'; invocation: number }
  /** Gives back an invocation that waits behind another one, should it not have begun. */
  | { t: 'recall'; worker: number; invocation: number }
  | {
      t: 'answer';
      invocation: number;
      id: number;
      error?: string | undefined;
      json?: string | undefined;
      bytes?: Uint8Array | undefined;
    }
  | { t: 'inspect'; worker: number; message: string | null }
  /** Whether a debugger holds any program, here or in another child: what waits for it has its clock stand still. */
  | { t: 'hold'; held: boolean }
  | { t: 'ping' };

export interface ToChildInit {
  t: 'init';
  prelude: string;
  layer?: string | undefined;
  inspect: boolean;
  /** What runs is counted. */
  coverage: boolean;
  /** V8's code of the layer, as an earlier child told it. */
  bytes?: Uint8Array | undefined;
  /** The first answer must be `code`: nothing else is said before. */
  wantsCode: boolean;
}

/** A worker that is busy runs it next, by itself. */
export interface ToChildInvoke {
  t: 'invoke';
  worker: number;
  invocation: number;
  argument: string;
  bytes?: Uint8Array | undefined;
  limits: Limits;
  warm: boolean;
  clockOffsetMs: number;
  clockStoppedAtMs?: number | undefined;
  environment?: Readonly<Record<string, string>> | undefined;
}

/** What is asked of the parent: an operation of `sdk`, a request, and what more there is of the body that answers one. */
export type Asked = 'call' | 'fetch' | 'read';

export type FromChild =
  | { t: 'ready' }
  /** V8's code of the layer; without bytes where there is none. */
  | { t: 'code'; bytes?: Uint8Array | undefined }
  | { t: 'opened'; worker: number }
  | { t: 'unavailable'; message: string }
  | { t: 'log'; invocation: number; lines: WireLine[] }
  | {
      t: 'ask';
      invocation: number;
      id: number;
      name: Asked;
      json: string;
      bytes?: Uint8Array | undefined;
      atMs: number;
    }
  | { t: 'unask'; invocation: number; id: number }
  | FromChildDone
  /** It has not begun, and will not. */
  | { t: 'recalled'; invocation: number }
  /** The child must be killed. `worker` 0: what does not stop belongs to no invocation any more. */
  | { t: 'stuck'; worker: number; program: string; reason: 'timeout' | 'memory' }
  | { t: 'inspected'; worker: number; message: string }
  | { t: 'resident'; bytes: number }
  | { t: 'pong'; busiest?: number | undefined };

/** [level, text, milliseconds since 1970] */
export type WireLine = [LogLevel, string, number];

export interface FromChildDone {
  t: 'done';
  invocation: number;
  status: 'ok' | 'error' | 'timeout' | 'memory' | 'refused';
  /** JSON of the result, or of a description. */
  json?: string | undefined;
  bytes?: Uint8Array | undefined;
  error?: WireFailure | undefined;
  /** The top level's log lines; only where loading is what was asked for or what failed. */
  loadLogs?: WireLine[] | undefined;
  cpuMs: number;
  wallMs: number;
  heapBytes: number;
  left?: Left | undefined;
  /** What of the program's script has run since this was last told. */
  coverage?: FunctionCoverage[] | undefined;
}

/** What a function had asked and had no answer to when it ended: ids of the questions, and when that was. */
export interface Left {
  ids: readonly number[];
  atMs: number;
}

export interface WireFailure extends ErrorCause {
  code: FailureCode;
  errorCode?: string;
}
