'use strict';
const { parse, stringify } = require('node:querystring');

/** In place of the package `qs`, for the package behind node:url. Its options would be separators here. */
module.exports = { parse: (text) => parse(text), stringify: (query) => stringify(query) };
