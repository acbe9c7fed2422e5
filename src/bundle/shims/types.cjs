'use strict';

/** Whether a built-in getter or method accepts the value: only a real one of its kind passes, whatever its prototype says. */
function brand(read) {
  return (value) => {
    try {
      read(value);
      return true;
    } catch {
      return false;
    }
  };
}

const getter = (prototype, name) => {
  const { get } = Object.getOwnPropertyDescriptor(prototype, name);
  return (value) => get.call(value);
};
const method = (prototype, name) => (value) => prototype[name].call(value);
const tag = (value) => Object.prototype.toString.call(value).slice(8, -1);
const typedArrayTag = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  Symbol.toStringTag,
).get;
const isTypedArray = (value) => typedArrayTag.call(value) !== undefined;
const isObject = (value) => value !== null && (typeof value === 'object' || typeof value === 'function');

const isArrayBuffer = brand(getter(ArrayBuffer.prototype, 'byteLength'));
const isNumberObject = (value) => isObject(value) && brand(method(Number.prototype, 'valueOf'))(value);
const isStringObject = (value) => isObject(value) && brand(method(String.prototype, 'valueOf'))(value);
const isBooleanObject = (value) => isObject(value) && brand(method(Boolean.prototype, 'valueOf'))(value);
const isSymbolObject = (value) => isObject(value) && brand(method(Symbol.prototype, 'valueOf'))(value);
const isBigIntObject = (value) => isObject(value) && brand(method(BigInt.prototype, 'valueOf'))(value);

const types = {
  isAnyArrayBuffer: (value) => isArrayBuffer(value) || tag(value) === 'SharedArrayBuffer',
  isArgumentsObject: (value) => isObject(value) && !(Symbol.toStringTag in value) && tag(value) === 'Arguments',
  isArrayBuffer,
  isArrayBufferView: (value) => ArrayBuffer.isView(value),
  isAsyncFunction: (value) => typeof value === 'function' && /^Async(Generator)?Function$/.test(tag(value)),
  isBigIntObject,
  isBooleanObject,
  isBoxedPrimitive: (value) =>
    [isNumberObject, isStringObject, isBooleanObject, isSymbolObject, isBigIntObject].some((is) => is(value)),
  isCryptoKey: (value) => typeof CryptoKey === 'function' && value instanceof CryptoKey,
  isDataView: brand(getter(DataView.prototype, 'byteLength')),
  isDate: brand(method(Date.prototype, 'getTime')),
  isExternal: () => false,
  isEventTarget: (value) => typeof EventTarget === 'function' && value instanceof EventTarget,
  isGeneratorFunction: (value) => typeof value === 'function' && /^(Async)?GeneratorFunction$/.test(tag(value)),
  isGeneratorObject: (value) => tag(value) === 'Generator' || tag(value) === 'AsyncGenerator',
  isKeyObject: () => false,
  isMap: brand(getter(Map.prototype, 'size')),
  isMapIterator: (value) => tag(value) === 'Map Iterator',
  isModuleNamespaceObject: (value) =>
    isObject(value) && Object.getPrototypeOf(value) === null && tag(value) === 'Module',
  isNativeError: (value) => (typeof Error.isError === 'function' ? Error.isError(value) : tag(value) === 'Error'),
  isNumberObject,
  isPromise: (value) => value instanceof Promise,
  isProxy: () => false, // a program cannot tell
  isRegExp: (value) =>
    isObject(value) && value !== RegExp.prototype && brand(getter(RegExp.prototype, 'source'))(value),
  isSet: brand(getter(Set.prototype, 'size')),
  isSetIterator: (value) => tag(value) === 'Set Iterator',
  isSharedArrayBuffer: (value) => tag(value) === 'SharedArrayBuffer',
  isStringObject,
  isSymbolObject,
  isTypedArray,
  isWeakMap: brand((value) => WeakMap.prototype.has.call(value, {})),
  isWeakSet: brand((value) => WeakSet.prototype.has.call(value, {})),
};
for (const name of [
  'Uint8',
  'Uint8Clamped',
  'Uint16',
  'Uint32',
  'Int8',
  'Int16',
  'Int32',
  'Float16',
  'Float32',
  'Float64',
  'BigInt64',
  'BigUint64',
]) {
  types[`is${name}Array`] = (value) => typedArrayTag.call(value) === `${name}Array`;
}
module.exports = types;
