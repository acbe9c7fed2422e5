import type { ErrorCause, FailureCode, FunctionCoverage, LogLevel } from './types.ts';

/** Id of our own requests to V8's inspector. No client counts this far. */
export const ownId = 2 ** 31 - 1;

/**
 * Messages between the parent and a child, through one pipe (channel.ts). A child has no other connection.
 */
export type ToChild =
  | ToChildInit
  | { t: 'program'; id: string; url: string; code: string; map?: string | undefined }
  | { t: 'open'; worker: number; program: string; memoryMb: number }
  /** Opens a worker that describes many programs; each `look` brings one. */
  | { t: 'open-describer'; worker: number }
  | { t: 'close'; worker: number }
  | { t: 'describe'; worker: number; invocation: number }
  | { t: 'look'; worker: number; invocation: number; id: string; url: string; code: string }
  | ToChildInvoke
  | { t: 'cancel'; invocation: number }
  /** Takes back an invocation that waits behind another one, unless it has begun. */
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
  /** Whether a debugger has paused any program, here or in another child. The clocks of its callers stop meanwhile. */
  | { t: 'hold'; held: boolean }
  | { t: 'ping' };

export interface ToChildInit {
  t: 'init';
  prelude: string;
  layer?: string | undefined;
  inspect: boolean;
  /** Whether to record which code runs. */
  coverage: boolean;
  /** V8's code cache of the layer, from an earlier child. */
  bytes?: Uint8Array | undefined;
  /** Whether the child has to send `code` before anything else. */
  wantsCode: boolean;
}

/** Invokes a program. A busy worker runs it next. */
export interface ToChildInvoke {
  t: 'invoke';
  worker: number;
  invocation: number;
  argument: string;
  bytes?: Uint8Array | undefined;
  warm: boolean;
  /** JSON of a `Setup`. The same text for all invocations of a program until something in it changes, so it need not be parsed each time. */
  setup: string;
}

/** Requests to the parent: an operation of `sdk`, a `fetch`, or the next piece of a response body. */
export type Asked = 'call' | 'fetch' | 'read';

export type FromChild =
  | { t: 'ready' }
  /** V8's code cache of the layer; no bytes if there is none. */
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
  /** The invocation had not begun, and now will not. */
  | { t: 'recalled'; invocation: number }
  /** The child must be killed. `worker` is 0 if the code that does not stop no longer belongs to an invocation. */
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
  /** JSON of the result or of the description. */
  json?: string | undefined;
  bytes?: Uint8Array | undefined;
  error?: WireFailure | undefined;
  /** Log lines of the top level; only if loading was requested or has failed. */
  loadLogs?: WireLine[] | undefined;
  cpuMs: number;
  wallMs: number;
  heapBytes: number;
  left?: Left | undefined;
  /** Coverage of the program's script since the last message. */
  coverage?: FunctionCoverage[] | undefined;
}

/** Requests without an answer when the function ended: their ids, and the time. */
export interface Left {
  ids: readonly number[];
  atMs: number;
}

export interface WireFailure extends ErrorCause {
  code: FailureCode;
  errorCode?: string;
}
