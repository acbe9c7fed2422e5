/**
 * What undici's fetch files ask of Node's modules, in the few lines they use. Loaded with the first Headers, Request, Response or
 * FormData.
 */
import { format, inspect as show } from './inspect.ts';
import { isArrayBuffer, isView, typedArrayName } from './primordials.ts';

export function assert(value: unknown, message: unknown = 'assertion failed'): void {
  if (!value) throw message instanceof Error ? message : new TypeError(`${message}`);
}
assert.ok = assert;
assert.equal = (a: unknown, b: unknown) => assert(a === b);
assert.strictEqual = assert.equal;
assert.notEqual = (a: unknown, b: unknown) => assert(a !== b);
assert.notStrictEqual = assert.notEqual;

const isTypedArray = (value: unknown) => isView(value) && typedArrayName(value) !== undefined;

export const utilTypes = {
  isArrayBuffer,
  isAnyArrayBuffer: isArrayBuffer,
  isSharedArrayBuffer: () => false,
  isArrayBufferView: isView,
  isTypedArray,
  isDataView: (value: unknown) => isView(value) && typedArrayName(value) === undefined,
  isUint8Array: (value: unknown) => typedArrayName(value) === 'Uint8Array',
  // Not observable in plain JavaScript; false takes undici's fast path, which asks the object the same questions.
  isProxy: () => true,
};

const inspect = Object.assign((value: unknown, options?: object) => show(value, options), {
  custom: Symbol.for('nodejs.util.inspect.custom'),
});

export const util = {
  types: utilTypes,
  inspect,
  formatWithOptions: (_options: unknown, ...values: unknown[]) => format(values),
  promisify: (f: unknown) => f,
  inherits() {},
  deprecate: (f: unknown) => f,
  toUSVString: (text: string) => text.toWellFormed(),
};

// web-streams-polyfill keeps its state in these two fields, which minifying leaves alone.
interface StreamFields {
  _disturbed?: boolean;
  _state?: string;
}

class Nothing {}

export const stream = {
  isDisturbed: (value: StreamFields) => value._disturbed === true,
  isErrored: (value: StreamFields) => value._state === 'errored',
  isReadable: (value: StreamFields) => value._state === 'readable',
  Readable: Nothing,
  Transform: Nothing,
  Stream: Nothing,
};

export const streamWeb = {};

export const events = {
  EventEmitter: Nothing,
  addAbortListener(signal: AbortSignal, listener: () => void) {
    signal.addEventListener('abort', listener, { once: true });
    return { [Symbol.dispose]: () => signal.removeEventListener('abort', listener) };
  },
  getMaxListeners: () => 0,
  setMaxListeners() {},
  defaultMaxListeners: 0,
};

export const http = { IncomingMessage: Nothing };
export const net = { isIP: () => 0, isIPv4: () => false, isIPv6: () => false };
export const querystring = { stringify: (value: Record<string, string>) => new URLSearchParams(value).toString() };
export const workerThreads = { markAsUncloneable() {} };
export const zlib = {};
export const sqlite = {};
export const crypto = { randomInt: (limit: number) => Math.floor(Math.random() * limit) };
export const perfHooks = { performance: { now: () => 0 } };
