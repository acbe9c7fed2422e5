/**
 * The layer's only connection to the outside. `native` is kept here, unreachable for user code; only text and bytes cross. The
 * host's bridge in the same context limits how many operations a function may have open.
 */
import { makeError, type PlainError, withoutPlace } from './errors.ts';
import { arrayPush, bytesOf, mapClear, mapDelete, mapGet, mapSet, parse, stringify } from './primordials.ts';

/** Plain functions provided by the host. */
export interface Native {
  /** Runs a function of the child synchronously. A failure is returned, not thrown, as an Error of this context. */
  sync(name: string, ...args: unknown[]): unknown;
  /** Starts an operation that is answered by `settle(id, …)`; id 0 with the name `cancel` cancels one. */
  start(id: number, name: string, json: string, bytes?: ArrayBuffer): void;
  /** Writes one log line. */
  log(level: LogLevel, text: string): void;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface Answer {
  json: string | undefined;
  bytes: ArrayBuffer | undefined;
}

interface Pending {
  kind: Kind;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** `web` operations are queued, so that a flood of them stays in the isolate's own memory. */
type Kind = 'fetch' | 'web' | 'timer';

let native: Native;
let nextId = 1;
let runningWeb = 0;
const pending = new Map<number, Pending>();
/** How many `web.*` operations are sent to the host at once; the others are queued here. */
const webAtOnce = 32;
let waiting: (() => void)[] = [];
let waitingFrom = 0;

export function connect(value: Native): void {
  native = value;
}

/** Ignores answers to all operations started so far. */
export function forgetOps(): void {
  mapClear(pending as Map<unknown, unknown>);
  runningWeb = 0;
  waiting = [];
  waitingFrom = 0;
}

const NativeError = Error;

/** @throws an Error of this context with a name, a message and perhaps Node's code */
export function sync(name: string, ...args: unknown[]): unknown {
  const answer = native.sync(name, ...args);
  if (answer instanceof NativeError) {
    const { name, message, code } = answer as Error & { code?: string };
    throw makeError({ name, message, code });
  }
  return answer;
}

/** Lets the caller cancel an operation; filled in when the operation is sent to the host. */
export interface Ticket {
  id?: number;
}

/** @param bytes a buffer that is not changed afterwards (see primordials.bytesOf) */
export function start(kind: Kind, name: string, input: unknown, bytes?: ArrayBuffer, ticket?: Ticket): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
    const json = stringify(input) ?? 'null';
    if (kind === 'web') {
      if (runningWeb >= webAtOnce) {
        arrayPush(waiting, () => {
          send({ kind, resolve, reject }, name, json, bytes);
        });
        return;
      }
      runningWeb++;
    }
    const id = send({ kind, resolve, reject }, name, json, bytes);
    if (ticket) ticket.id = id;
  });
}

function send(operation: Pending, name: string, json: string, bytes: ArrayBuffer | undefined): number {
  const id = nextId++;
  mapSet(pending, id, operation);
  if (bytes === undefined) native.start(id, name, json);
  else native.start(id, name, json, bytes);
  return id;
}

/** Cancels an operation: its promise rejects with `reason`, the host is told to stop, and a late answer is ignored. */
export function withdraw(ticket: Ticket, reason: unknown): void {
  const { id } = ticket;
  const operation = id === undefined ? undefined : mapGet(pending, id);
  if (id === undefined || !operation) return;
  mapDelete(pending, id);
  if (operation.kind === 'web') nextWaiting();
  native.start(0, 'cancel', stringify({ id }));
  operation.reject(reason);
}

/** Called by the host. An unknown id belongs to an invocation that has ended. */
export function settle(id: number, errorJson?: string, json?: string, bytes?: unknown): void {
  const operation = mapGet(pending, id);
  if (!operation) return;
  mapDelete(pending, id);
  if (operation.kind === 'web') nextWaiting();
  if (errorJson === undefined) {
    let answer: Answer;
    try {
      answer = { json, bytes: bytes === undefined ? undefined : bytesOf(bytes) };
    } catch (error) {
      // No memory left for a copy: the function gets the error and can handle it.
      operation.reject(error);
      return;
    }
    operation.resolve(answer);
    return;
  }
  operation.reject(withoutPlace(makeError(parse(errorJson) as PlainError)));
}

function nextWaiting(): void {
  const next = waiting[waitingFrom];
  if (!next) {
    runningWeb--;
    return;
  }
  waitingFrom++;
  if (waitingFrom === waiting.length) {
    waiting = [];
    waitingFrom = 0;
  }
  next();
}

export function log(level: LogLevel, text: string): void {
  native.log(level, text);
}
