/** The event classes: https://dom.spec.whatwg.org/#events. Targets are in `events.ts`. */
import { monotonicMs } from './clock.ts';

/** Data and dispatch state of an event, updated by `events.ts`. */
export interface State {
  type: string;
  bubbles: boolean;
  cancelable: boolean;
  composed: boolean;
  target: unknown;
  currentTarget: unknown;
  phase: number;
  stop: boolean;
  stopNow: boolean;
  canceled: boolean;
  passive: boolean;
  dispatching: boolean;
  initialized: boolean;
  trusted: boolean;
  timeStamp: number;
}

export const states = new WeakMap<object, State>();

export function stateOf(event: unknown): State {
  const state = states.get(event as object);
  if (!state) throw new TypeError('Illegal invocation');
  return state;
}

export function need(count: number, given: number, what: string): void {
  if (given < count)
    throw new TypeError(`${what}: ${count} argument${count > 1 ? 's' : ''} required, but only ${given} present`);
}

function dictionary(value: unknown, what: string): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' && typeof value !== 'function')
    throw new TypeError(`${what}: the options must be an object`);
  return value as Record<string, unknown>;
}

const isTrusted = Object.getOwnPropertyDescriptor(
  {
    get isTrusted(): boolean {
      return stateOf(this).trusted;
    },
  },
  'isTrusted',
)?.get as () => boolean;

export class Event {
  constructor(type: unknown, options: unknown = undefined) {
    need(1, arguments.length, "Failed to construct 'Event'");
    const name = `${type}`;
    const init = dictionary(options, "Failed to construct 'Event'");
    const { bubbles, cancelable, composed } = init;
    states.set(this, {
      type: name,
      bubbles: !!bubbles,
      cancelable: !!cancelable,
      composed: !!composed,
      target: null,
      currentTarget: null,
      phase: 0,
      stop: false,
      stopNow: false,
      canceled: false,
      passive: false,
      dispatching: false,
      initialized: true,
      trusted: false,
      timeStamp: monotonicMs(),
    });
    Object.defineProperty(this, 'isTrusted', { get: isTrusted, enumerable: true, configurable: false });
  }
  get type() {
    return stateOf(this).type;
  }
  get target() {
    return stateOf(this).target;
  }
  get srcElement() {
    return stateOf(this).target;
  }
  get currentTarget() {
    return stateOf(this).currentTarget;
  }
  composedPath(): unknown[] {
    const { currentTarget } = stateOf(this);
    return currentTarget === null ? [] : [currentTarget];
  }
  get eventPhase() {
    return stateOf(this).phase;
  }
  stopPropagation(): void {
    stateOf(this).stop = true;
  }
  get cancelBubble() {
    return stateOf(this).stop;
  }
  set cancelBubble(value: unknown) {
    if (value) stateOf(this).stop = true;
  }
  stopImmediatePropagation(): void {
    const state = stateOf(this);
    state.stop = true;
    state.stopNow = true;
  }
  get bubbles() {
    return stateOf(this).bubbles;
  }
  get cancelable() {
    return stateOf(this).cancelable;
  }
  get returnValue() {
    return !stateOf(this).canceled;
  }
  set returnValue(value: unknown) {
    if (!value) cancel(stateOf(this));
  }
  preventDefault(): void {
    cancel(stateOf(this));
  }
  get defaultPrevented() {
    return stateOf(this).canceled;
  }
  get composed() {
    return stateOf(this).composed;
  }
  get timeStamp() {
    return stateOf(this).timeStamp;
  }
  initEvent(type: unknown, bubbles: unknown = false, cancelable: unknown = false): void {
    need(1, arguments.length, "Failed to execute 'initEvent' on 'Event'");
    const state = stateOf(this);
    if (state.dispatching) return;
    state.initialized = true;
    state.stop = false;
    state.stopNow = false;
    state.canceled = false;
    state.trusted = false;
    state.target = null;
    state.type = `${type}`;
    state.bubbles = !!bubbles;
    state.cancelable = !!cancelable;
  }
}

function cancel(state: State): void {
  if (state.cancelable && !state.passive) state.canceled = true;
}

