import type { Any, Fn, Kit } from './kit.ts';

/** What a function gave back, as text and bytes; or why it cannot be given back. */
export function result(kit: Kit) {
  const {
    apply,
    arrayPrototype,
    bodyAtHand,
    BytesClass,
    ErrorClass,
    getOwnPropertyDescriptor,
    getPrototypeOf,
    isArray,
    isView,
    objectPrototype,
    original,
    own,
    ownKeys,
    stringify,
    toStringTag,
    TypeErrorClass,
  } = kit;

  async function close(value: unknown): Promise<{ json: string; body?: Uint8Array | string }> {
    if (value === undefined) return { json: 'null' };
    if (typeof value === 'object' && value !== null) {
      const above = getPrototypeOf(value);
      if (above !== objectPrototype && above !== arrayPrototype && above !== null) {
        // Where nobody has woken it, nothing is one.
        const Response = original('Response', false) as ({ prototype: object } & Fn) | undefined;
        if (Response && value instanceof Response) return closeResponse(value, Response);
        refuseKind(value);
      }
    }
    return { json: jsonOf(value) };
  }

  /** What JSON would silently turn into `{}`. */
  function refuseKind(value: object): void {
    const refuse = (kind: string, instead: string) => {
      throw invalid(`The function returned ${kind}, which is no JSON. Return ${instead}.`);
    };
    if (isView(value) || value instanceof ArrayBuffer) refuse('bytes', 'new Response(bytes)');
    if (value instanceof Map) refuse('a Map', 'Object.fromEntries(map)');
    if (value instanceof Set) refuse('a Set', '[...set]');
    // Those that say themselves what they are as JSON (errors of some libraries) have their way.
    if (typeof (value as Any)['toJSON'] === 'function') return;
    if (value instanceof ErrorClass) refuse('an Error', 'its message, or throw it');
    const tag = (value as Any)[toStringTag];
    if (tag === 'Generator') refuse('a generator', '[...generator]: the function must not be a function*');
    if (tag === 'AsyncGenerator')
      refuse('an async generator', 'what it yields, in a list or as the body of a Response');
    if (tag === 'ReadableStream') refuse('a stream', 'new Response(stream)');
  }

  function invalid(message: string): Error {
    const error = new TypeErrorClass(message);
    own(error, 'code', 'result_invalid');
    return error;
  }

  function jsonOf(value: unknown): string {
    let json: string | undefined;
    try {
      json = stringify(value);
    } catch (error) {
      throw whyNot(value, error);
    }
    if (json === undefined)
      throw invalid(`The function returned a ${typeof value}, which is no JSON. Return data, or a Response.`);
    return json;
  }

  /** Where in the result the thing is that JSON cannot hold. */
  function whyNot(value: unknown, error: unknown): unknown {
    const above: unknown[] = [];
    const find = (part: unknown, path: string): string | undefined => {
      if (typeof part === 'bigint') return `${path} is a BigInt. Return ${path}.toString() instead.`;
      if (typeof part !== 'object' || part === null) return undefined;
      if (above.includes(part)) return `${path} leads back to what holds it: a cycle.`;
      if (above.length > 500) return undefined;
      above.push(part);
      for (const key of ownKeys(part)) {
        if (typeof key !== 'string') continue;
        const found = find((part as Any)[key], isArray(part) ? `${path}[${key}]` : `${path}.${key}`);
        if (found) return found;
      }
      above.pop();
      return undefined;
    };
    const found = find(value, 'result');
    return found === undefined ? error : invalid(`The result of the function is no JSON: ${found}`);
  }

  /** Beyond a space, which no JSON text of a plain result begins with: see `readResult`. */
  async function closeResponse(
    value: object,
    Response: { prototype: object },
  ): Promise<{ json: string; body: Uint8Array | string }> {
    const read = (key: string): unknown => {
      const get = getOwnPropertyDescriptor(Response.prototype, key)?.get;
      if (!get) throw new TypeErrorClass(`Response has no ${key}`);
      return apply(get, value, []);
    };
    if (read('bodyUsed') === true)
      throw invalid('The body of the returned Response was read already. Return response.clone() instead.');
    const headers: unknown[] = [];
    (read('headers') as { forEach(each: (value: string, key: string) => void): void }).forEach((text, key) => {
      own(headers, headers.length, [key, text]);
    });
    const { arrayBuffer } = Response.prototype as { arrayBuffer?: Fn };
    const body = bodyAtHand(value) ?? ((await apply(arrayBuffer as Fn, value, [])) as ArrayBuffer);
    const parts = { status: read('status'), statusText: read('statusText'), headers };
    return { json: ` ${stringify(parts)}`, body: typeof body === 'string' ? body : new BytesClass(body) };
  }

  return close;
}
