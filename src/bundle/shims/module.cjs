'use strict';
const missing = require('./missing.cjs');
const hint = 'Import by a fixed name, so that the file is in the bundle.';
function Module() {}
module.exports = Object.assign(Module, {
  Module,
  builtinModules: [],
  isBuiltin: (name) => typeof name === 'string' && name.startsWith('node:'),
  // Only what it returns throws: packages make a require function at load and call it rarely.
  createRequire: () =>
    Object.assign(missing('module.createRequire()', hint), {
      resolve: missing('module.createRequire().resolve', hint),
      cache: {},
    }),
  register: missing('module.register'),
  findPackageJSON: missing('module.findPackageJSON'),
});
