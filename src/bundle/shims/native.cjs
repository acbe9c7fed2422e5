'use strict';
const { Buffer } = require('node:buffer');

/** Asks the sandbox's child process. Names and arguments: src/sandbox/web/native-names.ts. */
function ask(name, ...args) {
  const bridge = globalThis[Symbol.for('convo-fn.native')];
  if (!bridge) {
    throw Object.assign(new Error(`node:${name.replace('.', ': ')} is available in server functions only`), {
      code: 'ERR_NOT_AVAILABLE_IN_VIEWS',
    });
  }
  return bridge.sync(name, ...args);
}

/** Text, bytes of any view, or an ArrayBuffer → an ArrayBuffer of exactly these bytes. */
function bytes(data, encoding, what = 'data') {
  if (typeof data === 'string') data = Buffer.from(data, encoding === 'buffer' ? 'utf8' : encoding);
  if (data instanceof ArrayBuffer) return data;
  if (ArrayBuffer.isView(data)) return data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
  throw wrongType(what, 'of type string or an instance of Buffer, TypedArray, or DataView', data);
}

function wrongType(what, expected, value) {
  const message = `The "${what}" argument must be ${expected}. Received ${describe(value)}`;
  return Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' });
}

function describe(value) {
  if (value === undefined || value === null) return String(value);
  if (typeof value === 'function') return `function ${value.name}`;
  if (typeof value === 'string') return `type string ('${value.length > 25 ? `${value.slice(0, 25)}...` : value}')`;
  if (typeof value === 'object') return `an instance of ${value.constructor?.name ?? 'Object'}`;
  return `type ${typeof value} (${String(value)})`;
}

/** A Buffer, or its text when an encoding is named. */
function output(result, encoding) {
  const buffer = Buffer.from(result);
  return encoding && encoding !== 'buffer' ? buffer.toString(encoding) : buffer;
}

/** The form with a callback of a function that answers at once: called later, as in Node. */
function later(run, callback) {
  if (typeof callback !== 'function') throw wrongType('callback', 'of type function', callback);
  let error = null;
  let result;
  try {
    result = run();
  } catch (thrown) {
    error = thrown;
  }
  queueMicrotask(() => (error ? callback(error) : callback(null, result)));
}

module.exports = { Buffer, ask, bytes, output, later, wrongType };
