/**
 * setTimeout and related functions with a single host timer: only the earliest due time is set at the host, all others wait in a heap
 * here, so that a million timers only take the isolate's memory.
 */
import { start, type Ticket, withdraw } from './ops.ts';
import {
  apply,
  dateNow,
  defineProperty,
  mapClear,
  mapDelete,
  mapGet,
  mapSet,
  max,
  promiseThen,
  trunc,
} from './primordials.ts';
import { reportException } from './report.ts';

interface Timer {
  readonly id: number;
  readonly callback: (...args: unknown[]) => unknown;
  readonly args: unknown[];
  readonly delayMs: number;
  readonly repeats: boolean;
  dueMs: number;
  order: number;
  cancelled: boolean;
  /** `this` in the callback, as in Node: old packages call `clearInterval(this)`. */
  handle: object | undefined;
}

const timers = new Map<number, Timer>();
let heap: Timer[] = [];
let nextId = 1;
let order = 0;
let armed: Ticket = {};
let armedDueMs = Number.POSITIVE_INFINITY;
/** Callbacks run since the last pause. */
let unpaused = 0;
/** As many callbacks in a row have a turn each, so that the jobs that one leaves behind are done before the next. More share turns. */
const ownTurns = 16;

const before = (a: Timer, b: Timer) => a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);

function push(timer: Timer): void {
  let at = heap.length;
  heap[at] = timer;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] as Timer;
    if (before(above, timer)) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = timer;
}

function pop(): Timer | undefined {
  const top = heap[0];
  if (!top) return undefined;
  const last = heap[heap.length - 1] as Timer;
  heap.length--;
  const size = heap.length;
  if (size === 0) return top;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= size) break;
    if (child + 1 < size && before(heap[child + 1] as Timer, heap[child] as Timer)) child++;
    const below = heap[child] as Timer;
    if (before(last, below)) break;
    heap[at] = below;
    at = child;
  }
  heap[at] = last;
  return top;
}

function arm(): void {
  while (heap[0]?.cancelled) pop();
  const first = heap[0];
  if (!first || first.dueMs >= armedDueMs) return;
  armedDueMs = first.dueMs;
  // One timer at the host for the whole context.
  withdraw(armed, undefined);
  const mine: Ticket = {};
  armed = mine;
  const ms = max(0, first.dueMs - dateNow());
  if (ms > 0) unpaused = 0;
  promiseThen(
    start('timer', 'timer', { ms }, undefined, mine),
    () => {
      if (mine === armed) run();
    },
    () => {
      // Cancelled above, or refused because no invocation is running (module level): set again when one begins.
      if (mine === armed) armedDueMs = Number.POSITIVE_INFINITY;
    },
  );
}

function run(): void {
  armedDueMs = Number.POSITIVE_INFINITY;
  const now = dateNow();
  const until = order;
  try {
    for (;;) {
      const timer = heap[0];
      // Timers created by callbacks of this round wait for the next one, or a chain of zero delays would never return to the host.
      if (!timer || timer.dueMs > now || timer.order >= until) break;
      pop();
      if (timer.cancelled) continue;
      if (!timer.repeats) mapDelete(timers, timer.id);
      try {
        apply(timer.callback, timer.handle, timer.args);
      } catch (error) {
        reportException(error);
      }
      if (timer.repeats && !timer.cancelled) {
        timer.dueMs = max(now + timer.delayMs, dateNow());
        timer.order = order++;
        push(timer);
      }
      if (++unpaused <= ownTurns) break;
    }
  } finally {
    arm();
  }
}

function checked(name: string, callback: unknown): Timer['callback'] {
  if (typeof callback === 'function') return callback as Timer['callback'];
  throw new TypeError(`Failed to execute '${name}': the first argument must be a function`);
}

