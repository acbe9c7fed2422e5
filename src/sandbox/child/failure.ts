import { tookTooLong, usedTooMuch } from '../limit-words.ts';
import { mostErrors } from '../limits.ts';
import type { FromChildDone, WireFailure } from '../protocol.ts';
import type { ErrorCause, Limits } from '../types.ts';
import type { End } from './session.ts';

/**
 * What the parent is told of an end that is no result.
 * @param limits of the invocation; none where the function itself did not run, only its module was loaded
 */
export function failureOf(end: End, limits: Limits | undefined): Pick<FromChildDone, 'status' | 'error'> {
  switch (end.status) {
    case 'ok':
      return { status: 'error', error: tooLarge(resultBytesOf(end)) };
    case 'too-large':
      return { status: 'error', error: tooLarge(end.bytes) };
    case 'no-default':
      return {
        status: 'error',
        error: failure('function_export_missing', 'TypeError', 'The module has no default export that is a function'),
      };
    case 'error':
      return { status: 'error', error: thrown(end.json) };
    case 'died':
      return died(end.death, limits);
  }
}

/** The result of a Response is its body; its status and headers have a limit of their own. */
export function resultBytesOf({ json, bytes }: End & { status: 'ok' }): number {
  return Math.max(Buffer.byteLength(json), bytes?.byteLength ?? 0);
}

function died(
  death: 'cpu' | 'wall' | 'memory' | 'retired',
  limits: Limits | undefined,
): Pick<FromChildDone, 'status' | 'error'> {
  if (death === 'memory') {
    return { status: 'memory', error: failure('function_memory', 'RangeError', usedTooMuch(limits)) };
  }
  if (death === 'retired') {
    return { status: 'refused', error: failure('function_cancelled', 'AbortError', 'The invocation was cancelled') };
  }
  return { status: 'timeout', error: failure('function_timeout', 'TimeoutError', tookTooLong(death, limits)) };
}

function tooLarge(bytes: number): WireFailure {
  return failure('result_too_large', 'RangeError', `The result has ${bytes} bytes, more than its limit`);
}

function failure(code: WireFailure['code'], name: string, message: string): WireFailure {
  return { code, name, message };
}

/** JSON that the layer's `report` made inside: text of the function's own, every field checked and cut. */
function thrown(json: string): WireFailure {
  const { code, ...error } = causeOf(parse(json), 0, { left: mostErrors });
  return {
    code: 'function_failed',
    ...error,
    ...(code !== undefined && { errorCode: code }),
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** @param room for errors, this one included, of all that are told of one failure */
function causeOf(value: unknown, depth: number, room: { left: number }): ErrorCause & { code?: string } {
  room.left--;
  const mayHold = () => depth < 4 && room.left > 0;
  const given: Record<string, unknown> = typeof value === 'object' && value !== null ? { ...value } : {};
  const { name, message, stack, cause, errors, code, fields, callee } = given;
  return {
    name: text(name, 200) ?? 'Error',
    message: text(message, 8_192) ?? '',
    ...(typeof stack === 'string' && { stack: stack.slice(0, 16_384) }),
    ...(typeof code === 'string' && { code: code.slice(0, 200) }),
    ...(typeof fields === 'string' && { fields: fields.slice(0, 8_192) }),
    ...(typeof callee === 'string' && { callee: callee.slice(0, 100) }),
    ...(cause !== undefined && mayHold() && { cause: causeOf(cause, depth + 1, room) }),
    ...(Array.isArray(errors) && {
      errors: errors.slice(0, 5).flatMap((one) => (mayHold() ? [causeOf(one, depth + 1, room)] : [])),
    }),
  };
}

function text(value: unknown, most: number): string | undefined {
  return typeof value === 'string' ? value.slice(0, most) : undefined;
}
