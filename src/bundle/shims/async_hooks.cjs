'use strict';
const missing = require('./missing.cjs');

/**
 * Without hooks of the engine a store cannot follow each promise. A function serves one request at a time in its context, so the
 * store of the innermost `run` that has not ended yet is right for code that awaits what it starts; two runs side by side see
 * the store of the one that began last.
 */
class AsyncLocalStorage {
  #stack = [];
  #enabled = true;

  constructor(options = {}) {
    this.name = options.name ?? '';
    this.defaultValue = options.defaultValue;
  }

  getStore() {
    return this.#enabled && this.#stack.length > 0 ? this.#stack.at(-1).store : this.defaultValue;
  }

  run(store, callback, ...args) {
    const frame = { store };
    this.#enabled = true;
    this.#stack.push(frame);
    let result;
    try {
      result = callback(...args);
    } catch (error) {
      this.#leave(frame);
      throw error;
    }
    if (typeof result?.then !== 'function') {
      this.#leave(frame);
      return result;
    }
    const leave = () => this.#leave(frame);
    Promise.resolve(result).then(leave, leave);
    return result;
  }

  exit(callback, ...args) {
    return this.run(undefined, callback, ...args);
  }

  enterWith(store) {
    this.#enabled = true;
    this.#stack.push({ store });
  }

  disable() {
    this.#enabled = false;
    this.#stack = [];
  }

  #leave(frame) {
    const at = this.#stack.indexOf(frame);
    if (at >= 0) this.#stack.splice(at, 1);
  }

  static bind(callback) {
    return AsyncLocalStorage.snapshot().bind(undefined, callback);
  }

  static snapshot() {
    return (callback, ...args) => callback(...args);
  }
}

class AsyncResource {
  constructor(type) {
    this.type = type;
  }
  runInAsyncScope(callback, self, ...args) {
    return callback.apply(self, args);
  }
  bind(callback, self) {
    return callback.bind(self);
  }
  static bind(callback, _type, self) {
    return callback.bind(self);
  }
  emitDestroy() {
    return this;
  }
  asyncId() {
    return 1;
  }
  triggerAsyncId() {
    return 0;
  }
}

const hook = { enable: () => hook, disable: () => hook };

module.exports = {
  AsyncLocalStorage,
  AsyncResource,
  createHook: () => hook,
  executionAsyncId: () => 1,
  triggerAsyncId: () => 0,
  executionAsyncResource: () => ({}),
  asyncWrapProviders: missing('async_hooks.asyncWrapProviders'),
};
