'use strict';

/** Node's `util.isDeepStrictEqual`: same types, same own enumerable members, same contents of Map, Set, Date, bytes and errors. */
function isDeepStrictEqual(left, right) {
  return equal(left, right, []);
}

function equal(left, right, open) {
  if (Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false;
  if (tag(left) !== tag(right)) return false;
  // A pair met again further down its own tree is equal if the rest is.
  if (open.some(([a, b]) => a === left && b === right)) return true;
  open.push([left, right]);
  try {
    return sameInside(left, right, open) && sameMembers(left, right, open);
  } finally {
    open.pop();
  }
}

const tag = (value) => Object.prototype.toString.call(value);

function sameInside(left, right, open) {
  if (left instanceof Date) return Object.is(left.getTime(), right.getTime());
  if (left instanceof RegExp) return String(left) === String(right) && left.lastIndex === right.lastIndex;
  if (left instanceof Error)
    return left.name === right.name && left.message === right.message && equal(left.cause, right.cause, open);
  if (left instanceof Number || left instanceof String || left instanceof Boolean)
    return Object.is(left.valueOf(), right.valueOf());
  if (left instanceof ArrayBuffer) return sameBytes(new Uint8Array(left), new Uint8Array(right));
  if (left instanceof DataView) return sameBytes(bytesOf(left), bytesOf(right));
  if (left instanceof Map) return sameEntries(left, right, open);
  if (left instanceof Set)
    return left.size === right.size && [...left].every((item) => right.has(item) || finds(right, item, open));
  return !Array.isArray(left) || left.length === right.length;
}

const bytesOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
const sameBytes = (left, right) => left.length === right.length && left.every((byte, index) => byte === right[index]);

function sameEntries(left, right, open) {
  if (left.size !== right.size) return false;
  for (const [key, value] of left) {
    if (right.has(key)) {
      if (!equal(value, right.get(key), open)) return false;
    } else if (![...right].some(([other, its]) => equal(key, other, open) && equal(value, its, open))) return false;
  }
  return true;
}

function finds(set, item, open) {
  if (typeof item !== 'object' || item === null) return false;
  for (const other of set) if (equal(item, other, open)) return true;
  return false;
}

function sameMembers(left, right, open) {
  const keys = ownKeys(left);
  if (keys.length !== ownKeys(right).length) return false;
  const enumerable = Object.prototype.propertyIsEnumerable;
  return keys.every((key) => enumerable.call(right, key) && equal(left[key], right[key], open));
}

function ownKeys(value) {
  const symbols = Object.getOwnPropertySymbols(value).filter((key) =>
    Object.prototype.propertyIsEnumerable.call(value, key),
  );
  return [...Object.keys(value), ...symbols];
}

module.exports = { isDeepStrictEqual };
