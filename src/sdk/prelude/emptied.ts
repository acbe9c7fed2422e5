import type { Any, Kit } from './kit.ts';

/** The kind of value, what a function should return instead, and what it should pass to a call, if that differs. */
type Emptied = readonly [kind: string, returned: string, sent?: string];

type Used = Pick<
  Kit,
  'ErrorClass' | 'TypeErrorClass' | 'getPrototypeOf' | 'isArray' | 'isView' | 'objectPrototype' | 'keys' | 'toStringTag'
>;

/** Knows the values of which JSON keeps nothing. Sent as text to the sandbox and to views. */
export function emptied(kit: Used) {
  const { ErrorClass, TypeErrorClass, getPrototypeOf, isArray, isView, objectPrototype, keys, toStringTag } = kit;

  /** A switch instead of a table: a table would be built in every context and hardly ever read. */
  function byTag(tag: string): Emptied | undefined {
    switch (tag) {
      case 'AsyncGenerator':
        return [
          'an async generator',
          'what it yields, in a list or as the body of a Response',
          'what it yields, in a list',
        ];
      case 'Blob':
      case 'File':
        return [`a ${tag}`, 'new Response(blob)', 'its text, or its bytes in base64'];
      case 'FormData':
        return ['a FormData', 'Object.fromEntries(form), or new Response(form)', 'Object.fromEntries(form)'];
      case 'Generator':
        return ['a generator', '[...generator]: the function must not be a function*', '[...generator]'];
      case 'Headers':
        return ['a Headers object', 'Object.fromEntries(headers)'];
      case 'Promise':
        return ['a Promise', 'what it resolves to: await it'];
      case 'ReadableStream':
        return ['a stream', 'new Response(stream)', 'what it holds: await new Response(stream).text()'];
      case 'Request':
        return ['a Request', 'what is wanted of it'];
      case 'URLSearchParams':
        return ['a URLSearchParams object', 'Object.fromEntries(params)'];
      default:
        return undefined;
    }
  }

  /** Names the kind of such a value, and its replacement. */
  function emptiedOf(value: object): Emptied | undefined {
    if (isView(value) || value instanceof ArrayBuffer) return ['bytes', 'new Response(bytes)', 'them in base64'];
    if (value instanceof Map) return ['a Map', 'Object.fromEntries(map)'];
    if (value instanceof Set) return ['a Set', '[...set]'];
    // Objects that define their own JSON form (errors of some libraries) are accepted.
    if (typeof (value as Any)['toJSON'] === 'function') return undefined;
    if (value instanceof ErrorClass) return ['an Error', 'its message, or throw it', 'its message'];
    const tag = (value as Any)[toStringTag];
    return typeof tag === 'string' ? byTag(tag) : undefined;
  }

  function isPromiseOrFile(value: object): boolean {
    const tag = (value as Any)[toStringTag];
    return tag === 'Promise' || tag === 'Blob' || tag === 'File';
  }

  /**
   * Refuses an input that would arrive as `{}`, itself or in one of its fields. Further down it refuses only promises and files, which
   * nobody means to send as `{}`; the rest may be intended, as in a library's object.
   */
  function refuseEmptied(input: unknown): void {
    let left = 1_000;
    const check = (value: unknown, path: string, depth: number): void => {
      if (typeof value !== 'object' || value === null || left-- <= 0) return;
      const isPlain = isArray(value) || getPrototypeOf(value) === objectPrototype;
      const found = isPlain ? undefined : emptiedOf(value);
      if (found && (depth < 2 || isPromiseOrFile(value)))
        throw new TypeErrorClass(`${path} is ${found[0]}, which is not JSON. Give ${found[2] ?? found[1]}.`);
      if (found || typeof (value as Any)['toJSON'] === 'function') return;
      const names = keys(value);
      for (let i = 0; i < names.length && left > 0; i++) {
        const key = names[i] as string;
        const inside = isArray(value) ? `${path}[${key}]` : depth === 0 ? key : `${path}.${key}`;
        check((value as Any)[key], inside, depth + 1);
      }
    };
    check(input, 'it', 0);
  }

  return { emptiedOf, refuseEmptied };
}
