/** A value that a view has thrown, in words. */
export interface Thrown {
  readonly name: string;
  readonly message: string;
  /** Starts with name and message, followed by nested errors and causes. */
  readonly stack: string;
}

/**
 * Describes any thrown value. It is sent as text into the frame of a Custom View, so it may use only its parameter and the browser.
 */
export function thrownIn(value: unknown): Thrown {
  const deepest = 8;
  const longest = 1_000;

  function inWords(other: unknown): string {
    if (typeof other !== 'object' || other === null) return String(other);
    const { message, type } = other as { message?: unknown; type?: unknown };
    const kind = other.constructor?.name ?? 'Object';
    if (kind === 'Object' || Array.isArray(other)) return JSON.stringify(other).slice(0, longest);
    // Browser objects print as nothing useful: a GeolocationPositionError has a message, an event has a type.
    const said = [message, kind.endsWith('Event') ? type : undefined].find(
      (text) => typeof text === 'string' && text !== '',
    );
    return said === undefined ? `A ${kind}` : `${kind} (${String(said)})`;
  }

  function safely(other: unknown): string {
    try {
      return inWords(other);
    } catch {
      return 'An object';
    }
  }

  const thrown = (other: unknown) => `${safely(other)} was thrown (not an Error)`;

  const named = (error: Error) => ({ name: String(error.name), message: String(error.message) });

  /** Chromium starts a stack with the error's name, other browsers with the first frame; some errors have no stack. */
  function stackOf(error: Error): string {
    const { name, message } = named(error);
    const stack = String(error.stack ?? '');
    const frames = stack.search(/\n\s*at /);
    if (frames >= 0) return `${name}: ${message}${stack.slice(frames)}`;
    return stack === '' || stack.startsWith(name) ? `${name}: ${message}` : `${name}: ${message}\n${stack}`;
  }

  function told(other: unknown, depth: number): string {
    if (!(other instanceof Error)) return depth === 0 ? `Error: ${thrown(other)}` : safely(other);
    if (depth >= deepest) return stackOf(other);
    const { errors, cause } = other as { errors?: unknown; cause?: unknown };
    const held = Array.isArray(errors) ? errors.slice(0, deepest) : [];
    return [
      stackOf(other),
      ...held.map((error, index) => `error ${index + 1}: ${told(error, depth + 1)}`),
      ...(cause === undefined ? [] : [`caused by ${told(cause, depth + 1)}`]),
    ].join('\n');
  }

  const stack = told(value, 0);
  return value instanceof Error ? { ...named(value), stack } : { name: 'Error', message: thrown(value), stack };
}
