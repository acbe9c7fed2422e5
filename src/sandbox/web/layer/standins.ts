/**
 * The few parts of Node's modules that undici's fetch files use. Loaded with the first Headers, Request, Response or
 * FormData.
 */
import { isArrayBuffer, isView, typedArrayName } from './primordials.ts';

export function assert(value: unknown, message: unknown = 'assertion failed'): void {
  if (!value) throw message instanceof Error ? message : new TypeError(`${message}`);
}

const isTypedArray = (value: unknown) => isView(value) && typedArrayName(value) !== undefined;

export const utilTypes = {
  isArrayBuffer,
  isAnyArrayBuffer: isArrayBuffer,
  isSharedArrayBuffer: () => false,
  isArrayBufferView: isView,
  isTypedArray,
  isDataView: (value: unknown) => isView(value) && typedArrayName(value) === undefined,
  isUint8Array: (value: unknown) => typedArrayName(value) === 'Uint8Array',
  // Not observable in plain JavaScript; false would select undici's fast path, which does the same to the object.
  isProxy: () => true,
};

/** Only needed when a program logs something. */
const printer = () => __part('inspect') as typeof import('./inspect.ts');

const inspect = Object.assign((value: unknown, options?: object) => printer().inspect(value, options), {
  custom: Symbol.for('nodejs.util.inspect.custom'),
});

export const util = {
  types: utilTypes,
  inspect,
  formatWithOptions: (_options: unknown, ...values: unknown[]) => printer().format(values),
};

// web-streams-polyfill keeps its state in these two fields, which are not minified.
interface StreamFields {
  _disturbed?: boolean;
  _state?: string;
}

export const stream = {
  isDisturbed: (value: object) => (value as StreamFields)._disturbed === true,
  isErrored: (value: object) => (value as StreamFields)._state === 'errored',
  Transform: class {},
};

export const streamWeb = {};

export const workerThreads = { markAsUncloneable() {} };
export const zlib = {};
export const crypto = {};
/** The few lines of undici's own modules that its fetch files use. */
export const undiciSymbols = { kConstruct: Symbol('constructable') };
export const undiciFeatures = { runtimeFeatures: { has: () => false } };

const methods = { __proto__: null } as never as Record<string, string>;
for (const method of ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'QUERY']) {
  methods[method] = method;
  methods[method.toLowerCase()] = method;
}

/** https://www.rfc-editor.org/rfc/rfc9110#name-tokens */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

export const undiciUtil = {
  kEnumerableProperty: { __proto__: null, enumerable: true },
  normalizedMethodRecordsBase: methods,
  normalizedMethodRecords: { __proto__: null, ...methods, patch: 'patch', PATCH: 'PATCH' },
  isValidHTTPToken: (text: string) => token.test(text),
  isDisturbed: (body: object | null) => body != null && stream.isDisturbed(body),
  addAbortListener(signal: AbortSignal, listener: () => void) {
    signal.addEventListener('abort', listener, { once: true });
    return () => signal.removeEventListener('abort', listener);
  },
  bufferToLowerCasedHeaderName: (name: Buffer) => name.toString('latin1').toLowerCase(),
  setHeader(headers: object, name: string, value: string) {
    Object.defineProperty(headers, name, { value, enumerable: true, configurable: true, writable: true });
  },
};

/** Loaded when the first form is read. */
export const formDataParser = {
  multipartFormDataParser: (...args: unknown[]) =>
    require('internal:undici/lib/web/fetch/formdata-parser.js').multipartFormDataParser(...args),
};

export const perfHooks = { performance: { now: () => 0 } };
