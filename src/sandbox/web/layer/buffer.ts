/** npm's `buffer`, plus what it lacks (base64url, a method for each encoding, newer names) and faster UTF-8. */
import * as npm from 'internal:buffer/index.js';
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
  // Decoding base64 accepts both alphabets.
  return from(value, isUrl(encoding) ? 'base64' : encoding, length);
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

function define(name: string, value: unknown): void {
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
for (const order of ['LE', 'BE']) {
  for (const verb of ['read', 'write'])
    define(`${verb}BigUint64${order}`, Reflect.get(Buffer.prototype, `${verb}BigUInt64${order}`));
}
