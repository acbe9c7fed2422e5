import { functionToString, getPrototypeOf } from './primordials.ts';

// Names of objects, functions and errors, without running any of the author's code.

export function className(value: object): string | null {
  let prototype: object | null = value;
  for (let i = 0; prototype !== null && i < 20; i++) {
    const Class = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
    if (typeof Class === 'function') {
      const name = Object.getOwnPropertyDescriptor(Class, 'name')?.value;
      if (typeof name === 'string' && name !== '') return name;
    }
    prototype = getPrototypeOf(prototype);
  }
  return null;
}

export function tagOf(value: object, name: string | null): string {
  let tag: unknown;
  try {
    tag = (value as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag];
  } catch {
    tag = undefined;
  }
  if (typeof tag !== 'string' || tag === '' || tag === name) return '';
  // One of its own is shown among the members.
  return Object.getOwnPropertyDescriptor(value, Symbol.toStringTag)?.enumerable === true ? '' : ` [${tag}]`;
}

export function functionLabel(value: object, name: string | null): string {
  const own = Object.getOwnPropertyDescriptor(value, 'name')?.value;
  const text = typeof own === 'string' && own !== '' ? own : undefined;
  let source = '';
  try {
    source = functionToString(value);
  } catch {
    // a proxy of a function has no source
  }
  if (source.startsWith('class') && source.endsWith('}')) {
    const parent = getPrototypeOf(value);
    const base = typeof parent === 'function' ? Object.getOwnPropertyDescriptor(parent, 'name')?.value : undefined;
    return `[class ${text ?? '(anonymous)'}${typeof base === 'string' && base !== '' ? ` extends ${base}` : ''}]`;
  }
  return `[${name ?? 'Function'}${text === undefined ? ' (anonymous)' : `: ${text}`}]`;
}

/** `Refused [Error]: …` for a class that sets no name, `NotFoundError: …` if the class name contains it. */
export function withClass(stack: string, Class: string | null, name: unknown): string {
  if (Class === null || typeof name !== 'string' || Class === name || !name.endsWith('Error')) return stack;
  const rest = stack.slice(name.length);
  if (!stack.startsWith(name) || !/^(?:$|[:\n])/.test(rest)) return stack;
  return `${Class.includes(name) ? Class : `${Class} [${name}]`}${rest}`;
}

/**
 * Removes frames of the sandbox's own code, and that of the promise which it creates for the function's result. The host
 * drops lines that name it, including a brace at their end.
 */
export function ownFramesOut(stack: unknown): unknown {
  if (typeof stack !== 'string') return stack;
  return stack
    .replace(/\n\s+at new Promise \(<anonymous>\)(?=\n[^\n]*fn:sandbox)/g, '')
    .replace(/\n\s+at [^\n]*fn:sandbox[^\n]*/g, '');
}
