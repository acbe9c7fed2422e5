import type { Any, Kit } from './kit.ts';

/** The kind of value, what a function should return instead, and what it should pass to a call, if that differs. */
type Emptied = readonly [kind: string, returned: string, sent?: string];

/** Names a kind of value of which JSON keeps nothing, and its replacement. Sent as text to the sandbox and to views. */
export function emptied({ ErrorClass, isView, toStringTag }: Pick<Kit, 'ErrorClass' | 'isView' | 'toStringTag'>) {
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

  return (value: object): Emptied | undefined => {
    if (isView(value) || value instanceof ArrayBuffer) return ['bytes', 'new Response(bytes)', 'them in base64'];
    if (value instanceof Map) return ['a Map', 'Object.fromEntries(map)'];
    if (value instanceof Set) return ['a Set', '[...set]'];
    // Objects that define their own JSON form (errors of some libraries) are accepted.
    if (typeof (value as Any)['toJSON'] === 'function') return undefined;
    if (value instanceof ErrorClass) return ['an Error', 'its message, or throw it', 'its message'];
    const tag = (value as Any)[toStringTag];
    return typeof tag === 'string' ? byTag(tag) : undefined;
  };
}
