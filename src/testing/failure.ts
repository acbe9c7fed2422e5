import { FnError, isRecord, packageRoot } from '../std/index.ts';

/**
 * Carries out one piece of work for a test. The stack of a refusal shows the author's own lines: those of the function, if one ran,
 * then those of the test.
 */
export function told<T>(work: () => Promise<T>): Promise<T> {
  const caller: { stack?: string } = {};
  Error.captureStackTrace(caller, told);
  return work().catch((error: unknown) => {
    throw error instanceof FnError ? atOwnLines(error, framesOf(caller.stack).filter(isOwn)) : error;
  });
}

function atOwnLines(error: FnError, frames: readonly string[]): FnError {
  const { own, causes } = functionFrames(error);
  error.stack = [`${error.name}: ${error.message}`, ...own, ...frames, ...causes].join('\n');
  // A runner prints every field; these either mean nothing to the reader of a failed test or repeat the stack.
  for (const [key, value] of Object.entries(error)) {
    if (value === undefined || key === 'retryAfter') Reflect.deleteProperty(error, key);
  }
  // The message names what an own refusal comes from; its stack would lead into `fn`.
  if (error.cause instanceof FnError) Reflect.deleteProperty(error, 'cause');
  const failure = failureIn(error);
  if (failure && 'stack' in failure) Object.defineProperty(failure, 'stack', { enumerable: false });
  return error;
}

/** The frames of the function that ran, if one did, followed by its causes, each with its name. */
function functionFrames(error: FnError): { own: string[]; causes: string[] } {
  const [own, ...causes] = (functionStack(error) ?? '').split(/^(?=caused by )/m);
  return { own: framesOf(own), causes: causes.flatMap((cause) => cause.trimEnd().split('\n')) };
}

function functionStack(error: FnError): string | undefined {
  const stack = failureIn(error)?.['stack'];
  return typeof stack === 'string' ? stack : undefined;
}

function failureIn(error: FnError): Record<string, unknown> | undefined {
  const details = 'details' in error && isRecord(error.details) ? error.details : {};
  return isRecord(details['error']) ? details['error'] : undefined;
}

function framesOf(stack = ''): string[] {
  return stack.split('\n').filter((line) => /^\s+at /.test(line));
}

/** Whether a frame is neither Node's nor ours, installed or in a checkout. */
function isOwn(frame: string): boolean {
  const place = frame.replaceAll('\\', '/');
  const root = packageRoot().replaceAll('\\', '/');
  return !place.includes('node:') && !['dist', 'src'].some((folder) => place.includes(`${root}/${folder}/`));
}
