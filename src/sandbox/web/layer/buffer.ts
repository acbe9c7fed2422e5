/** npm's `buffer`, plus the encoding it lacks (base64url) and a quicker way for UTF-8. */
import * as npm from 'internal:buffer/index.js';
import { utf8Length } from './utf8-length.ts';

export const Buffer = npm.Buffer;

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
  // Decoding base64 takes both alphabets already.
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
