/** npm's `buffer`, plus the encoding it lacks: base64url. */
import * as npm from 'internal:buffer/index.js';

export const Buffer = npm.Buffer;

const isUrl = (encoding: unknown): boolean => typeof encoding === 'string' && encoding.toLowerCase() === 'base64url';
const { byteLength, from, isEncoding } = Buffer;
const { toString: toText, write } = Buffer.prototype;

// Decoding base64 takes both alphabets already.
Buffer.from = (value: unknown, encoding?: unknown, length?: unknown) =>
  from(value, isUrl(encoding) ? 'base64' : encoding, length);
Buffer.isEncoding = (encoding: unknown) => isUrl(encoding) || isEncoding(encoding);
Buffer.byteLength = (value: unknown, encoding?: unknown) => byteLength(value, isUrl(encoding) ? 'base64' : encoding);
Buffer.prototype.toString = function (encoding?: unknown, start?: unknown, end?: unknown) {
  if (!isUrl(encoding)) return toText.call(this, encoding, start, end);
  return toText.call(this, 'base64', start, end).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
};
Buffer.prototype.write = function (...args: unknown[]) {
  return write.apply(
    this,
    args.map((arg) => (isUrl(arg) ? 'base64' : arg)),
  );
};
