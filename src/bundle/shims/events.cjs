'use strict';
// The npm package is Node's own code of an earlier year; what came since is added here.
const EventEmitter = require('events/');

EventEmitter.EventEmitter = EventEmitter;
EventEmitter.errorMonitor = Symbol('events.errorMonitor');
EventEmitter.captureRejectionSymbol = Symbol.for('nodejs.rejection');
EventEmitter.captureRejections = false;
EventEmitter.usingDomains = false;

const { emit } = EventEmitter.prototype;
EventEmitter.prototype.emit = function (type, ...args) {
  if (type === 'error' && this.listenerCount(EventEmitter.errorMonitor) > 0) {
    emit.call(this, EventEmitter.errorMonitor, ...args);
  }
  if (type === 'error' && !(args[0] instanceof Error) && this.listenerCount('error') === 0) throw unhandled(args[0]);
  return emit.call(this, type, ...args);
};

function unhandled(value) {
  const inspect = globalThis[Symbol.for('convo-fn.native')]?.inspect ?? String;
  const error = new Error(`Unhandled error. (${inspect(value)})`);
  return Object.assign(error, { code: 'ERR_UNHANDLED_ERROR', context: value });
}

EventEmitter.getEventListeners = (target, type) => {
  if (typeof target.listeners === 'function') return target.listeners(type);
  throw new TypeError('The "emitter" argument must be an EventEmitter');
};
EventEmitter.getMaxListeners = (target) =>
  typeof target.getMaxListeners === 'function' ? target.getMaxListeners() : EventEmitter.defaultMaxListeners;
EventEmitter.setMaxListeners = (count = EventEmitter.defaultMaxListeners, ...targets) => {
  if (targets.length === 0) EventEmitter.defaultMaxListeners = count;
  for (const target of targets) if (typeof target.setMaxListeners === 'function') target.setMaxListeners(count);
};
EventEmitter.addAbortListener = (signal, listener) => {
  if (signal.aborted) queueMicrotask(() => listener(new Event('abort')));
  else signal.addEventListener('abort', listener, { once: true });
  return { [Symbol.dispose ?? Symbol.for('nodejs.dispose')]: () => signal.removeEventListener('abort', listener) };
};

const once = EventEmitter.once;
EventEmitter.once = (emitter, name, options) => {
  const signal = options?.signal;
  if (!signal) return once(emitter, name);
  if (signal.aborted) return Promise.reject(abortError(signal));
  return new Promise((resolve, reject) => {
    const abort = () => reject(abortError(signal));
    signal.addEventListener('abort', abort, { once: true });
    once(emitter, name)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
};

/** Asynchronous iteration over the events of one name; ends by the signal, by a `close` event named, or by `return`. */
EventEmitter.on = (emitter, name, options = {}) => {
  const waiting = [];
  const events = [];
  let failure;
  let done = false;
  const finish = (error) => {
    done = true;
    failure ??= error;
    emitter.removeListener(name, take);
    emitter.removeListener('error', finish);
    options.signal?.removeEventListener('abort', abort);
    for (const { resolve, reject } of waiting.splice(0)) {
      if (failure) reject(failure);
      else resolve({ value: undefined, done: true });
      failure = undefined;
    }
  };
  const take = (...args) => {
    const next = waiting.shift();
    if (next) next.resolve({ value: args, done: false });
    else events.push(args);
  };
  const abort = () => finish(abortError(options.signal));
  if (options.signal?.aborted) throw abortError(options.signal);
  options.signal?.addEventListener('abort', abort, { once: true });
  emitter.on(name, take);
  if (name !== 'error') emitter.on('error', finish);
  for (const end of options.close ?? []) emitter.once(end, () => finish());
  return {
    next() {
      if (events.length > 0) return Promise.resolve({ value: events.shift(), done: false });
      if (failure) {
        const error = failure;
        failure = undefined;
        return Promise.reject(error);
      }
      if (done) return Promise.resolve({ value: undefined, done: true });
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    return() {
      finish();
      return Promise.resolve({ value: undefined, done: true });
    },
    throw(error) {
      finish(error);
      return Promise.reject(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
};

function abortError(signal) {
  const error = new Error('The operation was aborted', { cause: signal.reason });
  error.name = 'AbortError';
  error.code = 'ABORT_ERR';
  return error;
}

module.exports = EventEmitter;
