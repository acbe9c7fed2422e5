/** Errors that come in as plain data, and errors that go out as plain data. */
import {
  apply,
  arrayIncludes,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  isArray,
  stringSlice,
  toWellFormed,
  uncurry,
} from './primordials.ts';

/** What crosses the boundary in place of an error object. */
export interface PlainError {
  name: string;
  message: string;
  code?: string | undefined;
  stack?: string | undefined;
  cause?: PlainError | undefined;
  /** Of an AggregateError: the first of what it holds. */
  errors?: PlainError[] | undefined;
}

const classes: Record<string, ErrorConstructor> = {
  __proto__: null as never,
  Error,
  TypeError,
  RangeError,
  URIError: URIError as ErrorConstructor,
  EvalError: EvalError as ErrorConstructor,
  ReferenceError: ReferenceError as ErrorConstructor,
};
// 'SyntaxError' is missing on purpose: what comes from the host under this name is the DOMException of WebCrypto and URL parsing.

/** An error made in this context. Names that no ECMAScript class has become a DOMException. */
export function makeError(plain: PlainError): Error {
  const Class = classes[plain.name];
  if (!Class) {
    const { DOMException } = __part('dom-exception') as typeof import('./dom-exception.ts');
    return new DOMException(plain.message, plain.name);
  }
  const error = new Class(plain.message);
  if (plain.code !== undefined) {
    Reflect.defineProperty(error, 'code', { value: plain.code, configurable: true, enumerable: true, writable: true });
  }
  return error;
}

const { captureStackTrace } = Error;
const weakAdd = uncurry(WeakSet.prototype.add);
const weakDelete = uncurry(WeakSet.prototype.delete);
let placeless: WeakSet<object> | undefined;

/** Notes of an error that it was made while no code of the author's ran, so that its stack names none of their lines. */
export function withoutPlace<T extends object>(error: T): T {
  placeless ??= new WeakSet();
  weakAdd(placeless, error);
  return error;
}

/** The same error. One noted so gets the stack of here, where V8 knows who awaits; no other is touched. */
export function placed<T>(error: T): T {
  if (placeless !== undefined && weakDelete(placeless, error as object)) captureStackTrace(error as object, placed);
  return error;
}

const maxText = 16 * 1024;

/**
 * Reads a thrown value of any kind without trusting it: getters that throw, `throw null`, cycles in `cause`, lone surrogates, endless
 * texts. A getter that loops is ended by the invocation's own time limit.
 */
export function report(error: unknown, depth = 0, seen: unknown[] = []): PlainError {
  if (error === null || (typeof error !== 'object' && typeof error !== 'function')) {
    return { name: 'Error', message: `${describe(error)} was thrown (not an Error)` };
  }
  if (arrayIncludes(seen, error)) return { name: 'Error', message: '[circular cause]' };
  seen[seen.length] = error;
  const name = readText(error, 'name') ?? classNameOf(error) ?? 'Error';
  const message = readText(error, 'message');
  const stack = readText(error, 'stack');
  const code = readText(error, 'code');
  const plain: PlainError = {
    name: name === '' ? 'Error' : name,
    message: message ?? (stack === undefined ? describeObject(error) : ''),
  };
  if (stack !== undefined) plain.stack = stack;
  if (code !== undefined) plain.code = code;
  if (depth < 4) {
    const cause = readCause(error);
    if (cause !== undefined) plain.cause = report(cause.value, depth + 1, seen);
    const held = readErrors(error);
    if (held.length > 0) {
      plain.errors = [];
      for (let i = 0; i < held.length; i++) plain.errors[i] = report(held[i], depth + 1, seen);
    }
  }
  return plain;
}

function readText(error: object, key: string): string | undefined {
  try {
    const value = (error as Record<string, unknown>)[key];
    if (typeof value === 'string') return toWellFormed(stringSlice(value, 0, maxText));
    if (typeof value === 'number' || typeof value === 'boolean') return `${value}`;
  } catch {
    // a getter that throws says nothing
  }
  return undefined;
}

function readCause(error: object): { value: unknown } | undefined {
  try {
    if (!hasOwn(error, 'cause')) return undefined;
    const value = (error as { cause?: unknown }).cause;
    return value === undefined ? undefined : { value };
  } catch {
    return undefined;
  }
}

/** At most five: an error may hold a thousand others. */
function readErrors(error: object): unknown[] {
  const found: unknown[] = [];
  try {
    // Of `using`: what the body threw stands beside what its end threw.
    if (hasOwn(error, 'suppressed')) {
      const { error: last, suppressed } = error as SuppressedError;
      if (last instanceof Error) found[found.length] = last;
      if (suppressed instanceof Error) found[found.length] = suppressed;
    }
    const errors = hasOwn(error, 'errors') ? (error as { errors?: unknown }).errors : undefined;
    if (!isArray(errors)) return found;
    for (let i = 0; i < errors.length && found.length < 5; i++) {
      // Lists of plain facts, as libraries for checking keep them, belong to whoever catches the error.
      if (errors[i] instanceof Error) found[found.length] = errors[i];
    }
  } catch {
    // a getter or a proxy that throws holds nothing
  }
  return found;
}

function classNameOf(value: object): string | undefined {
  try {
    const prototype = getPrototypeOf(value);
    const Class = prototype && getOwnPropertyDescriptor(prototype, 'constructor')?.value;
    return typeof Class === 'function' ? readText(Class, 'name') : undefined;
  } catch {
    return undefined;
  }
}

function describe(value: unknown): string {
  if (typeof value === 'string') return toWellFormed(stringSlice(value, 0, maxText));
  if (typeof value === 'bigint') return stringSlice(`${value}n`, 0, 200);
  if (typeof value === 'symbol') return stringSlice(apply(symbolToString, value, []), 0, 200);
  return `${value as null}`;
}

const symbolToString = Symbol.prototype.toString as () => string;

function describeObject(value: object): string {
  try {
    const { inspect } = __part('inspect') as typeof import('./inspect.ts');
    return `${stringSlice(inspect(value, { depth: 1 }), 0, 1000)} was thrown (not an Error)`;
  } catch {
    return 'An object was thrown (not an Error)';
  }
}