for (const [name, value] of Object.entries({ NONE: 0, CAPTURING_PHASE: 1, AT_TARGET: 2, BUBBLING_PHASE: 3 })) {
  Object.defineProperty(Event, name, { value, enumerable: true });
  Object.defineProperty(Event.prototype, name, { value, enumerable: true });
}

export class CustomEvent extends Event {
  #detail: unknown;
  constructor(type: unknown, options: unknown = undefined) {
    need(1, arguments.length, "Failed to construct 'CustomEvent'");
    super(type, options);
    const { detail } = dictionary(options, "Failed to construct 'CustomEvent'");
    this.#detail = detail === undefined ? null : detail;
  }
  get detail() {
    return this.#detail;
  }
  initCustomEvent(type: unknown, bubbles: unknown = false, cancelable: unknown = false, detail: unknown = null): void {
    if (stateOf(this).dispatching) return;
    this.initEvent(type, bubbles, cancelable);
    this.#detail = detail;
  }
}

export class ErrorEvent extends Event {
  #init: { message: string; filename: string; lineno: number; colno: number; error: unknown };
  constructor(type: unknown, options: unknown = undefined) {
    need(1, arguments.length, "Failed to construct 'ErrorEvent'");
    super(type, options);
    const {
      colno = 0,
      error,
      filename = '',
      lineno = 0,
      message = '',
    } = dictionary(options, "Failed to construct 'ErrorEvent'");
    this.#init = {
      message: `${message}`,
      filename: `${filename}`,
      lineno: Number(lineno) >>> 0,
      colno: Number(colno) >>> 0,
      error,
    };
  }
  get message() {
    return this.#init.message;
  }
  get filename() {
    return this.#init.filename;
  }
  get lineno() {
    return this.#init.lineno;
  }
  get colno() {
    return this.#init.colno;
  }
  get error() {
    return this.#init.error;
  }
}

export class PromiseRejectionEvent extends Event {
  #promise: object;
  #reason: unknown;
  constructor(type: unknown, options: unknown) {
    need(2, arguments.length, "Failed to construct 'PromiseRejectionEvent'");
    super(type, options);
    const { promise, reason } = dictionary(options, "Failed to construct 'PromiseRejectionEvent'");
    if (promise === null || typeof promise !== 'object') {
      throw new TypeError("Failed to construct 'PromiseRejectionEvent': promise is required");
    }
    this.#promise = promise;
    this.#reason = reason;
  }
  get promise() {
    return this.#promise;
  }
  get reason() {
    return this.#reason;
  }
}

export class MessageEvent extends Event {
  #init: { data: unknown; origin: string; lastEventId: string; source: unknown; ports: readonly unknown[] };
  constructor(type: unknown, options: unknown = undefined) {
    need(1, arguments.length, "Failed to construct 'MessageEvent'");
    super(type, options);
    const init = dictionary(options, "Failed to construct 'MessageEvent'");
    const { data = null, lastEventId = '', origin = '', ports = [], source = null } = init;
    this.#init = {
      data,
      origin: `${origin}`,
      lastEventId: `${lastEventId}`,
      source,
      ports: Object.freeze([...(ports as unknown[])]),
    };
  }
  get data() {
    return this.#init.data;
  }
  get origin() {
    return this.#init.origin;
  }
  get lastEventId() {
    return this.#init.lastEventId;
  }
  get source() {
    return this.#init.source;
  }
  get ports() {
    return this.#init.ports;
  }
}

export class CloseEvent extends Event {
  #init: { wasClean: boolean; code: number; reason: string };
  constructor(type: unknown, options: unknown = undefined) {
    need(1, arguments.length, "Failed to construct 'CloseEvent'");
    super(type, options);
    const { code = 0, reason = '', wasClean = false } = dictionary(options, "Failed to construct 'CloseEvent'");
    this.#init = { wasClean: !!wasClean, code: Number(code) & 0xffff, reason: `${reason}` };
  }
  get wasClean() {
    return this.#init.wasClean;
  }
  get code() {
    return this.#init.code;
  }
  get reason() {
    return this.#init.reason;
  }
}
