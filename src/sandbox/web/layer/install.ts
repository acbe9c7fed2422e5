import './clock.ts';
import { type ClockHandles, installDate } from './date.ts';
import { setEnvironment } from './environment.ts';
import { makeError, type PlainError, report } from './errors.ts';
import { InertFinalizationRegistry } from './finalization.ts';
import * as ops from './ops.ts';
import { apply, defineProperty, freeze, stringStartsWith } from './primordials.ts';
import { reportException } from './report.ts';
import { standFor } from './stand-in-request.ts';
import { beginTimers, endTimers, functions as timerFunctions } from './timers.ts';

/** Handles of one context, for the host. */
export interface Handles extends ClockHandles {
  /** Answers an operation begun by `native.start`. */
  settle(id: number, errorJson?: string, json?: string, bytes?: unknown): void;
  /** A thrown value as plain data (name, message, stack, code, cause), whatever it is. */
  report(error: unknown): PlainError;
  /** Sets `process.env` to a frozen copy. */
  setEnvironment(environment: Record<string, string>): void;
  /** A debugger may be attached: log output also goes to V8's own console. */
  inspected(own: object): void;
  /** Evaluates late parts in advance. @param parts names, separated by spaces */
  preload(parts: string): void;
  /** Names of the late parts used since `preload`, separated by spaces. */
  used(): string;
  /** An invocation begins: timers made at module level start to run. */
  begin(): void;
  /** For the prelude: the original globals, and the stand-in for Request. */
  platform: {
    original(name: string, wake: boolean): unknown;
    requests(stand: (value: unknown) => object | undefined): void;
    bodyAtHand(response: object): string | ArrayBuffer | undefined;
  };
  /** An invocation has ended: drops its timers and ignores late answers. For contexts that are used again. */
  end(): void;
}

/** Where each global comes from: late parts (see build.ts) and the names that they define, loaded at the first use of one. */
const late = [
  'base64',
  'atob btoa',
  'blob',
  'Blob File',
  'buffer',
  'Buffer',
  'clone',
  'structuredClone',
  'compression',
  'CompressionStream DecompressionStream',
  'console',
  'console',
  'crypto',
  'Crypto CryptoKey SubtleCrypto crypto',
  'dom-exception',
  'DOMException',
  'encoding',
  'TextDecoder TextDecoderStream TextEncoder TextEncoderStream',
  'events',
  'AbortController AbortSignal CloseEvent CustomEvent ErrorEvent Event EventTarget MessageEvent PromiseRejectionEvent',
  'fetch',
  'FormData Headers Request Response',
  'messages',
  'MessageChannel MessagePort',
  'navigator',
  'Navigator navigator',
  'performance',
  'Performance PerformanceEntry PerformanceMark PerformanceMeasure PerformanceObserver PerformanceObserverEntryList performance',
  'process',
  'process',
  'streams',
  'ByteLengthQueuingStrategy CountQueuingStrategy ReadableByteStreamController ReadableStream ReadableStreamBYOBReader ReadableStreamBYOBRequest ReadableStreamDefaultController ReadableStreamDefaultReader TransformStream TransformStreamDefaultController WritableStream WritableStreamDefaultController WritableStreamDefaultWriter',
  'url',
  'URL URLSearchParams',
  'url-pattern',
  'URLPattern',
  'web-socket',
  'WebSocket',
];

/** The names of each part, at the same index as in `late`. */
const lateNames: string[][] = [];

const eager: Record<string, unknown> = {
  __proto__: null,
  FinalizationRegistry: InertFinalizationRegistry,
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
    return (__part('fetch') as typeof import('./fetch.ts')).fetch(input, init);
  },
};

const settled = Promise.resolve();
const then = Promise.prototype.then;
const enqueue = (callback: () => void) => void apply(then, settled, [callback]);

/** Used by every `defineRoot`; without a prototype, so that changes of Object.prototype have no effect. */
const data = { __proto__: null, value: undefined as unknown, configurable: true, enumerable: false, writable: true };

