'use strict';
/** A function in the place of one that functions do not have: says so when called, not before. */
module.exports = function missing(path, hint = 'Functions run on web-standard globals.') {
  return () => {
    const error = new Error(`node:${path} is not available in functions. ${hint}`);
    error.code = 'ERR_NOT_AVAILABLE_IN_FUNCTIONS';
    throw error;
  };
};
