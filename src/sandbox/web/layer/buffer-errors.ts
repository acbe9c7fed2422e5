/** Node's errors of `Buffer`: npm's `buffer` has the same classes, but no codes, which packages that parse binary data look at. */

interface Coded extends Error {
  code: string;
}

function withCode(error: Error, code: string): Coded {
  return Object.assign(error, { code });
}

/** @param range such as `>= 0 and <= 255` */
export function outOfRange(what: string, range: string, value: unknown): Coded {
  const text = `The value of "${what}" is out of range. It must be ${range}. Received ${grouped(value)}`;
  return withCode(new RangeError(text), 'ERR_OUT_OF_RANGE');
}

export const outOfBounds = () =>
  withCode(new RangeError('Attempt to access memory outside buffer bounds'), 'ERR_BUFFER_OUT_OF_BOUNDS');

/** @param expected such as `of type number` */
export function wrongType(what: string, expected: string, value: unknown): Coded {
  const text = `The "${what}" argument must be ${expected}. Received ${described(value)}`;
  return withCode(new TypeError(text), 'ERR_INVALID_ARG_TYPE');
}

/** Long whole numbers are shown with separators. */
function grouped(value: unknown): string {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) > 2 ** 32
    ? `${value}`.replace(/\B(?=(?:\d{3})+$)/g, '_')
    : String(value);
}

function described(value: unknown): string {
  if (value === undefined || value === null) return `${value}`;
  if (typeof value === 'function') return `function ${value.name}`;
  if (typeof value === 'object') return `an instance of ${(value as object).constructor?.name ?? 'Object'}`;
  const text = String(value);
  const short = text.length > 28 ? `${text.slice(0, 25)}...` : text;
  return `type ${typeof value} (${typeof value === 'string' ? `'${short}'` : `${short}${typeof value === 'bigint' ? 'n' : ''}`})`;
}

const codes: [message: RegExp, code: string][] = [
  [/^Unknown encoding/, 'ERR_UNKNOWN_ENCODING'],
  [/^Buffer size must be a multiple/, 'ERR_INVALID_BUFFER_SIZE'],
  [/^"(?:offset|length)" is outside of buffer bounds/, 'ERR_BUFFER_OUT_OF_BOUNDS'],
  [/is invalid for argument "value"/, 'ERR_INVALID_ARG_VALUE'],
  [/out of range|outside|out of bounds|is invalid for option/i, 'ERR_OUT_OF_RANGE'],
];

/** What npm's code threw, with the code that Node's error has. An error of the engine (no memory, no stack) has none. */
export function coded(error: unknown): unknown {
  if (!(error instanceof TypeError || error instanceof RangeError) || 'code' in error) return error;
  const { message } = error;
  for (const [pattern, code] of codes) if (pattern.test(message)) return withCode(error, code);
  return error instanceof TypeError ? withCode(error, 'ERR_INVALID_ARG_TYPE') : error;
}
