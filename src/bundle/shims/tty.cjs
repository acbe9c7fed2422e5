'use strict';
const missing = require('./missing.cjs');
module.exports = {
  isatty: () => false,
  ReadStream: missing('tty.ReadStream'),
  WriteStream: missing('tty.WriteStream'),
};
