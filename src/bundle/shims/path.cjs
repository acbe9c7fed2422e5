'use strict';
const missing = require('./missing.cjs');
const posix = require('path-browserify');

posix.posix = posix;
posix.toNamespacedPath ??= (path) => path;
posix.matchesGlob = missing('path.matchesGlob');
const win32 = { sep: '\\', delimiter: ';', posix };
for (const name of Object.keys(posix))
  if (typeof posix[name] === 'function') win32[name] = missing(`path.win32.${name}`);
win32.win32 = win32;
posix.win32 = win32;
module.exports = posix;
