'use strict';
/**
 * Which stores of AsyncLocalStorage the running code sees. The engine tells nobody what an `await` belongs to, so this learns it from what
 * an `await` does: it reads `then` of its promise at once, if that promise's constructor is not the engine's own. From the first
 * AsyncLocalStorage on, `Promise` is a class around the engine's, and `then` an accessor that notes the context of who reads it.
 *
 * Only an `await` of something that is no promise leaves no trace. What follows it sees the run that began last and has not ended, which is
 * right unless several runs are under way at once.
 */
class Context {
  /** `Promise.prototype.then` as code of this context reads it. */
  reader;

  constructor(stores) {
    this.stores = stores;
    /** A job that runs right before what the engine does next. */
    this.announce = () => {
      current = this;
    };
  }

  with(storage, store) {
    return new Context(new Map(this.stores).set(storage, store));
  }

  /** From here on, as `enterWith` wants it: also for what is awaited later. */
  static replace(context) {
    soon(forget);
    current = context;
    begun(context);
  }
}

const root = new Context(new Map());
/** Undefined: unknown. */
let current = root;
/** Runs whose promise is not settled yet, and the invocation that began each. */
const unfinished = [];
/** Of a function whose context serves one invocation after the other; 0 at module level. */
const invocation = () => globalThis[Symbol.for('convo-fn.native')]?.invocation?.() ?? 0;

function contextNow() {
  if (current) return current;
  // What an earlier invocation left unfinished is none of this one's.
  const now = unfinished.length > 0 ? invocation() : 0;
  return unfinished.findLast(({ since }) => since === now || since === 0)?.context ?? root;
}

function begun(context) {
  const entry = { context, since: invocation() };
  for (let i = unfinished.length - 1; i >= 0; i--) {
    const { since } = unfinished[i];
    if (since !== 0 && since !== entry.since) unfinished.splice(i, 1);
  }
  unfinished.push(entry);
  return entry;
}

function forget() {
  current = undefined;
}

function enter(context, callback, self, args) {
  const before = contextNow();
  // In this order: the jobs that the callback leaves behind run after this one, unless they announce themselves.
  soon(forget);
  current = context;
  try {
    return callback.apply(self, args);
  } finally {
    current = before;
  }
}

function bound(callback, context) {
  return function (...args) {
    return enter(context, callback, this, args);
  };
}

/** Runs `callback`; until its promise is settled, code of an unknown context belongs to this one. */
function run(context, callback, args) {
  // Known from here on: this run must not count as the one around it.
  current = contextNow();
  const entry = begun(context);
  const leave = () => {
    const at = unfinished.lastIndexOf(entry);
    if (at >= 0) unfinished.splice(at, 1);
  };
  let result;
  try {
    result = enter(context, callback, undefined, args);
  } catch (error) {
    leave();
    throw error;
  }
  if (typeof result?.then === 'function') then.call(EnginePromise.resolve(result), leave, leave);
  else leave();
  return result;
}

const EnginePromise = Promise;
const { then } = EnginePromise.prototype;
const settled = EnginePromise.resolve();
const soon = (job) => void then.call(settled, job);

/** `callback` may be the engine's own function that continues after an `await`: it does so in a job of its own, between these two. */
function carried(callback, context) {
  if (typeof callback !== 'function') return callback;
  return (value) => {
    soon(context.announce);
    const before = current;
    current = context;
    try {
      return callback(value);
    } finally {
      current = before;
      soon(forget);
    }
  };
}

let following = false;

/** Begins to follow promises and timers. */
function follow() {
  if (following) return;
  following = true;
  soon(forget);
  followPromises();
  for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'])
    Object.defineProperty(globalThis, name, { ...hidden, value: callingBack(globalThis[name]) });
  if (globalThis.process?.nextTick) globalThis.process.nextTick = callingBack(globalThis.process.nextTick);
}

const hidden = { writable: true, configurable: true, enumerable: false };

function followPromises() {
  const { prototype } = EnginePromise;
  Object.defineProperty(prototype, 'then', {
    get() {
      const context = contextNow();
      context.reader ??= function (onFulfilled, onRejected) {
        return then.call(this, carried(onFulfilled, context), carried(onRejected, context));
      };
      return context.reader;
    },
    set(value) {
      Object.defineProperty(this, 'then', { value, writable: true, configurable: true, enumerable: true });
    },
    configurable: true,
  });
  function Followed(executor) {
    if (!new.target) throw new TypeError("Promise constructor cannot be invoked without 'new'");
    return Reflect.construct(EnginePromise, [executor], new.target === Followed ? EnginePromise : new.target);
  }
  Object.defineProperties(Followed, {
    name: { value: 'Promise' },
    prototype: { value: prototype },
    [Symbol.species]: {
      get() {
        return this === Followed ? EnginePromise : this;
      },
    },
  });
  Object.setPrototypeOf(Followed, EnginePromise);
  Object.defineProperty(prototype, 'constructor', { ...hidden, value: Followed });
  Object.defineProperty(globalThis, 'Promise', { ...hidden, value: Followed });
}

const promisified = Symbol.for('nodejs.util.promisify.custom');

/** A function that takes a callback first: the callback sees what the caller saw. */
function callingBack(start) {
  if (typeof start !== 'function') return start;
  const value = (callback, ...rest) =>
    start(typeof callback === 'function' ? bound(callback, contextNow()) : callback, ...rest);
  Object.defineProperty(value, 'name', { value: start.name });
  // util.promisify knows the timers by themselves.
  Object.defineProperty(value, promisified, { get: () => require('node:timers').promises[start.name] });
  return value;
}

module.exports = { Context, bound, contextNow, enter, follow, run };
