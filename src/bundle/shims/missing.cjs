'use strict';
/** Stands for a function or class that functions do not have: says so when called or constructed, not before. */
module.exports = function missing(path, hint = 'Functions run on web-standard globals.') {
  function absent() {
    const error = new Error(`node:${path} is not available in functions. ${hint}`);
    error.code = 'ERR_NOT_AVAILABLE_IN_FUNCTIONS';
    throw error;
  }
  return absent;
};
