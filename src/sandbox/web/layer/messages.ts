/** MessageChannel within one context: https://html.spec.whatwg.org/#message-channels */
import { cloneWithTransfer } from './clone.ts';
import { makeError } from './errors.ts';
import { EventTarget, eventHandler, fire, MessageEvent } from './events.ts';
import { expose } from './expose.ts';

const making = Symbol('making a port');

interface PortState {
  other: MessagePort | undefined;
  started: boolean;
  closed: boolean;
  queue: { data: unknown; ports: MessagePort[] }[];
  scheduled: boolean;
}

const states = new WeakMap<object, PortState>();

function stateOf(port: unknown): PortState {
  const state = states.get(port as object);
  if (!state) throw new TypeError('Illegal invocation');
  return state;
}

export class MessagePort extends EventTarget {
  declare onmessage: unknown;

  constructor(token?: unknown) {
    if (token !== making) throw new TypeError('Illegal constructor');
    super();
    states.set(this, { other: undefined, started: false, closed: false, queue: [], scheduled: false });
  }

  postMessage(message: unknown, options: unknown = undefined): void {
    if (arguments.length === 0)
      throw new TypeError("Failed to execute 'postMessage' on 'MessagePort': 1 argument required");
    const state = stateOf(this);
    const list = transferList(options);
    if (list.includes(this))
      throw makeError({ name: 'DataCloneError', message: 'A port cannot be sent through itself' });
    const ports: MessagePort[] = [];
    const data = cloneWithTransfer(message, list, (port) => {
      const moved = movePort(port);
      if (moved) ports.push(moved);
      return moved;
    });
    const { other } = state;
    if (!other) return;
    const target = stateOf(other);
    if (target.closed) return;
    target.queue.push({ data, ports });
    schedule(other, target);
  }

  start(): void {
    const state = stateOf(this);
    state.started = true;
    schedule(this, state);
  }

  close(): void {
    const state = stateOf(this);
    if (state.closed) return;
    state.closed = true;
    state.queue = [];
    const { other } = state;
    state.other = undefined;
    if (other) stateOf(other).other = undefined;
  }
}

/** Replaces a transferred port, which becomes unusable. */
function movePort(port: object): MessagePort | undefined {
  const from = states.get(port);
  if (!from) return undefined;
  if (from.closed) throw makeError({ name: 'DataCloneError', message: 'A closed port cannot be transferred' });
  const moved = new MessagePort(making);
  const to = stateOf(moved);
  to.other = from.other;
  to.queue = from.queue;
  if (from.other) stateOf(from.other).other = moved;
  from.other = undefined;
  from.closed = true;
  from.queue = [];
  return moved;
}

function transferList(options: unknown): unknown[] {
  if (options === undefined || options === null) return [];
  const list = Array.isArray(options) ? options : (options as { transfer?: unknown }).transfer;
  return list === undefined ? [] : [...(list as Iterable<unknown>)];
}

function schedule(port: MessagePort, state: PortState): void {
  if (!state.started || state.scheduled || state.queue.length === 0) return;
  state.scheduled = true;
  (__web['setImmediate'] as (task: () => void) => void)(() => {
    state.scheduled = false;
    const message = state.queue.shift();
    if (!message || state.closed) return;
    fire(port, new MessageEvent('message', message));
    schedule(port, state);
  });
}

export class MessageChannel {
  readonly #port1 = new MessagePort(making);
  readonly #port2 = new MessagePort(making);
  constructor() {
    stateOf(this.#port1).other = this.#port2;
    stateOf(this.#port2).other = this.#port1;
  }
  get port1(): MessagePort {
    return this.#port1;
  }
  get port2(): MessagePort {
    return this.#port2;
  }
}

expose(MessagePort, 'MessagePort');
expose(MessageChannel, 'MessageChannel');
eventHandler(MessagePort.prototype, 'message', (port) => (port as MessagePort).start());
eventHandler(MessagePort.prototype, 'messageerror');
