/** Event targets and abort signals: https://dom.spec.whatwg.org/ sections 2 and 3, without a tree. They depend on each other. */
import { makeError, placed, withoutPlace } from './errors.ts';
import {
  CloseEvent,
  CustomEvent,
  ErrorEvent,
  Event,
  MessageEvent,
  need,
  PromiseRejectionEvent,
  type State,
  stateOf,
  states,
} from './event-classes.ts';
import { expose } from './expose.ts';
import { apply } from './primordials.ts';
import { reportException } from './report.ts';

// Other parts get them from this one.
export { CloseEvent, CustomEvent, ErrorEvent, Event, MessageEvent, PromiseRejectionEvent };

interface Listener {
  type: string;
  callback: ((event: Event) => unknown) | { handleEvent(event: Event): unknown };
  capture: boolean;
  once: boolean;
  passive: boolean;
  removed: boolean;
}

const listeners = new WeakMap<object, Listener[]>();

function listenersOf(target: unknown): Listener[] {
  const list = listeners.get((target ?? __root) as object);
  if (!list) throw new TypeError('Illegal invocation');
  return list;
}

function capturing(options: unknown): boolean {
  if (typeof options === 'boolean') return options;
  if (options !== null && (typeof options === 'object' || typeof options === 'function')) {
    return !!(options as { capture?: unknown }).capture;
  }
  return !!options;
}

export class EventTarget {
  constructor() {
    listeners.set(this, []);
  }

  addEventListener(type: unknown, callback: unknown, options: unknown = {}): void {
    need(2, arguments.length, "Failed to execute 'addEventListener' on 'EventTarget'");
    const list = listenersOf(this);
    const capture = capturing(options);
    const more = (typeof options === 'object' && options !== null ? options : {}) as Record<string, unknown>;
    const once = !!more['once'];
    const passive = !!more['passive'];
    const { signal } = more;
    if (signal !== undefined && !(signal instanceof AbortSignal)) {
      throw new TypeError("Failed to execute 'addEventListener' on 'EventTarget': signal is not an AbortSignal");
    }
    if (callback === null || callback === undefined) return;
    if (typeof callback !== 'function' && typeof callback !== 'object') {
      throw new TypeError("Failed to execute 'addEventListener' on 'EventTarget': the listener is not an object");
    }
    if (signal?.aborted) return;
    const name = `${type}`;
    if (list.some((l) => l.type === name && l.callback === callback && l.capture === capture)) return;
    const listener: Listener = {
      type: name,
      callback: callback as Listener['callback'],
      capture,
      once,
      passive,
      removed: false,
    };
    list.push(listener);
    if (signal) addAbortAlgorithm(signal, () => removeListener(list, listener));
  }

  removeEventListener(type: unknown, callback: unknown, options: unknown = {}): void {
    need(2, arguments.length, "Failed to execute 'removeEventListener' on 'EventTarget'");
    const list = listenersOf(this);
    const capture = capturing(options);
    const name = `${type}`;
    const found = list.find((l) => l.type === name && l.callback === callback && l.capture === capture);
    if (found) removeListener(list, found);
  }

  dispatchEvent(event: unknown): boolean {
    need(1, arguments.length, "Failed to execute 'dispatchEvent' on 'EventTarget'");
    listenersOf(this);
    const state = states.get(event as object);
    if (!state) throw new TypeError("Failed to execute 'dispatchEvent' on 'EventTarget': the argument is not an Event");
    if (state.dispatching || !state.initialized) {
      throw makeError({ name: 'InvalidStateError', message: 'The event is already being dispatched' });
    }
    state.trusted = false;
    return dispatch(this ?? __root, event as Event, state);
  }
}

function removeListener(list: Listener[], listener: Listener): void {
  listener.removed = true;
  const at = list.indexOf(listener);
  if (at >= 0) list.splice(at, 1);
}

