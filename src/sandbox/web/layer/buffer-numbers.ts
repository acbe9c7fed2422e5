/**
 * `readUInt8`, `writeDoubleBE` and so on with Node's checks: npm's `buffer` rounds offsets, its errors have no codes, and it writes
 * another NaN.
 */
import { outOfBounds, outOfRange, wrongType } from './buffer-errors.ts';

type Method = (this: Uint8Array, ...args: unknown[]) => unknown;

/** Of npm's methods: the caller has checked the arguments. */
const unchecked = true;

const bytesOfKind: Record<string, number> = { Int8: 1, Int16: 2, Int32: 4, Float: 4, Double: 8 };

function checkOffset(buffer: Uint8Array, offset: unknown, bytes: number): void {
  if (typeof offset !== 'number') throw wrongType('offset', 'of type number', offset);
  const last = buffer.length - bytes;
  if (offset >= 0 && offset <= last && offset % 1 === 0) return;
  if (Math.floor(offset) !== offset) throw outOfRange('offset', 'an integer', offset);
  if (last < 0) throw outOfBounds();
  throw outOfRange('offset', `>= 0 and <= ${last}`, offset);
}

function checkByteLength(bytes: unknown): number {
  if (typeof bytes !== 'number') throw wrongType('byteLength', 'of type number', bytes);
  if (Math.floor(bytes) !== bytes) throw outOfRange('byteLength', 'an integer', bytes);
  if (!(bytes >= 1 && bytes <= 6)) throw outOfRange('byteLength', '>= 1 and <= 6', bytes);
  return bytes;
}

function limitsOf(signed: boolean, bytes: number): readonly [least: number, most: number] {
  const bits = bytes * 8;
  return signed ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
}

/** For a value that does not fit. */
function tooWide(value: number, signed: boolean, bytes: number): Error {
  const bits = bytes * 8;
  const [least, most] = limitsOf(signed, bytes);
  const range =
    bytes <= 4
      ? `>= ${least} and <= ${most}`
      : signed
        ? `>= -(2 ** ${bits - 1}) and < 2 ** ${bits - 1}`
        : `>= 0 and < 2 ** ${bits}`;
  return outOfRange('value', range, value);
}

/** Puts checking methods in the place of those of one prototype. */
export function checkNumbers(prototype: object): void {
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const parts = /^(read|write)(U?)(Int|Int8|Int16|Int32|Float|Double)(?:LE|BE)?$/i.exec(name);
    if (!parts) continue;
    const [, verb, unsigned, kind = ''] = parts;
    const method = Reflect.get(prototype, name) as Method;
    const bytes = bytesOfKind[kind.replace(/^int/, 'Int')];
    const checked =
      verb === 'read'
        ? reader(method, bytes)
        : kind === 'Float' || kind === 'Double'
          ? fractionWriter(kind, name.endsWith('LE'))
          : writer(method, unsigned === '', bytes);
    Object.defineProperty(checked, 'name', { value: name });
    Object.defineProperty(prototype, name, { value: checked, writable: true, configurable: true });
  }
}

function reader(method: Method, bytes: number | undefined): Method {
  if (bytes !== undefined) {
    return function (offset: unknown = 0) {
      checkOffset(this, offset, bytes);
      return method.call(this, offset, unchecked);
    };
  }
  return function (offset: unknown, byteLength: unknown) {
    if (offset === undefined) throw wrongType('offset', 'of type number', offset);
    checkOffset(this, offset, checkByteLength(byteLength));
    return method.call(this, offset, byteLength, unchecked);
  };
}

/** Converts the value, as in Node, but refuses one that does not fit. */
function writer(method: Method, signed: boolean, bytes: number | undefined): Method {
  if (bytes === undefined) {
    return function (value: unknown, offset: unknown, byteLength: unknown) {
      const number = Number(value);
      const length = checkByteLength(byteLength);
      const [least, most] = limitsOf(signed, length);
      if (number < least || number > most) throw tooWide(number, signed, length);
      checkOffset(this, offset, length);
      return method.call(this, number, offset, length, unchecked);
    };
  }
  const [least, most] = limitsOf(signed, bytes);
  return function (value: unknown, offset: unknown = 0) {
    const number = Number(value);
    if (number < least || number > most) throw tooWide(number, signed, bytes);
    checkOffset(this, offset, bytes);
    return method.call(this, number, offset, unchecked);
  };
}

function fractionWriter(kind: 'Float' | 'Double', littleEndian: boolean): Method {
  const [bytes, set] = kind === 'Float' ? [4, 'setFloat32' as const] : [8, 'setFloat64' as const];
  return function (value: unknown, offset: unknown = 0) {
    const number = Number(value);
    checkOffset(this, offset, bytes);
    new DataView(this.buffer, this.byteOffset, this.byteLength)[set](offset as number, number, littleEndian);
    return (offset as number) + bytes;
  };
}