function add(name: string, callback: unknown, delay: unknown, args: unknown[], repeats: boolean): Timer {
  // As in Node: at least a millisecond, and too long a delay is none.
  const ms = trunc(Number(delay));
  return begin(nextId++, checked(name, callback), args, ms >= 1 && ms <= 0x7fffffff ? ms : 1, repeats);
}

function begin(id: number, callback: Timer['callback'], args: unknown[], delayMs: number, repeats: boolean): Timer {
  const dueMs = dateNow() + delayMs;
  const rank = order++;
  const timer: Timer = {
    id,
    callback,
    args,
    delayMs,
    repeats,
    dueMs,
    order: rank,
    cancelled: false,
    handle: undefined,
  };
  mapSet(timers, id, timer);
  push(timer);
  arm();
  return timer;
}

function remove(handle: unknown): void {
  const timer = mapGet(timers, Handle.idOf(handle));
  if (!timer) return;
  timer.cancelled = true;
  mapDelete(timers, timer.id);
}

/** Minified classes lose their names, and a logged timer shows its own. */
function nameClass(Class: object, name: string): void {
  defineProperty(Class, 'name', { __proto__: null, value: name, configurable: true } as PropertyDescriptor);
}

/**
 * Handle of a timer: an object, as in Node and in the app's types, because packages written for Node call `unref()` unconditionally. That
 * has no effect here: an invocation ends with its function's answer, whatever timers are pending.
 */
class Handle {
  readonly #id: number;
  #isRef = true;

  constructor(timer: Timer) {
    this.#id = timer.id;
    timer.handle = this;
  }

  /** The id of a handle, also if it was converted to a number or text. */
  static idOf(handle: unknown): number {
    return typeof handle === 'object' && handle !== null && #id in handle ? handle.#id : Number(handle);
  }

  ref(): this {
    this.#isRef = true;
    return this;
  }

  unref(): this {
    this.#isRef = false;
    return this;
  }

  hasRef(): boolean {
    return this.#isRef;
  }

  [Symbol.dispose](): void {
    remove(this);
  }
}

class Immediate extends Handle {
  static {
    nameClass(Immediate, 'Immediate');
  }
}

class Timeout extends Handle {
  static {
    nameClass(Timeout, 'Timeout');
  }
  #timer: Timer;

  constructor(timer: Timer) {
    super(timer);
    this.#timer = timer;
  }

  /** Restarts the timer, even after it has fired, but not after it was cleared. */
  refresh(): this {
    const { id, callback, args, delayMs, repeats, cancelled } = this.#timer;
    if (cancelled) return this;
    this.#timer.cancelled = true;
    this.#timer = begin(id, callback, args, delayMs, repeats);
    this.#timer.handle = this;
    return this;
  }

  close(): this {
    remove(this);
    return this;
  }

  [Symbol.toPrimitive](): number {
    return this.#timer.id;
  }
}

/** An invocation begins: sets timers created at module level, when the host accepts none. */
export function beginTimers(): void {
  armed = {};
  armedDueMs = Number.POSITIVE_INFINITY;
  arm();
}

/** An invocation has ended: drops its timers. */
export function endTimers(): void {
  mapClear(timers as Map<unknown, unknown>);
  heap = [];
  armed = {};
  armedDueMs = Number.POSITIVE_INFINITY;
}

export const functions = {
  setTimeout(callback: unknown, delay: unknown = 0, ...args: unknown[]): Timeout {
    return new Timeout(add('setTimeout', callback, delay, args, false));
  },
  setInterval(callback: unknown, delay: unknown = 0, ...args: unknown[]): Timeout {
    return new Timeout(add('setInterval', callback, delay, args, true));
  },
  setImmediate(callback: unknown, ...args: unknown[]): Immediate {
    return new Immediate(begin(nextId++, checked('setImmediate', callback), args, 0, false));
  },
  clearTimeout(handle: unknown = 0): void {
    remove(handle);
  },
  clearInterval(handle: unknown = 0): void {
    remove(handle);
  },
  clearImmediate(handle: unknown = 0): void {
    remove(handle);
  },
};
