'use strict';
const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
const setImmediate = globalThis.setImmediate ?? ((callback, ...args) => setTimeout(callback, 0, ...args));
const clearImmediate = globalThis.clearImmediate ?? clearTimeout;

function abortError(signal) {
  const error = new Error('The operation was aborted', { cause: signal.reason });
  error.name = 'AbortError';
  error.code = 'ABORT_ERR';
  return error;
}

/** A promise of `value` that `start` settles and the signal can end before. */
function wait(value, signal, start, stop) {
  if (signal?.aborted) return Promise.reject(abortError(signal));
  return new Promise((resolve, reject) => {
    const handle = start(() => {
      signal?.removeEventListener('abort', abort);
      resolve(value);
    });
    const abort = () => {
      stop(handle);
      reject(abortError(signal));
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
}

const promises = {
  setTimeout: (ms, value, options) => wait(value, options?.signal, (done) => setTimeout(done, ms), clearTimeout),
  setImmediate: (value, options) => wait(value, options?.signal, (done) => setImmediate(done), clearImmediate),
  async *setInterval(ms, value, options) {
    while (true) yield await promises.setTimeout(ms, value, options);
  },
  scheduler: {
    wait: (ms, options) => promises.setTimeout(ms, undefined, options),
    yield: () => promises.setImmediate(),
  },
};

module.exports = { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate, promises };
