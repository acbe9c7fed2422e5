'use strict';
const { Context, bound, contextNow, enter, follow, run } = require('./async-context.cjs');
const missing = require('./missing.cjs');

class AsyncLocalStorage {
  #enabled = false;

  constructor(options = {}) {
    this.name = options.name ?? '';
    this.defaultValue = options.defaultValue;
    follow();
  }

  getStore() {
    const { stores } = contextNow();
    return this.#enabled && stores.has(this) ? stores.get(this) : this.defaultValue;
  }

  run(store, callback, ...args) {
    this.#enabled = true;
    return run(contextNow().with(this, store), callback, args);
  }

  exit(callback, ...args) {
    return this.run(undefined, callback, ...args);
  }

  enterWith(store) {
    this.#enabled = true;
    Context.replace(contextNow().with(this, store));
  }

  disable() {
    this.#enabled = false;
  }

  static bind(callback) {
    return bound(callback, contextNow());
  }

  static snapshot() {
    const context = contextNow();
    return (callback, ...args) => enter(context, callback, undefined, args);
  }
}

class AsyncResource {
  #context = contextNow();

  constructor(type) {
    this.type = type;
  }
  runInAsyncScope(callback, self, ...args) {
    return enter(this.#context, callback, self, args);
  }
  bind(callback, self) {
    return bound(self === undefined ? callback : callback.bind(self), this.#context);
  }
  static bind(callback, type, self) {
    return new AsyncResource(type).bind(callback, self);
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
