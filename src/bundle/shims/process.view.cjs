'use strict';
const nothing = () => module.exports;
module.exports = {
  env: { NODE_ENV: 'production' },
  argv: [],
  browser: true,
  platform: 'browser',
  version: '',
  versions: {},
  cwd: () => '/',
  nextTick: (callback, ...args) => queueMicrotask(() => callback(...args)),
  on: nothing,
  once: nothing,
  off: nothing,
  emit: () => false,
  removeListener: nothing,
};
