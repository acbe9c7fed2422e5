import './clock.ts';
import { type ClockHandles, installDate } from './date.ts';
import { setEnvironment } from './environment.ts';
import { makeError, type PlainError, report } from './errors.ts';
import * as ops from './ops.ts';
import { apply, defineProperty, freeze, getOwnPropertyDescriptor, stringStartsWith } from './primordials.ts';
import { reportException } from './report.ts';
import { beginTimers, endTimers, functions as timerFunctions } from './timers.ts';

/** What the host gets for one context. */
export interface Handles extends ClockHandles {
  /** Answers an operation begun by `native.start`. */
  settle(id: number, errorJson?: string, json?: string, bytes?: unknown): void;
  /** A thrown value as plain data (name, message, stack, code, cause), whatever it is. */
  report(error: unknown): PlainError;
  /** What `process.env` holds from now on: a frozen copy. */
  setEnvironment(environment: Record<string, string>): void;
  /** An invocation begins: timers made at module level start to run. */
  begin(): void;
  /** It is over: its timers are forgotten, late answers ignored. For a context that is used again. */
  end(): void;
}

type Loader = () => Record<string, unknown>;

const events: Loader = () => require('./events.ts');
const url: Loader = () => require('./url.ts');
const encoding: Loader = () => require('./encoding.ts');
const streams: Loader = () => require('./streams.ts');
const fetching: Loader = () => require('./fetch.ts');
const compression: Loader = () => require('./compression.ts');
const crypto: Loader = () => require('./crypto.ts');
const performance: Loader = () => require('./performance.ts');
const blob: Loader = () => require('./blob.ts');
const messages: Loader = () => require('./messages.ts');

/** Where each global comes from; loaded at its first use. */
const lazy: Record<string, Loader> = {
  AbortController: events,
  AbortSignal: events,
  Blob: blob,
  Buffer: () => require('./buffer.ts'),
  ByteLengthQueuingStrategy: streams,
  CloseEvent: events,
  CompressionStream: compression,
  CountQueuingStrategy: streams,
  Crypto: crypto,
  CryptoKey: crypto,
  CustomEvent: events,
  DOMException: () => require('./dom-exception.ts'),
  DecompressionStream: compression,
  ErrorEvent: events,
  Event: events,
  EventTarget: events,
  File: blob,
  FormData: fetching,
  Headers: fetching,
  MessageChannel: messages,
  MessageEvent: events,
  MessagePort: messages,
  Navigator: () => require('./navigator.ts'),
  Performance: performance,
  PerformanceEntry: performance,
  PerformanceMark: performance,
  PerformanceMeasure: performance,
  PerformanceObserver: performance,
  PerformanceObserverEntryList: performance,
  PromiseRejectionEvent: events,
  ReadableByteStreamController: streams,
  ReadableStream: streams,
  ReadableStreamBYOBReader: streams,
  ReadableStreamBYOBRequest: streams,
  ReadableStreamDefaultController: streams,
  ReadableStreamDefaultReader: streams,
  Request: fetching,
  Response: fetching,
  SubtleCrypto: crypto,
  TextDecoder: encoding,
  TextDecoderStream: encoding,
  TextEncoder: encoding,
  TextEncoderStream: encoding,
  TransformStream: streams,
  TransformStreamDefaultController: streams,
  URL: url,
  URLPattern: () => require('./url-pattern.ts'),
  URLSearchParams: url,
  WebSocket: () => require('./web-socket.ts'),
  WritableStream: streams,
  WritableStreamDefaultController: streams,
  WritableStreamDefaultWriter: streams,
  atob: () => require('./base64.ts'),
  btoa: () => require('./base64.ts'),
  console: () => require('./console.ts'),
  crypto,
  navigator: () => require('./navigator.ts'),
  performance,
  process: () => require('./process.ts'),
  structuredClone: () => require('./clone.ts'),
};

const eager: Record<string, unknown> = {
  ...timerFunctions,
  queueMicrotask(callback: unknown): void {
    if (typeof callback !== 'function') {
      throw new TypeError("Failed to execute 'queueMicrotask': the argument must be a function");
    }
    enqueue(() => {
      try {
        (callback as () => unknown)();
      } catch (error) {
        reportException(error);
      }
    });
  },
  reportError(error: unknown): void {
    reportException(error);
  },
  fetch(input: unknown, init?: unknown): Promise<unknown> {
    const { fetch } = require('./fetch.ts') as typeof import('./fetch.ts');
    return fetch(input, init);
  },
};

const settled = Promise.resolve();
const then = Promise.prototype.then;
const enqueue = (callback: () => void) => void apply(then, settled, [callback]);

function once(name: string, load: Loader): () => unknown {
  let done = false;
  let value: unknown;
  return () => {
    if (!done) {
      value = load()[name];
      done = true;
      // Minified classes lose their names; the global ones get theirs back here.
      if (typeof value === 'function' && value.name !== name)
        defineProperty(value, 'name', { value: name, configurable: true });
    }
    return value;
  };
}

/** Defines the globals and gives the host its handles. Called once per context, before any user code. */
export function install(native: ops.Native): Handles {
  ops.connect(native);
  for (const name in lazy) {
    const get = once(name, lazy[name] as Loader);
    defineProperty(__web, name, { get, configurable: false });
    const replace = (value: unknown) =>
      defineProperty(__root, name, { value, configurable: true, enumerable: false, writable: true });
    defineProperty(__root, name, {
      configurable: true,
      enumerable: false,
      get() {
        const value = get();
        replace(value);
        return value;
      },
      set: replace,
    });
  }
  for (const name in eager) {
    defineProperty(__web, name, { value: eager[name] });
    defineProperty(__root, name, { value: eager[name], configurable: true, enumerable: false, writable: true });
  }
  installLibraryView();
  defineProperty(__root, 'self', { value: __root, configurable: true, enumerable: false, writable: true });
  for (const name of ['WebAssembly', 'SharedArrayBuffer', 'Atomics']) delete __root[name];
  defineProperty(__root, Symbol.for('convo-fn.native'), { value: nodeBridge(), enumerable: false });
  const clock = installDate();
  return freeze({
    settle: ops.settle,
    report: (error: unknown) => report(error),
    setEnvironment,
    setClock: clock.setClock,
    begin: beginTimers,
    end() {
      endTimers();
      ops.forgetOps();
    },
  });
}

/** What libraries find when they look at `globalThis`: intrinsics and the few web classes they probe for, none of them user-made. */
function installLibraryView(): void {
  Object.assign(__lib, { Array, Object, Promise, String, TypeError, Symbol, Map, escape, decodeURIComponent });
  for (const name of ['TransformStream', 'ReadableStream', 'AbortController', 'DOMException']) {
    const get = getOwnPropertyDescriptor(__web, name)?.get;
    if (get) defineProperty(__lib, name, { get });
  }
}

/** For the bundler's `node:` modules only: named functions of the child's table for node:crypto and node:zlib. */
function nodeBridge(): object {
  return freeze({
    sync(name: unknown, ...args: unknown[]): unknown {
      if (typeof name !== 'string' || (!stringStartsWith(name, 'crypto.') && !stringStartsWith(name, 'zlib.'))) {
        throw makeError({ name: 'TypeError', message: 'unknown native function' });
      }
      return ops.sync(name, ...args);
    },
    inspect: (value: unknown, options?: object) =>
      (require('./inspect.ts') as typeof import('./inspect.ts')).inspect(value, options),
    format: (...args: unknown[]) => (require('./inspect.ts') as typeof import('./inspect.ts')).format(args),
  });
}
