/** npm's `buffer`, plus what it lacks (base64url, a method for each encoding, newer names, Node's errors) and faster UTF-8. */
import * as npm from 'internal:buffer/index.js';
import { coded, wrongType } from './buffer-errors.ts';
import { checkNumbers } from './buffer-numbers.ts';
import { utf8Length } from './utf8-length.ts';

export const Buffer = npm.Buffer;
type NpmBuffer = typeof Buffer.prototype;

const isUrl = (encoding: unknown): boolean => typeof encoding === 'string' && encoding.toLowerCase() === 'base64url';
const isUtf8 = (encoding: unknown): boolean =>
  encoding === undefined || (typeof encoding === 'string' && /^utf-?8$/i.test(encoding));
const { byteLength, from, isEncoding } = Buffer;
const { toString: toText, write } = Buffer.prototype;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

Buffer.from = (value: unknown, encoding?: unknown, length?: unknown) => {
  if (typeof value === 'string' && isUtf8(encoding)) {
    const bytes = encoder.encode(value);
    return from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
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
};
Buffer.isEncoding = (encoding: unknown) => isUrl(encoding) || isEncoding(encoding);
Buffer.byteLength = (value: unknown, encoding?: unknown) => {
  if (typeof value === 'string' && isUtf8(encoding)) return utf8Length(value);
  return byteLength(value, isUrl(encoding) ? 'base64' : encoding);
};
Buffer.prototype.toString = function (encoding?: unknown, start?: unknown, end?: unknown) {
  if (start === undefined && end === undefined && isUtf8(encoding)) return decoder.decode(this as Uint8Array);
  if (!isUrl(encoding)) return toText.call(this, encoding, start, end);
  return toText.call(this, 'base64', start, end).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
};
Buffer.prototype.write = function (...args: unknown[]) {
  if (typeof args[0] !== 'string') throw wrongType('argument', 'of type string', args[0]);
  return write.apply(
    this,
    args.map((arg) => (isUrl(arg) ? 'base64' : arg)),
  );
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

const { copy, equals, indexOf, lastIndexOf } = Buffer.prototype;

define('equals', function (this: NpmBuffer, other: unknown) {
  if (!(other instanceof Uint8Array)) throw wrongType('otherBuffer', 'an instance of Buffer or Uint8Array', other);
  return equals.call(this, asBuffer(other));
});

define('copy', function (this: NpmBuffer, target: unknown, targetStart?: number, start?: number, end?: number) {
  if (!(target instanceof Uint8Array)) throw wrongType('target', 'an instance of Buffer or Uint8Array', target);
  return copy.call(this, asBuffer(target), targetStart, start, end);
});

define('indexOf', function (this: NpmBuffer, value: unknown, from_?: unknown, encoding?: unknown) {
  // An empty text is found at once, as in a string.
  if (value === '' || (value instanceof Uint8Array && value.length === 0)) {
    const at = Math.trunc(Number(from_)) || 0;
    return Math.min(at < 0 ? Math.max(this.length + at, 0) : at, this.length);
  }
  return indexOf.call(this, asBuffer(value), from_, isUrl(encoding) ? 'base64' : encoding);
});

define('lastIndexOf', function (this: NpmBuffer, value: unknown, from_?: unknown, encoding?: unknown) {
  return lastIndexOf.call(this, asBuffer(value), from_, isUrl(encoding) ? 'base64' : encoding);
});

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
    [
      'compare',
      'copy',
      'fill',
      'indexOf',
      'lastIndexOf',
      'includes',
      'swap16',
      'swap32',
      'swap64',
      'toString',
      'write',
    ],
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
