import type { FromChildDone, WireFailure } from '../protocol.ts';
import type { ErrorCause } from '../types.ts';
import type { End } from './session.ts';

/**
 * What the parent is told of an end that is no result.
 * @param running whether the function itself ran, or only its module was loaded
 */
export function failureOf(end: End, running: boolean): Pick<FromChildDone, 'status' | 'error'> {
  switch (end.status) {
    case 'ok':
      return { status: 'error', error: tooLarge(Buffer.byteLength(end.json) + (end.bytes?.byteLength ?? 0)) };
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
      return died(end.death, running);
  }
}

function died(death: 'cpu' | 'wall' | 'memory' | 'retired', running: boolean): Pick<FromChildDone, 'status' | 'error'> {
  if (death === 'memory') {
    return {
      status: 'memory',
      error: failure('function_memory', 'RangeError', 'The function used more memory than its limit'),
    };
  }
  if (death === 'retired') {
    return { status: 'refused', error: failure('function_cancelled', 'AbortError', 'The invocation was cancelled') };
  }
  const what = running ? 'The function' : 'The module';
  const message =
    death === 'cpu'
      ? `${what} used more CPU time than its limit${running ? '' : ' while it was loaded'}`
      : running
        ? 'The function did not finish within its time limit'
        : 'The module did not finish loading within its time limit: a top-level await did not settle';
  return { status: 'timeout', error: failure('function_timeout', 'TimeoutError', message) };
}

function tooLarge(bytes: number): WireFailure {
  return failure('result_too_large', 'RangeError', `The result has ${bytes} bytes, more than its limit`);
}

function failure(code: WireFailure['code'], name: string, message: string): WireFailure {
  return { code, name, message };
}

/** JSON that the layer's `report` made inside: text of the function's own, every field checked and cut. */
function thrown(json: string): WireFailure {
  const { name, message, stack, cause, code } = causeOf(parse(json), 0);
  return {
    code: 'function_failed',
    name,
    message,
    stack,
    ...(code !== undefined && { errorCode: code }),
    ...(cause && { cause }),
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function causeOf(value: unknown, depth: number): ErrorCause & { code?: string } {
  const fields: Record<string, unknown> = typeof value === 'object' && value !== null ? { ...value } : {};
  const { name, message, stack, cause, code } = fields;
  return {
    name: text(name, 200) ?? 'Error',
    message: text(message, 8_192) ?? '',
    ...(typeof stack === 'string' && { stack: stack.slice(0, 16_384) }),
    ...(typeof code === 'string' && { code: code.slice(0, 200) }),
    ...(cause !== undefined && depth < 4 && { cause: causeOf(cause, depth + 1) }),
  };
}

function text(value: unknown, most: number): string | undefined {
  return typeof value === 'string' ? value.slice(0, most) : undefined;
}
