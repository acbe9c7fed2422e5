/** npm's `buffer`, plus what it lacks (base64url, a method for each encoding, newer names, Node's errors) and faster UTF-8. */
import * as npm from 'internal:buffer/index.js';
import { coded, outOfRange, wrongType } from './buffer-errors.ts';
import { checkNumbers } from './buffer-numbers.ts';
import { base64Length, readUtf8, writeHex, writeUtf8 } from './buffer-text.ts';
import { utf8Length } from './utf8-length.ts';

export const Buffer = npm.Buffer;
type NpmBuffer = typeof Buffer.prototype;

const isUrl = (encoding: unknown): boolean => typeof encoding === 'string' && encoding.toLowerCase() === 'base64url';
const isUtf8 = (encoding: unknown): boolean =>
  encoding === undefined || (typeof encoding === 'string' && /^utf-?8$/i.test(encoding));
const { byteLength, from, isEncoding } = Buffer;
const { toString: toText, write } = Buffer.prototype;
const isHex = (encoding: unknown): boolean => typeof encoding === 'string' && encoding.toLowerCase() === 'hex';
const encoder = new TextEncoder();

/** Not an arrow function: old code calls it with `new`. */
function fromAny(value: unknown, encoding?: unknown, length?: unknown): NpmBuffer {
  if (typeof value === 'string' && isUtf8(encoding)) {
    const bytes = encoder.encode(value);
    return from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  if (typeof value === 'string' && isHex(encoding)) {
    const bytes = new Uint8Array(value.length >> 1);
    return from(bytes.buffer, 0, writeHex(bytes, value));
  }
  // npm's code would ask a symbol for its primitive value for ever.
  if (typeof value === 'symbol') throw wrongType('value', 'of type string or an instance of Buffer or Array', value);
  // Decoding base64 accepts both alphabets.
  const known = isUrl(encoding) ? 'base64' : encoding;
  try {
    return from(value, known, length);
  } catch (error) {
    throw coded(error);
  }
}
Object.defineProperty(fromAny, 'name', { value: 'from' });
Buffer.from = fromAny;
Buffer.isEncoding = (encoding: unknown) => isUrl(encoding) || isEncoding(encoding);
Buffer.byteLength = (value: unknown, encoding?: unknown) => {
  if (typeof value === 'string' && isUtf8(encoding)) return utf8Length(value);
  if (typeof value === 'string' && (isUrl(encoding) || /^base64$/i.test(`${encoding}`))) return base64Length(value);
  return byteLength(value, encoding);
};
Buffer.prototype.toString = function (encoding?: unknown, start?: unknown, end?: unknown) {
  if (isUtf8(encoding)) return readUtf8(this, start, end);
  if (!isUrl(encoding)) return toText.call(this, encoding, start, end);
  return toText.call(this, 'base64', start, end).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
};
/** The forms of the arguments: `text, encoding`, `text, offset, encoding` and `text, offset, length, encoding`. */
Buffer.prototype.write = function (text: unknown, offset?: unknown, length?: unknown, encoding?: unknown) {
  if (typeof text !== 'string') throw wrongType('argument', 'of type string', text);
  if (typeof offset === 'string') return this.write(text, 0, this.length, offset);
  const from = offset === undefined ? 0 : checkedNumber('offset', offset, this.length);
  const left = this.length - from;
  if (typeof length === 'string') return this.write(text, from, left, length);
  const room = length === undefined ? left : Math.min(checkedNumber('length', length, this.length), left);
  if (encoding === undefined || isUtf8(encoding)) return writeUtf8(this.subarray(from, from + room), text);
  if (isHex(encoding)) return writeHex(this.subarray(from, from + room), text);
  const whole = /^(?:ucs-?2|utf-?16le)$/i.test(`${encoding}`) ? room & ~1 : room;
  return whole === 0 ? 0 : write.call(this, text, from, whole, isUrl(encoding) ? 'base64' : encoding);
};

Buffer.copyBytesFrom = (view: ArrayBufferView, offset = 0, length?: number) => {
  const part = Uint8Array.prototype.subarray.call(
    new Uint8Array(view.buffer, view.byteOffset, view.byteLength),
    offset * bytesPerElement(view),
    length === undefined ? undefined : (offset + length) * bytesPerElement(view),
  );
  return from(part);
};

const bytesPerElement = (view: ArrayBufferView): number =>
  (view as ArrayBufferView & { BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1;

function define(name: PropertyKey, value: unknown): void {
  Object.defineProperty(Buffer.prototype, name, { value, writable: true, configurable: true });
}

// Node documents none of these, but parsers such as busboy call them to avoid looking up the encoding.
for (const encoding of ['ascii', 'base64', 'base64url', 'hex', 'latin1', 'ucs2', 'utf8']) {
  define(`${encoding}Slice`, function (this: NpmBuffer, start?: number, end?: number) {
    return this.toString(encoding, start, end);
  });
  define(`${encoding}Write`, function (this: NpmBuffer, text: string, offset = 0, length = this.length - offset) {
    return this.write(text, offset, length, encoding);
  });
}
checkNumbers(Buffer.prototype);
for (const order of ['LE', 'BE']) {
  for (const verb of ['read', 'write'])
    define(`${verb}BigUint64${order}`, Reflect.get(Buffer.prototype, `${verb}BigUInt64${order}`));
}

/** Bytes of any kind, where npm's code takes Buffers only. */
const asBuffer = (value: unknown): unknown =>
  value instanceof Uint8Array && !Buffer.isBuffer(value)
    ? from(value.buffer, value.byteOffset, value.byteLength)
    : value;

const { equals, fill, indexOf, lastIndexOf } = Buffer.prototype;

define('equals', function (this: NpmBuffer, other: unknown) {
  if (!(other instanceof Uint8Array)) throw wrongType('otherBuffer', 'an instance of Buffer or Uint8Array', other);
  return equals.call(this, asBuffer(other));
});

define('copy', function (this: NpmBuffer, target: unknown, targetStart?: unknown, start?: unknown, end?: unknown) {
  if (!(target instanceof Uint8Array)) throw wrongType('target', 'an instance of Buffer or Uint8Array', target);
  const to = wholeNumber('targetStart', targetStart, 0, Number.MAX_SAFE_INTEGER);
  const from = wholeNumber('sourceStart', start, 0, this.length);
  const last = Math.min(wholeNumber('sourceEnd', end, this.length, Number.MAX_SAFE_INTEGER), this.length);
  const length = Math.min(last - from, target.length - to);
  if (length <= 0) return 0;
  Uint8Array.prototype.set.call(target, this.subarray(from, from + length), to);
  return length;
});

define(
  'compare',
  function (this: NpmBuffer, target: unknown, start?: unknown, end?: unknown, ownStart?: unknown, ownEnd?: unknown) {
    if (!(target instanceof Uint8Array)) throw wrongType('target', 'an instance of Buffer or Uint8Array', target);
    const from = start === undefined ? 0 : checkedNumber('targetStart', start, Number.MAX_SAFE_INTEGER);
    const to = end === undefined ? target.length : checkedNumber('targetEnd', end, target.length);
    const ownFrom = ownStart === undefined ? 0 : checkedNumber('sourceStart', ownStart, Number.MAX_SAFE_INTEGER);
    const ownTo = ownEnd === undefined ? this.length : checkedNumber('sourceEnd', ownEnd, this.length);
    if (ownFrom >= ownTo) return from >= to ? 0 : -1;
    if (from >= to) return 1;
    return Buffer.compare(
      this.subarray(ownFrom, ownTo),
      new Uint8Array(target.buffer, target.byteOffset + from, to - from),
    );
  },
);

function wholeNumber(what: string, value: unknown, fallback: number, most: number): number {
  return value === undefined ? fallback : checkedNumber(what, Math.trunc(Number(value)) || 0, most);
}

// npm's code converts a negative end to four thousand million.
define('fill', function (this: NpmBuffer, value: unknown, offset?: unknown, end?: unknown, encoding?: unknown) {
  const isText = typeof value === 'string';
  if (offset === undefined || (isText && typeof offset === 'string'))
    return fill.call(this, value, 0, this.length, (isText && offset) || undefined);
  const known = isText && typeof end === 'string' ? end : encoding;
  const from = checkedNumber('offset', offset, Number.MAX_SAFE_INTEGER);
  const to = end === undefined || known === end ? this.length : checkedNumber('end', end, this.length);
  return from >= to ? this : fill.call(this, value, from, to, (isText && known) || undefined);
});

function checkedNumber(what: string, value: unknown, most: number): number {
  if (typeof value !== 'number') throw wrongType(what, 'of type number', value);
  if (value >= 0 && value <= most) return value;
  throw outOfRange(what, most === Number.MAX_SAFE_INTEGER ? '>= 0' : `>= 0 && <= ${most}`, value);
}

for (const [name, search, from_] of [
  ['indexOf', indexOf, 0],
  ['lastIndexOf', lastIndexOf, Number.POSITIVE_INFINITY],
] as const) {
  define(name, function (this: NpmBuffer, value: unknown, offset?: unknown, encoding?: unknown) {
    if (typeof offset === 'string') return this[name](value, undefined, offset);
    const start = offset === undefined || Number.isNaN(Number(offset)) ? from_ : Math.trunc(Number(offset));
    // An empty text is found at once, as in a string.
    if (value === '' || (value instanceof Uint8Array && value.length === 0)) {
      const at = start < 0 ? this.length + start : start;
      return Math.min(Math.max(at, 0), this.length);
    }
    return search.call(this, asBuffer(value), start, isUrl(encoding) ? 'base64' : encoding);
  });
}

define('inspect', function (this: NpmBuffer) {
  const most = 50;
  const bytes = this.toString('hex', 0, most).replace(/..(?!$)/g, '$& ');
  const more = this.length - most;
  return `<Buffer ${bytes}${more > 0 ? ` ... ${more} more byte${more > 1 ? 's' : ''}` : ''}>`;
});
define(Symbol.for('nodejs.util.inspect.custom'), Buffer.prototype.inspect);

for (const [holder, names] of [
  [Buffer, ['alloc', 'allocUnsafe', 'allocUnsafeSlow', 'byteLength', 'compare', 'concat']],
  [
    Buffer.prototype,
    ['copy', 'fill', 'indexOf', 'lastIndexOf', 'includes', 'swap16', 'swap32', 'swap64', 'toString', 'write'],
  ],
] as const) {
  for (const name of names) {
    const method = Reflect.get(holder, name) as (...args: unknown[]) => unknown;
    const value = function (this: unknown, a?: unknown, b?: unknown, c?: unknown, d?: unknown) {
      try {
        return method.call(this, a, b, c, d);
      } catch (error) {
        throw coded(error);
      }
    };
    Object.defineProperty(value, 'name', { value: name });
    Object.defineProperty(holder, name, { value, writable: true, configurable: true });
  }
}
