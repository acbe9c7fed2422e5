/** Arguments from a context are untrusted: each one is checked here before it is used. */

/** Size limit of one input. */
const maxInputBytes = 64 * 1024 * 1024;
export const maxOutputBytes = 64 * 1024 * 1024;

/** Limit of hash rounds in one key derivation: some two seconds. */
const maxRounds = 4_000_000;

/** Why this number of bits and iterations is too much work for one call; undefined if it is not. */
export function tooManyRounds(iterations: number, bits: number, hashBits: number): string | undefined {
  const rounds = iterations * Math.ceil(bits / hashBits);
  return rounds > maxRounds
    ? `More than ${maxRounds} rounds of the hash are not available in functions: take fewer iterations, or a shorter key`
    : undefined;
}

export function refuse(message: string): TypeError {
  return new TypeError(message);
}

export function textOf(value: unknown, what: string, maxLength = 1024): string {
  if (typeof value !== 'string') throw refuse(`${what} must be a string`);
  if (value.length > maxLength) throw refuse(`${what} is too long`);
  return value;
}

export function wholeNumber(value: unknown, what: string, min: number, max: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${what} must be a whole number from ${min} to ${max}`);
  }
  return value;
}

export function optionalNumber(value: unknown, what: string, min: number, max: number): number | undefined {
  return value === undefined || value === null ? undefined : wholeNumber(value, what, min, max);
}

/** A view of the given bytes; a text gives its UTF-8. */
export function bytesFrom(value: unknown, what: string, maxBytes = maxInputBytes): Uint8Array<ArrayBuffer> {
  let bytes: Uint8Array<ArrayBuffer>;
  if (typeof value === 'string') {
    if (value.length > maxBytes) throw refuse(`${what} is too large`);
    bytes = Buffer.from(value, 'utf8');
  } else if (value instanceof ArrayBuffer) {
    bytes = new Uint8Array(value);
  } else if (ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer) {
    bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  } else {
    throw refuse(`${what} must be bytes or a string`);
  }
  if (bytes.byteLength > maxBytes) throw refuse(`${what} is too large`);
  return bytes;
}

export function optionalBytes(value: unknown, what: string): Uint8Array<ArrayBuffer> | undefined {
  return value === undefined || value === null ? undefined : bytesFrom(value, what);
}

/** A buffer of exactly these bytes that is not shared (Node's small Buffers share a pool). */
export function ownBuffer(bytes: Uint8Array): ArrayBuffer {
  const { buffer, byteLength, byteOffset } = bytes;
  if (buffer instanceof ArrayBuffer && byteOffset === 0 && buffer.byteLength === byteLength) return buffer;
  return new Uint8Array(bytes).buffer;
}

/** JSON of a plain object. Members are read by name only, so that `__proto__` in it does nothing. */
export function objectFrom(value: unknown, what: string, maxLength = 64 * 1024): Record<string, unknown> {
  const parsed: unknown = JSON.parse(textOf(value, what, maxLength));
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed))
    throw refuse(`${what} must be a JSON object`);
  return parsed as Record<string, unknown>;
}
