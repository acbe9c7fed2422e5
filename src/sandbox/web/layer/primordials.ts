/** Intrinsics saved before user code runs. Calling them involves no property lookup that user code could have patched. */

export const { apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;

/**
 * `uncurry(Map.prototype.get)(map, key)`: immune to later patches of the prototype or of `call`. A bound `call` would work as well, but
 * creating one takes twenty times as long, in every context.
 */
export const uncurry =
  <T, A extends unknown[], R>(method: (this: T, ...args: A) => R) =>
  (self: T, ...args: A): R =>
    apply(method, self, args) as R;

export const { create, freeze, setPrototypeOf, is, keys } = Object;
export const { isArray } = Array;
export const { parse, stringify } = JSON;
export const { floor, max, trunc, round } = Math;
export const isView = ArrayBuffer.isView;

export const arrayPush = uncurry(Array.prototype.push) as <T>(list: T[], ...items: T[]) => number;
export const arrayIncludes = uncurry(Array.prototype.includes) as <T>(list: readonly T[], item: T) => boolean;
export const stringSlice = uncurry(String.prototype.slice);
export const stringIndexOf = uncurry(String.prototype.indexOf);
export const stringStartsWith = uncurry(String.prototype.startsWith);
export const toWellFormed = uncurry(String.prototype.toWellFormed);
export const charCodeAt = uncurry(String.prototype.charCodeAt);
export const mapGet = uncurry(Map.prototype.get) as <K, V>(map: Map<K, V>, key: K) => V | undefined;
export const mapSet = uncurry(Map.prototype.set) as <K, V>(map: Map<K, V>, key: K, value: V) => unknown;
export const mapDelete = uncurry(Map.prototype.delete) as <K>(map: Map<K, unknown>, key: K) => boolean;
export const mapClear = uncurry(Map.prototype.clear) as (map: Map<unknown, unknown>) => void;
export const promiseThen = uncurry(Promise.prototype.then) as <T>(
  promise: Promise<T>,
  resolved: ((value: T) => unknown) | undefined,
  rejected?: (error: unknown) => unknown,
) => Promise<unknown>;
export const hasOwn = uncurry(Object.prototype.hasOwnProperty) as (object: object, key: PropertyKey) => boolean;
export const toStringOf = uncurry(Object.prototype.toString) as (value: unknown) => string;
export const functionToString = uncurry(Function.prototype.toString) as (value: unknown) => string;
export const errorToString = uncurry(Error.prototype.toString) as (value: unknown) => string;
export const dateNow = Date.now;

const typedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype) as object;

function getter<T>(prototype: object, key: PropertyKey): (self: unknown) => T {
  const get = Object.getOwnPropertyDescriptor(prototype, key)?.get;
  if (!get) throw new TypeError(`no getter ${String(key)}`);
  return uncurry(get as (this: unknown) => T);
}

/** The class name of a typed array ('Uint8Array'), undefined for everything else; cannot be faked by user code. */
export const typedArrayName = getter<string | undefined>(typedArrayPrototype, Symbol.toStringTag);
const typedArrayBuffer = getter<ArrayBuffer>(typedArrayPrototype, 'buffer');
const typedArrayOffset = getter<number>(typedArrayPrototype, 'byteOffset');
const typedArrayLength = getter<number>(typedArrayPrototype, 'byteLength');
const viewBuffer = getter<ArrayBuffer>(DataView.prototype, 'buffer');
const viewOffset = getter<number>(DataView.prototype, 'byteOffset');
const viewLength = getter<number>(DataView.prototype, 'byteLength');
const bufferByteLength = getter<number>(ArrayBuffer.prototype, 'byteLength');
export const bufferDetached = getter<boolean>(ArrayBuffer.prototype, 'detached');
export const bufferResizable = getter<boolean>(ArrayBuffer.prototype, 'resizable');
export const bufferSlice = uncurry(ArrayBuffer.prototype.slice);

export function isArrayBuffer(value: unknown): value is ArrayBuffer {
  try {
    bufferByteLength(value);
    return true;
  } catch {
    return false;
  }
}

/** Buffer, offset and length of a view or buffer, read from internal slots. */
export function extentOf(source: unknown): { buffer: ArrayBuffer; offset: number; length: number } | undefined {
  if (isView(source)) {
    return typedArrayName(source) === undefined
      ? { buffer: viewBuffer(source), offset: viewOffset(source), length: viewLength(source) }
      : { buffer: typedArrayBuffer(source), offset: typedArrayOffset(source), length: typedArrayLength(source) };
  }
  if (isArrayBuffer(source)) return { buffer: source, offset: 0, length: bufferByteLength(source) };
  return undefined;
}

/** Copies the bytes of a BufferSource into a new buffer; undefined if it is not one. */
export function bytesOf(source: unknown): ArrayBuffer | undefined {
  const extent = extentOf(source);
  return extent && bufferSlice(extent.buffer, extent.offset, extent.offset + extent.length);
}
