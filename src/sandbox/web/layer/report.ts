import { log } from './ops.ts';

/**
 * An exception that no caller can catch (timers, listeners, microtasks) becomes a log line of level error.
 * @see https://html.spec.whatwg.org/#report-the-exception
 */
export function reportException(error: unknown, prefix = 'Uncaught'): void {
  let text: string;
  try {
    const { inspect } = __part('inspect') as typeof import('./inspect.ts');
    text = `${prefix} ${inspect(error)}`;
  } catch {
    text = `${prefix} exception (it could not be shown)`;
  }
  log('error', text);
}