function dispatch(target: object, event: Event, state: State): boolean {
  state.dispatching = true;
  state.target = target;
  state.currentTarget = target;
  state.phase = 2;
  for (const capture of [true, false]) {
    if (state.stop) break;
    invoke(target, event, state, capture);
  }
  state.phase = 0;
  state.currentTarget = null;
  state.dispatching = false;
  state.stop = false;
  state.stopNow = false;
  return !state.canceled;
}

function invoke(target: object, event: Event, state: State, capture: boolean): void {
  const list = listenersOf(target);
  for (const listener of list.slice()) {
    if (listener.removed || listener.type !== state.type || listener.capture !== capture) continue;
    if (listener.once) removeListener(list, listener);
    state.passive = listener.passive;
    try {
      const { callback } = listener;
      if (typeof callback === 'function') apply(callback, target, [event]);
      else {
        const { handleEvent } = callback;
        if (typeof handleEvent !== 'function') throw new TypeError('handleEvent is not a function');
        apply(handleEvent, callback, [event]);
      }
    } catch (error) {
      reportException(error);
    }
    state.passive = false;
    if (state.stopNow) return;
  }
}

/** Dispatches an event created by the platform (`isTrusted`). */
export function fire(target: object, event: Event): boolean {
  const state = stateOf(event);
  state.trusted = true;
  return dispatch(target, event, state);
}

/** `onabort`, `onmessage` …: a listener that keeps its position from when it was first set. */
export function eventHandler(prototype: object, type: string, changed?: (target: object) => void): void {
  const handlers = new WeakMap<object, { value: unknown; added: boolean }>();
  Object.defineProperty(prototype, `on${type}`, {
    configurable: true,
    enumerable: true,
    get(this: object) {
      listenersOf(this);
      return handlers.get(this)?.value ?? null;
    },
    set(this: object, value: unknown) {
      const list = listenersOf(this);
      const usable = typeof value === 'function' || (typeof value === 'object' && value !== null) ? value : null;
      const known = handlers.get(this);
      if (known) {
        if (known.value === null && usable !== null) removeAndAdd(list, known, type);
        known.value = usable;
      } else if (usable !== null) {
        const handler = { value: usable as unknown, added: true };
        handlers.set(this, handler);
        list.push(handlerListener(type, handler));
      }
      changed?.(this);
    },
  });
}

function handlerListener(type: string, handler: { value: unknown }): Listener {
  const callback = function (this: unknown, event: Event) {
    if (typeof handler.value === 'function') {
      if (apply(handler.value as (event: Event) => unknown, this, [event]) === false) event.preventDefault();
    }
  };
  const listener: Listener = { type, callback, capture: false, once: false, passive: false, removed: false };
  handlerListeners.set(handler, listener);
  return listener;
}

const handlerListeners = new WeakMap<object, Listener>();

function removeAndAdd(list: Listener[], handler: { value: unknown }, type: string): void {
  const before = handlerListeners.get(handler);
  if (before) removeListener(list, before);
  list.push(handlerListener(type, handler));
}

interface SignalState {
  aborted: boolean;
  reason: unknown;
  algorithms: Set<() => void>;
  dependent: boolean;
  sources: Set<AbortSignal>;
  dependents: Set<AbortSignal>;
}

const signals = new WeakMap<object, SignalState>();
const making = Symbol('making a signal');

function signalState(signal: unknown): SignalState {
  const state = signals.get(signal as object);
  if (!state) throw new TypeError('Illegal invocation');
  return state;
}

export class AbortSignal extends EventTarget {
  declare onabort: ((event: Event) => unknown) | null;

  constructor(key?: unknown) {
    if (key !== making) throw new TypeError('Illegal constructor');
    super();
    signals.set(this, {
      aborted: false,
      reason: undefined,
      algorithms: new Set(),
      dependent: false,
      sources: new Set(),
      dependents: new Set(),
    });
  }

  static abort(reason: unknown = undefined): AbortSignal {
    const signal = new AbortSignal(making);
    const state = signalState(signal);
    state.aborted = true;
    state.reason = reason === undefined ? abortError() : reason;
    return signal;
  }

