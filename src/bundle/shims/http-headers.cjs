'use strict';
const refusal = (code, text) => Object.assign(new TypeError(text), { code });

exports.validateHeaderName = (name, label = 'Header name') => {
  if (typeof name !== 'string' || !/^[\^`\-\w!#$%&'*+.|~]+$/.test(name))
    throw refusal('ERR_INVALID_HTTP_TOKEN', `${label} must be a valid HTTP token ["${name}"]`);
};

exports.validateHeaderValue = (name, value) => {
  if (value === undefined)
    throw refusal('ERR_HTTP_INVALID_HEADER_VALUE', `Invalid value "undefined" for header "${name}"`);
  if (/[^\t\x20-\x7e\x80-\xff]/.test(String(value)))
    throw refusal('ERR_INVALID_CHAR', `Invalid character in header content ["${name}"]`);
};
