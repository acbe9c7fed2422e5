'use strict';
/** What of a stream is asked of a hash or a cipher before anything else. */
const methods = [
  'on',
  'once',
  'off',
  'addListener',
  'prependListener',
  'removeListener',
  'removeAllListeners',
  'emit',
  'listenerCount',
  'pipe',
  'unpipe',
  'write',
  'end',
  'read',
  'push',
  'resume',
  'pause',
  'destroy',
  'setEncoding',
  Symbol.asyncIterator,
];
const states = ['readable', 'writable', 'destroyed', 'closed', 'errored', 'readableEnded', 'writableEnded'];

/**
 * Makes the objects of a class streams as soon as one of them is used as one, by their `_transform` and `_flush`, or `_write`. Most code
 * only calls `update` and `digest`, and loading Node's streams takes time.
 * @param kind `Transform` or `Writable`
 */
function streamWhenUsedAsOne(Class, kind) {
  const { prototype } = Class;
  const link = () => {
    for (const name of [...methods, ...states]) delete prototype[name];
    Object.setPrototypeOf(prototype, require('node:stream')[kind].prototype);
  };
  for (const name of methods) {
    if (kind === 'Writable' && name === Symbol.asyncIterator) continue;
    const value = function (...args) {
      link();
      return this[name](...args);
    };
    Object.defineProperty(prototype, name, { value, configurable: true, writable: true });
  }
  for (const name of states) {
    const get = function () {
      link();
      return this[name];
    };
    Object.defineProperty(prototype, name, { get, configurable: true });
  }
  // Every method of a stream reads one of these first.
  for (const name of kind === 'Transform' ? ['_readableState', '_writableState'] : ['_writableState']) {
    Object.defineProperty(prototype, name, {
      get() {
        if (this === prototype) return undefined;
        link();
        require('node:stream')[kind].call(this);
        return this[name];
      },
      set(value) {
        Object.defineProperty(this, name, { value, configurable: true, enumerable: true, writable: true });
      },
      configurable: true,
    });
  }
}

module.exports = { streamWhenUsedAsOne };
