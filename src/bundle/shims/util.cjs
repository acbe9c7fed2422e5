'use strict';
const missing = require('./missing.cjs');
// Node's own inspect, so that texts made with it are the same here.
const { inspect, format, formatWithOptions, stripVTControlCharacters } = require('node-inspect-extracted');
const { isDeepStrictEqual } = require('./deep-equal.cjs');
const types = require('./types.cjs');

const custom = Symbol.for('nodejs.util.promisify.custom');

function describe(value) {
  return value === null || value === undefined ? `${value}` : `type ${typeof value} (${inspect(value)})`;
}

function requireFunction(value, name) {
  if (typeof value === 'function') return;
  const kind = name.includes('.') ? 'property' : 'argument';
  const error = new TypeError(`The "${name}" ${kind} must be of type function. Received ${describe(value)}`);
  error.code = 'ERR_INVALID_ARG_TYPE';
  throw error;
}

/** In Node the timers, which take their callback first, name their promised forms themselves. */
function promisedTimer(original) {
  const { promises, setTimeout, setImmediate } = require('node:timers');
  return original === setTimeout ? promises.setTimeout : original === setImmediate ? promises.setImmediate : undefined;
}

function promisify(original) {
  requireFunction(original, 'original');
  const own = original[custom] ?? promisedTimer(original);
  if (own !== undefined) {
    requireFunction(own, 'util.promisify.custom');
    return own;
  }
  function promised(...args) {
    return new Promise((resolve, reject) => {
      original.call(this, ...args, (error, value) => (error ? reject(error) : resolve(value)));
    });
  }
  Object.setPrototypeOf(promised, Object.getPrototypeOf(original));
  Object.defineProperty(promised, custom, { value: promised, configurable: true });
  return Object.defineProperties(promised, Object.getOwnPropertyDescriptors(original));
}
promisify.custom = custom;

function callbackify(original) {
  requireFunction(original, 'original');
  return function (...args) {
    const callback = args.pop();
    requireFunction(callback, 'last argument');
    original.apply(this, args).then(
      (value) => queueMicrotask(() => callback.call(this, null, value)),
      (reason) => queueMicrotask(() => callback.call(this, reason ?? falsyRejection(reason))),
    );
  };
}

function falsyRejection(reason) {
  return Object.assign(new Error('Promise was rejected with falsy value'), {
    code: 'ERR_FALSY_VALUE_REJECTION',
    reason,
  });
}

function inherits(subConstructor, superConstructor) {
  requireFunction(subConstructor, 'ctor');
  requireFunction(superConstructor, 'superCtor');
  Object.defineProperty(subConstructor, 'super_', { value: superConstructor, writable: true, configurable: true });
  Object.setPrototypeOf(subConstructor.prototype, superConstructor.prototype);
}

function deprecate(callback, message, code) {
  let told = false;
  function deprecated(...args) {
    if (!told) {
      told = true;
      console.warn(`${code ? `[${code}] ` : ''}DeprecationWarning: ${message}`);
    }
    return new.target ? Reflect.construct(callback, args, new.target) : callback.apply(this, args);
  }
  Object.setPrototypeOf(deprecated, callback);
  if (callback.prototype) deprecated.prototype = callback.prototype;
  return deprecated;
}

function styleText(style, text) {
  for (const name of [style].flat()) if (!(name in inspect.colors)) throw new TypeError(`Unknown style: ${name}`);
  return text; // output is a log line, never a terminal
}

function debuglog() {
  return Object.assign(() => {}, { enabled: false });
}

function aborted(signal) {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

const isPrimitive = (value) => value === null || (typeof value !== 'object' && typeof value !== 'function');

module.exports = {
  inspect,
  format,
  formatWithOptions,
  stripVTControlCharacters,
  isDeepStrictEqual,
  promisify,
  callbackify,
  inherits,
  deprecate,
  styleText,
  debuglog,
  debug: debuglog,
  aborted,
  types,
  isArray: Array.isArray,
  isBoolean: (value) => typeof value === 'boolean',
  isBuffer: (value) => globalThis.Buffer?.isBuffer(value) ?? false,
  isDate: types.isDate,
  isError: (value) => types.isNativeError(value) || value instanceof Error,
  isFunction: (value) => typeof value === 'function',
  isNull: (value) => value === null,
  isNullOrUndefined: (value) => value === null || value === undefined,
  isNumber: (value) => typeof value === 'number',
  isObject: (value) => value !== null && typeof value === 'object',
  isPrimitive,
  isRegExp: types.isRegExp,
  isString: (value) => typeof value === 'string',
  isSymbol: (value) => typeof value === 'symbol',
  isUndefined: (value) => value === undefined,
  log: (...args) => console.log(...args),
  _extend: (target, source) => (source !== null && typeof source === 'object' ? Object.assign(target, source) : target),
  toUSVString: (text) => String(text).toWellFormed(),
  get TextEncoder() {
    return globalThis.TextEncoder;
  },
  get TextDecoder() {
    return globalThis.TextDecoder;
  },
  parseArgs: missing('util.parseArgs'),
  parseEnv: missing('util.parseEnv'),
  getSystemErrorName: missing('util.getSystemErrorName'),
  getSystemErrorMap: missing('util.getSystemErrorMap'),
  getSystemErrorMessage: missing('util.getSystemErrorMessage'),
  transferableAbortController: missing('util.transferableAbortController'),
  transferableAbortSignal: missing('util.transferableAbortSignal'),
  MIMEType: missing('util.MIMEType'),
  MIMEParams: missing('util.MIMEParams'),
  getCallSites: () => [],
};
