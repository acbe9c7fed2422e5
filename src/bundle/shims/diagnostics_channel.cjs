'use strict';
const channels = new Map();

class Channel {
  #subscribers = [];
  constructor(name) {
    this.name = name;
  }
  get hasSubscribers() {
    return this.#subscribers.length > 0;
  }
  subscribe(listener) {
    this.#subscribers.push(listener);
  }
  unsubscribe(listener) {
    const at = this.#subscribers.indexOf(listener);
    if (at >= 0) this.#subscribers.splice(at, 1);
    return at >= 0;
  }
  publish(message) {
    for (const listener of [...this.#subscribers]) listener(message, this.name);
  }
  bindStore() {}
  unbindStore() {
    return false;
  }
  runStores(message, callback, self, ...args) {
    this.publish(message);
    return callback.apply(self, args);
  }
}

function channel(name) {
  const found = channels.get(name) ?? new Channel(name);
  channels.set(name, found);
  return found;
}

const phases = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];

class TracingChannel {
  constructor(name) {
    for (const phase of phases)
      this[phase] = typeof name === 'string' ? channel(`tracing:${name}:${phase}`) : name[phase];
  }
  get hasSubscribers() {
    return phases.some((phase) => this[phase].hasSubscribers);
  }
  subscribe(listeners) {
    for (const phase of phases) if (listeners[phase]) this[phase].subscribe(listeners[phase]);
  }
  unsubscribe(listeners) {
    return phases.every((phase) => !listeners[phase] || this[phase].unsubscribe(listeners[phase]));
  }
  traceSync(callback, context = {}, self, ...args) {
    this.start.publish(context);
    try {
      context.result = callback.apply(self, args);
      return context.result;
    } catch (error) {
      context.error = error;
      this.error.publish(context);
      throw error;
    } finally {
      this.end.publish(context);
    }
  }
  async tracePromise(callback, context = {}, self, ...args) {
    this.start.publish(context);
    try {
      context.result = await callback.apply(self, args);
      return context.result;
    } catch (error) {
      context.error = error;
      this.error.publish(context);
      throw error;
    } finally {
      this.asyncEnd.publish(context);
    }
  }
  traceCallback(callback, position = -1, context = {}, self, ...args) {
    this.start.publish(context);
    const at = position < 0 ? args.length + position : position;
    const original = args[at];
    args[at] = (error, result) => {
      if (error) this.error.publish(Object.assign(context, { error }));
      else context.result = result;
      this.asyncStart.publish(context);
      try {
        return original(error, result);
      } finally {
        this.asyncEnd.publish(context);
      }
    };
    try {
      return callback.apply(self, args);
    } finally {
      this.end.publish(context);
    }
  }
}

module.exports = {
  Channel,
  channel,
  tracingChannel: (name) => new TracingChannel(name),
  hasSubscribers: (name) => channels.get(name)?.hasSubscribers ?? false,
  subscribe: (name, listener) => channel(name).subscribe(listener),
  unsubscribe: (name, listener) => channel(name).unsubscribe(listener),
};
