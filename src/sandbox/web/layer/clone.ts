/** https://html.spec.whatwg.org/#structuredserializeinternal inside the context: nothing crosses the boundary. */
import { makeError } from './errors.ts';
import {
  apply,
  bufferDetached,
  bufferResizable,
  bufferSlice,
  extentOf,
  hasOwn,
  isArray,
  isArrayBuffer,
  keys,
  toStringOf,
  typedArrayName,
} from './primordials.ts';

const { getPrototypeOf, defineProperty, getOwnPropertyDescriptor } = Object;
const booleanValue = Boolean.prototype.valueOf;
const numberValue = Number.prototype.valueOf;
const stringValue = String.prototype.valueOf;
const bigintValue = BigInt.prototype.valueOf;
const dateValue = Date.prototype.getTime;
const mapForEach = Map.prototype.forEach;
const setForEach = Set.prototype.forEach;
const mapSize = getOwnPropertyDescriptor(Map.prototype, 'size')?.get as () => number;
const setSize = getOwnPropertyDescriptor(Set.prototype, 'size')?.get as () => number;
const regexpSource = getOwnPropertyDescriptor(RegExp.prototype, 'source')?.get as () => string;
const regexpFlags = getOwnPropertyDescriptor(RegExp.prototype, 'flags')?.get as () => string;
const transfer = ArrayBuffer.prototype.transfer;
const typedArrays: Record<string, new (buffer: ArrayBuffer, offset: number, length?: number) => object> = {
  __proto__: null as never,
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
};
const errors: Record<string, ErrorConstructor> = {
  __proto__: null as never,
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
};

function refuse(what: string): Error {
  return makeError({ name: 'DataCloneError', message: `${what} could not be cloned` });
}

/** Checks for an internal slot: the result of `method` for `value`, or undefined if it is not such an object. */
function slot<T>(method: () => T, value: unknown): { value: T } | undefined {
  try {
    return { value: apply(method, value, []) as T };
  } catch {
    return undefined;
  }
}

class Cloner {
  readonly memory = new Map<object, unknown>();

  clone(value: unknown): unknown {
    if (typeof value === 'symbol') throw refuse(String(value));
    if (typeof value === 'function') throw refuse(`the function ${value.name || '(anonymous)'}`);
    if (value === null || typeof value !== 'object') return value;
    if (this.memory.has(value)) return this.memory.get(value);
    return this.object(value);
  }

  #remember<T extends object>(value: object, copy: T): T {
    this.memory.set(value, copy);
    return copy;
  }

  object(value: object): unknown {
    if (isArray(value)) {
      const copy = this.#remember(value, new Array(value.length));
      this.#members(value, copy);
      return copy;
    }
    if (!isOrdinary(value)) {
      const special = extentOf(value) ? this.#bytes(value) : this.#special(value);
      if (special !== undefined) return special;
    }
    const copy = this.#remember(value, {});
    this.#members(value, copy);
    return copy;
  }

  #members(value: object, copy: object): void {
    for (const key of keys(value)) {
      if (!hasOwn(value, key)) continue;
      const item = this.clone((value as Record<string, unknown>)[key]);
      // Plain assignment is much faster, but would run a setter of the prototype (such as `__proto__`).
      if (key in copy) defineProperty(copy, key, { value: item, configurable: true, enumerable: true, writable: true });
      else (copy as Record<string, unknown>)[key] = item;
    }
  }

  #bytes(value: object): object {
    if (isArrayBuffer(value)) {
      if (bufferDetached(value)) throw refuse('A detached ArrayBuffer');
      if (bufferResizable(value)) {
        const copy = new ArrayBuffer(value.byteLength, { maxByteLength: value.maxByteLength });
        new Uint8Array(copy).set(new Uint8Array(value));
        return this.#remember(value, copy);
      }
      return this.#remember(value, bufferSlice(value, 0));
    }
    const { buffer, length, offset } = extentOf(value) as { buffer: ArrayBuffer; offset: number; length: number };
    const copy = this.clone(buffer) as ArrayBuffer;
    const name = typedArrayName(value);
    if (name === undefined) return this.#remember(value, new DataView(copy, offset, length));
    const Class = typedArrays[name];
    if (!Class) throw refuse(name);
    const size = (value as Uint8Array).BYTES_PER_ELEMENT;
    return this.#remember(value, new Class(copy, offset, length / size));
  }

  #special(value: object): object | undefined {
    const tag = toStringOf(value);
    const date = slot(dateValue, value);
    if (date) return this.#remember(value, new Date(date.value));
    if (slot(mapSize, value)) {
      const copy = this.#remember(value, new Map());
      const entries: [unknown, unknown][] = [];
      apply(mapForEach, value, [(item: unknown, key: unknown) => entries.push([key, item])]);
      for (const [key, item] of entries) copy.set(this.clone(key), this.clone(item));
      return copy;
    }
    if (slot(setSize, value)) {
      const copy = this.#remember(value, new Set());
      const items: unknown[] = [];
      apply(setForEach, value, [(item: unknown) => items.push(item)]);
      for (const item of items) copy.add(this.clone(item));
      return copy;
    }
    for (const method of [booleanValue, numberValue, stringValue, bigintValue] as (() => unknown)[]) {
      const primitive = slot(method, value);
      if (primitive) return this.#remember(value, Object(primitive.value) as object);
    }
    if (value !== RegExp.prototype) {
      const source = slot(regexpSource, value);
      if (source) return this.#remember(value, new RegExp(source.value, apply(regexpFlags, value, []) as string));
    }
    const platform = cloneOfPlatform(value);
    if (platform) return this.#remember(value, platform);
    if (tag === '[object Error]' || value instanceof Error) return this.#error(value as Error);
    if (isPlatformObject(value, tag)) throw refuse(`An object of type ${tag.slice(8, -1)}`);
    return undefined;
  }

  #error(value: Error): object {
    const name = `${value.name}`;
    const Class = errors[name] ?? Error;
    const message = getOwnPropertyDescriptor(value, 'message');
    const copy = this.#remember(value, message && 'value' in message ? new Class(`${message.value}`) : new Class());
    if (typeof value.stack === 'string') {
      defineProperty(copy, 'stack', { value: value.stack, configurable: true, enumerable: false, writable: true });
    }
    if (hasOwn(value, 'cause')) {
      defineProperty(copy, 'cause', {
        value: this.clone(value.cause),
        configurable: true,
        enumerable: false,
        writable: true,
      });
    }
    return copy;
  }
}