  static timeout(ms: unknown): AbortSignal {
    need(1, arguments.length, "Failed to execute 'timeout' on 'AbortSignal'");
    const delay = Number(ms);
    if (!(delay >= 0) || delay > Number.MAX_SAFE_INTEGER) {
      throw new TypeError("Failed to execute 'timeout' on 'AbortSignal': the delay is outside the range of numbers");
    }
    const signal = new AbortSignal(making);
    (__web['setTimeout'] as (task: () => void, ms: number) => void)(
      () => signalAbort(signal, timeoutError()),
      Math.trunc(delay),
    );
    return signal;
  }

  static any(list: unknown): AbortSignal {
    need(1, arguments.length, "Failed to execute 'any' on 'AbortSignal'");
    if (list === null || typeof list !== 'object') throw new TypeError('AbortSignal.any: the argument is not iterable');
    const sources: AbortSignal[] = [];
    for (const item of list as Iterable<unknown>) {
      if (!(item instanceof AbortSignal)) throw new TypeError('AbortSignal.any: an item is not an AbortSignal');
      sources.push(item);
    }
    const result = new AbortSignal(making);
    const state = signalState(result);
    for (const source of sources) {
      const from = signalState(source);
      if (from.aborted) {
        state.aborted = true;
        state.reason = from.reason;
        return result;
      }
    }
    state.dependent = true;
    for (const source of sources) {
      const from = signalState(source);
      for (const root of from.dependent ? from.sources : [source]) {
        state.sources.add(root);
        signalState(root).dependents.add(result);
      }
    }
    return result;
  }

  get aborted(): boolean {
    return signalState(this).aborted;
  }

  get reason(): unknown {
    return signalState(this).reason;
  }

  throwIfAborted(): void {
    const state = signalState(this);
    if (state.aborted) throw placed(state.reason);
  }
}

function timeoutError(): Error {
  return withoutPlace(makeError({ name: 'TimeoutError', message: 'The operation was aborted due to timeout' }));
}

function abortError(): Error {
  return makeError({ name: 'AbortError', message: 'This operation was aborted' });
}

function signalAbort(signal: AbortSignal, reason: unknown): void {
  const state = signalState(signal);
  if (state.aborted) return;
  state.aborted = true;
  state.reason = reason === undefined ? abortError() : reason;
  const dependents: AbortSignal[] = [];
  for (const dependent of state.dependents) {
    const other = signalState(dependent);
    if (!other.aborted) {
      other.aborted = true;
      other.reason = state.reason;
      dependents.push(dependent);
    }
  }
  runAbortSteps(signal, state);
  for (const dependent of dependents) runAbortSteps(dependent, signalState(dependent));
}

function runAbortSteps(signal: AbortSignal, state: SignalState): void {
  for (const algorithm of state.algorithms) algorithm();
  state.algorithms.clear();
  fire(signal, new Event('abort'));
}

/** Runs before the abort event, once. */
export function addAbortAlgorithm(signal: AbortSignal, algorithm: () => void): void {
  const state = signalState(signal);
  if (!state.aborted) state.algorithms.add(algorithm);
}

export function removeAbortAlgorithm(signal: AbortSignal, algorithm: () => void): void {
  signalState(signal).algorithms.delete(algorithm);
}

export class AbortController {
  #signal = new AbortSignal(making);
  get signal(): AbortSignal {
    return this.#signal;
  }
  abort(reason: unknown = undefined): void {
    signalAbort(this.#signal, reason);
  }
}

expose(Event, 'Event');
expose(CustomEvent, 'CustomEvent');
expose(ErrorEvent, 'ErrorEvent');
expose(PromiseRejectionEvent, 'PromiseRejectionEvent');
expose(MessageEvent, 'MessageEvent');
expose(CloseEvent, 'CloseEvent');
expose(EventTarget, 'EventTarget');
expose(AbortSignal, 'AbortSignal');
expose(AbortController, 'AbortController');
eventHandler(AbortSignal.prototype, 'abort');
Object.defineProperty(AbortSignal, 'length', { value: 0 });
for (const name of ['abort', 'timeout', 'any']) Object.defineProperty(AbortSignal, name, { enumerable: true });
