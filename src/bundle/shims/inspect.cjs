'use strict';
// The package copies every built-in object when it loads and takes for granted that Atomics is there; functions have none.
const absent = !('Atomics' in globalThis);
if (absent) globalThis.Atomics = {};
try {
  module.exports = require('node-inspect-extracted');
} finally {
  if (absent) delete globalThis.Atomics;
}
