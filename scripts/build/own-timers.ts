/** What the fake timers of test runners replace in a process. */
const replaced = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'queueMicrotask',
  'Date',
];

/**
 * The first line of every file that tests of authors load: it takes the timers and the date as the first of these files found them, so that a
 * workspace of `convo-fn/testing` goes on while the timers of a test stand still.
 */
export const ownTimers =
  `const{${replaced.join()}}=globalThis[Symbol.for("convo-fn.timers")]` +
  `??={${replaced.map((name) => `${name}:globalThis.${name}`).join()}};`;