/** The common case, tested first because each slot check costs an exception. */
function isOrdinary(value: object): boolean {
  const prototype = getPrototypeOf(value) as unknown;
  return (prototype === Object.prototype || prototype === null) && toStringOf(value) === '[object Object]';
}

/** Objects whose state is in slots that cannot be cloned. */
function isPlatformObject(value: object, tag: string): boolean {
  if (
    tag === '[object Promise]' ||
    tag === '[object WeakMap]' ||
    tag === '[object WeakSet]' ||
    tag === '[object WeakRef]'
  )
    return true;
  const prototype = getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return false;
  for (const name of webObjects) {
    const Class = __web[name];
    if (typeof Class === 'function' && value instanceof Class) return true;
  }
  return false;
}

const webObjects = [
  'EventTarget',
  'Event',
  'ReadableStream',
  'WritableStream',
  'TransformStream',
  'Headers',
  'Request',
  'Response',
  'FormData',
  'URL',
  'URLSearchParams',
];

/** Clones `value`, moving the buffers (and ports) in `list`. */
export function cloneWithTransfer(
  value: unknown,
  list: unknown[],
  movePort?: (port: object) => object | undefined,
): unknown {
  const cloner = new Cloner();
  const seen = new Set<unknown>();
  const buffers: ArrayBuffer[] = [];
  for (const item of list) {
    if (seen.has(item)) throw makeError({ name: 'DataCloneError', message: 'The transfer list holds an object twice' });
    seen.add(item);
    if (isArrayBuffer(item)) {
      if (bufferDetached(item)) throw refuse('A detached ArrayBuffer');
      buffers.push(item);
      continue;
    }
    const moved = item !== null && typeof item === 'object' ? movePort?.(item) : undefined;
    if (moved === undefined)
      throw makeError({ name: 'DataCloneError', message: 'A value in the transfer list cannot be transferred' });
    cloner.memory.set(item as object, moved);
  }
  // Clones copies first: if a later part cannot be cloned, nothing has been transferred.
  const copies = new Map<ArrayBuffer, ArrayBuffer>();
  for (const buffer of buffers) {
    const copy = cloner.clone(buffer) as ArrayBuffer;
    copies.set(buffer, copy);
  }
  const result = cloner.clone(value);
  for (const buffer of buffers) apply(transfer, buffer, []);
  return result;
}

function readTransfer(options: unknown): unknown[] {
  if (options === undefined || options === null) return [];
  if (typeof options !== 'object') throw new TypeError('The options are not an object');
  const { transfer: list } = options as { transfer?: unknown };
  if (list === undefined) return [];
  if (list === null || typeof list !== 'object') throw new TypeError('The transfer list is not a sequence');
  return [...(list as Iterable<unknown>)];
}

export function structuredClone(value: unknown, options?: unknown): unknown {
  if (arguments.length === 0) throw new TypeError("Failed to execute 'structuredClone': 1 argument required");
  return cloneWithTransfer(value, readTransfer(options));
}

/** A part that is not loaded has no objects. */
function cloneOfPlatform(value: object): object | undefined {
  const blob = __made['blob'] && (__part('blob') as typeof import('./blob.ts')).cloneBlob(value);
  if (blob) return blob;
  const key = __made['crypto'] && (__part('crypto') as typeof import('./crypto.ts')).cloneKey(value);
  if (key) return key;
  return __made['dom-exception'] && value instanceof DOMException
    ? makeError({ name: value.name, message: value.message })
    : undefined;
}
