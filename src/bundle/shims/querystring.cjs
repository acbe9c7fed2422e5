'use strict';

/** Percent-encodes all but what Node leaves: letters, digits, and - . _ ~ ! * ' ( ) */
function encodePart(value) {
  const text = typeof value === 'string' ? value : typeof value === 'object' ? String(value) : `${value}`;
  return encodeURIComponent(text);
}

/** Decodes what can be decoded; a stray % stays as it is. */
function decodePart(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    const bytes = [];
    const source = new TextEncoder().encode(text);
    for (let index = 0; index < source.length; index++) {
      const hex = String.fromCharCode(source[index + 1] ?? 0, source[index + 2] ?? 0);
      if (source[index] === 37 && /^[0-9a-f]{2}$/i.test(hex)) {
        bytes.push(Number.parseInt(hex, 16));
        index += 2;
      } else bytes.push(source[index]);
    }
    return new TextDecoder().decode(new Uint8Array(bytes));
  }
}

function parse(text, separator = '&', equals = '=', options = {}) {
  const result = Object.create(null);
  if (typeof text !== 'string' || text === '') return result;
  const decode = options.decodeURIComponent ?? module.exports.unescape;
  const maximum = options.maxKeys ?? 1000;
  let pairs = text.split(separator);
  if (maximum > 0) pairs = pairs.slice(0, maximum);
  for (const pair of pairs) {
    if (pair === '') continue;
    const at = pair.indexOf(equals);
    const read = (part) => safely(decode, part.replaceAll('+', ' '));
    const key = read(at < 0 ? pair : pair.slice(0, at));
    const value = at < 0 ? '' : read(pair.slice(at + equals.length));
    if (!(key in result)) result[key] = value;
    else if (Array.isArray(result[key])) result[key].push(value);
    else result[key] = [result[key], value];
  }
  return result;
}

function safely(decode, text) {
  try {
    return decode(text);
  } catch {
    return decodePart(text);
  }
}

function stringify(object, separator = '&', equals = '=', options = {}) {
  if (object === null || typeof object !== 'object') return '';
  const encode = options.encodeURIComponent ?? module.exports.escape;
  const plain = (value) => {
    if (typeof value === 'string') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return `${value}`;
    return typeof value === 'boolean' || typeof value === 'bigint' ? `${value}` : '';
  };
  return Object.keys(object)
    .flatMap((key) => [object[key]].flat().map((value) => encode(plain(key)) + equals + encode(plain(value))))
    .join(separator);
}

module.exports = { parse, stringify, escape: encodePart, unescape: decodePart, decode: parse, encode: stringify };