function defineRoot(name: PropertyKey, value: unknown): void {
  data.value = value;
  defineProperty(__root, name, data);
  data.value = undefined;
}

function defineLate(part: string, name: string): void {
  // After the first use the global is a plain property, as on the web. Libraries in the layer keep using the original.
  const get = () => {
    const value = member(part, name);
    defineRoot(name, value);
    return value;
  };
  const set = (replacement: unknown) => defineRoot(name, replacement);
  // A plain literal: no user code has run yet, and V8 reads descriptors without a prototype several times slower.
  defineProperty(__root, name, { get, set, configurable: true });
}

const bodyAtHand = (response: object): string | ArrayBuffer | undefined =>
  (__part('fetch') as typeof import('./fetch.ts')).bodyAtHand(response as never);

/** The part that defines each late global. Created on first use: most programs need none. */
let partOf: Record<string, string> | undefined;

function partsByName(): Record<string, string> {
  const parts: Record<string, string> = { __proto__: null as never };
  for (let i = 0; i < late.length; i += 2) {
    const names = lateNames[i] as string[];
    for (let j = 0; j < names.length; j++) parts[names[j] as string] = late[i] as string;
  }
  return parts;
}

function original(name: string, wake: boolean): unknown {
  partOf ??= partsByName();
  const part = partOf[name];
  return part !== undefined && (wake || __made[part]) ? member(part, name) : undefined;
}

function preload(parts: string): void {
  const names = parts.split(' '); // no user code has run yet
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    if (__parts[name]) __part(name);
  }
  __used = { __proto__: null } as never;
}

function used(): string {
  let names = '';
  for (const name in __used) names += names === '' ? name : ` ${name}`;
  return names;
}

/** A member of a late part. Restores the names of minified global classes. */
function member(part: string, name: string): unknown {
  const value = __part(part)[name];
  if (typeof value === 'function' && value.name !== name) {
    defineProperty(value, 'name', { __proto__: null, value: name, configurable: true } as PropertyDescriptor);
  }
  return value;
}

/** Defines the globals and gives the host its handles. Called once per context, before any user code. */
export function install(native: ops.Native): Handles {
  ops.connect(native);
  for (let i = 0; i < late.length; i += 2) {
    const names = (late[i + 1] as string).split(' ');
    lateNames[i] = names;
    for (let j = 0; j < names.length; j++) defineLate(late[i] as string, names[j] as string);
  }
  for (const name in eager) defineRoot(name, eager[name]);
  __late = (name) => eager[name] ?? original(name, true);
  defineRoot('self', __root);
  for (const name of ['WebAssembly', 'SharedArrayBuffer', 'Atomics']) delete __root[name];
  defineProperty(__root, Symbol.for('convo-fn.native'), { value: nodeBridge(), enumerable: false });
  const clock = installDate();
  return freeze({
    settle: ops.settle,
    report: (error: unknown) => report(error),
    setEnvironment,
    setClock: clock.setClock,
    inspected(own: object) {
      __console = own as never;
    },
    preload,
    used,
    begin() {
      invocations++;
      beginTimers();
    },
    platform: { original, requests: standFor, bodyAtHand },
    end() {
      endTimers();
      ops.forgetOps();
    },
  });
}

/** How many invocations this context has begun. Its module level is before the first. */
let invocations = 0;

/** For the bundler's `node:` modules only: calls the child's functions for node:crypto and node:zlib by name. */
function nodeBridge(): object {
  return freeze({
    sync(name: unknown, ...args: unknown[]): unknown {
      if (typeof name !== 'string' || (!stringStartsWith(name, 'crypto.') && !stringStartsWith(name, 'zlib.'))) {
        throw makeError({ name: 'TypeError', message: 'unknown native function' });
      }
      return ops.sync(name, ...args);
    },
    invocation: () => invocations,
    inspect: (value: unknown, options?: object) =>
      (__part('inspect') as typeof import('./inspect.ts')).inspect(value, options),
    format: (...args: unknown[]) => (__part('inspect') as typeof import('./inspect.ts')).format(args),
  });
}
