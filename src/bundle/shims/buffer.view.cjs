'use strict';
const buffer = require('buffer/');
module.exports = {
  ...buffer,
  Blob: globalThis.Blob,
  File: globalThis.File,
  atob: globalThis.atob,
  btoa: globalThis.btoa,
};
