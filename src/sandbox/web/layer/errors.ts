/** Errors that come in as plain data, and errors that go out as plain data. */
import { className, withClass } from './class-names.ts';
import {
  apply,
  arrayIncludes,
  getOwnPropertyDescriptor,
  hasOwn,
  isArray,
  ownKeys,
  stringSlice,
  toWellFormed,
  uncurry,
} from './primordials.ts';

/** An error as plain data, for crossing the boundary. */
export interface PlainError {
  /** Empty for a cause that is not an error. */
  name: string;
  message: string;
  code?: string | undefined;
  stack?: string | undefined;
  /** Further fields, as text: `code: 'no_price',\n  lines: []`. */
  fields?: string | undefined;
  /** For a refusal of `sdk.methods.call`: the invocation that failed. */
  callee?: string | undefined;
  cause?: PlainError | undefined;
  /** For an AggregateError: its first errors. */
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
// 'SyntaxError' is missing on purpose: from the host this name means the DOMException of WebCrypto and URL parsing.

/** Creates an error in this context. Names without an ECMAScript class become a DOMException. */
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
  if (plain.cause !== undefined) {
    const cause = makeError(plain.cause);
    Reflect.defineProperty(error, 'cause', { value: cause, configurable: true, enumerable: false, writable: true });
  }
  return error;
}

const { captureStackTrace } = Error;
const weakAdd = uncurry(WeakSet.prototype.add);
const weakDelete = uncurry(WeakSet.prototype.delete);
let placeless: WeakSet<object> | undefined;

/** Marks an error that was created while none of the author's code was running, so that its stack has none of their lines. */
export function withoutPlace<T extends object>(error: T): T {
  placeless ??= new WeakSet();
  weakAdd(placeless, error);
  return error;
}

/** Returns the error. A marked one gets the current stack, where V8 knows the awaiting code; others are unchanged. */
export function placed<T>(error: T): T {
  if (placeless !== undefined && weakDelete(placeless, error as object)) captureStackTrace(error as object, placed);
  return error;
}

const maxText = 16 * 1024;
/** Limit for one thrown value: each error may contain five others and a cause, recursively. (../../limits.ts) */
const maxErrors = 32;

/** Names of ECMAScript errors; any other name was chosen by the author. */
const ownNames = { __proto__: null, ...classes, SyntaxError, AggregateError, SuppressedError: undefined };

/**
 * Reads a thrown value of any kind without trusting it: getters that throw, `throw null`, cycles in `cause`, lone surrogates, endless
 * texts. A getter that loops is ended by the invocation's own time limit.
 */
export function report(error: unknown, depth = 0, seen: unknown[] = []): PlainError {
  if (error === null || (typeof error !== 'object' && typeof error !== 'function')) {
    return bare(describe(error), depth);
  }
  if (arrayIncludes(seen, error)) return { name: 'Error', message: '[circular cause]' };
  seen[seen.length] = error;
  const Class = classNameOf(error);
  const said = readText(error, 'name') ?? Class ?? 'Error';
  // A class that gives itself no name goes by the one of its parent, and so does its stack.
  const named = (text: string) => (hasOwn(ownNames, said) ? withClass(text, Class, said) : text);
  const name = named(said);
  const message = readText(error, 'message');
  const stack = readText(error, 'stack');
  const code = readText(error, 'code');
  const plain: PlainError =
    message === undefined && stack === undefined
      ? bare(describeObject(error), depth, name)
      : { name: name === '' ? 'Error' : name, message: message ?? '' };
  if (stack !== undefined) plain.stack = named(stack);
  if (code !== undefined) plain.code = code;
  plain.callee = calleeOf(error);
  if (depth < 4 && seen.length < maxErrors) {
    const cause = readCause(error);
    if (cause !== undefined) plain.cause = report(cause.value, depth + 1, seen);
    const held = readErrors(error);
    if (held.length > 0) {
      plain.errors = [];
      for (let i = 0; i < held.length && seen.length < maxErrors; i++)
        plain.errors[i] = report(held[i], depth + 1, seen);
    }
  }
  // An object without a message shows all of itself in place of one.
  if (message !== undefined || stack !== undefined) plain.fields = fieldsOf(error, plain);
  return plain;
}

/** A value that is not an error. A cause or a nested value was not thrown: `new Error('refused', { cause: await answer.json() })`. */
function bare(text: string, depth: number, name = 'Error'): PlainError {
  if (depth > 0) return { name: '', message: text };
  return { name: name === '' ? 'Error' : name, message: `${text} was thrown (not an Error)` };
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

function calleeOf(error: object): string | undefined {
  try {
    const details: unknown = hasOwn(error, 'details') ? (error as { details?: unknown }).details : undefined;
    if (typeof details !== 'object' || details === null || !hasOwn(details, 'error')) return undefined;
    return readText(details, 'invocationId');
  } catch {
    return undefined;
  }
}

/** Fields that are reported for every error. */
const toldFields = ['name', 'message', 'stack', 'cause'];
const maxFields = 4 * 1024;

/** Fields of a refusal that only say that a function failed; that function's own error says how. */
const refusalFields = ['code', 'status', 'requestId', 'details'];

function fieldsOf(error: object, { callee, errors }: PlainError): string | undefined {
  try {
    const keys: PropertyKey[] = [];
    const own = ownKeys(error);
    for (let i = 0; i < own.length; i++) {
      const key = own[i] as PropertyKey;
      if (arrayIncludes(toldFields, key) || (callee !== undefined && arrayIncludes(refusalFields, key))) continue;
      if (errors !== undefined && key === 'errors') continue;
      if (getOwnPropertyDescriptor(error, key)?.enumerable === true) keys[keys.length] = key;
    }
    if (keys.length === 0) return undefined;
    const { inspectFields } = __part('inspect') as typeof import('./inspect.ts');
    const text = inspectFields(error, keys);
    return toWellFormed(text.length > maxFields ? `${stringSlice(text, 0, maxFields)} …` : text);
  } catch {
    return undefined; // a proxy, or an object that shows itself and throws
  }
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

/** Reads nested errors, at most five: an error may contain a thousand. */
function readErrors(error: object): unknown[] {
  const found: unknown[] = [];
  try {
    // A SuppressedError of `using` has the error of the body and that of the disposal.
    if (hasOwn(error, 'suppressed')) {
      const { error: last, suppressed } = error as SuppressedError;
      if (last instanceof Error) found[found.length] = last;
      if (suppressed instanceof Error) found[found.length] = suppressed;
    }
    const errors = hasOwn(error, 'errors') ? (error as { errors?: unknown }).errors : undefined;
    if (!isArray(errors)) return found;
    // Lists of plain data, as in validation libraries, are ordinary fields; the rejections of `Promise.any` are not enumerable.
    const held = getOwnPropertyDescriptor(error, 'errors')?.enumerable === false;
    for (let i = 0; i < errors.length && found.length < 5; i++) {
      if (held || errors[i] instanceof Error) found[found.length] = errors[i];
    }
  } catch {
    // a getter or a proxy that throws holds nothing
  }
  return found;
}

function classNameOf(value: object): string | null {
  try {
    const name = className(value);
    return name === null ? null : toWellFormed(stringSlice(name, 0, 200));
  } catch {
    return null; // a proxy that throws
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
    return stringSlice(inspect(value, { depth: 2 }), 0, 1000);
  } catch {
    return 'An object';
  }
}
