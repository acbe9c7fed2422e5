import type { emptied as emptiedPart } from './emptied.ts';
import type { Any, Fn, Kit } from './kit.ts';

/** Turns a function's return value into text and bytes, or into the reason why it cannot be returned. */
export function result(kit: Kit, emptied: ReturnType<typeof emptiedPart>['emptiedOf']) {
  const {
    apply,
    arrayPrototype,
    bodyAtHand,
    BytesClass,
    getOwnPropertyDescriptor,
    getPrototypeOf,
    indexOf,
    isArray,
    objectPrototype,
    original,
    own,
    ownKeys,
    stringify,
    TypeErrorClass,
  } = kit;

  async function close(value: unknown): Promise<{ json: string; body?: Uint8Array | string }> {
    if (value === undefined) return { json: 'null' };
    if (typeof value === 'object' && value !== null) {
      const above = getPrototypeOf(value);
      if (above !== objectPrototype && above !== arrayPrototype && above !== null) {
        // If Response is not awake, no value can be a Response.
        const Response = original('Response', false) as ({ prototype: object } & Fn) | undefined;
        if (Response && value instanceof Response) return closeResponse(value, Response);
        refuseKind(value);
      }
    }
    return { json: jsonOf(value) };
  }

  /** Refuses a value that JSON would silently turn into `{}`. */
  function refuseKind(value: object): void {
    const found = emptied(value);
    if (found) throw invalid(`The function returned ${found[0]}, which is not JSON. Return ${found[1]}.`);
  }

  /** Only warns, because nested values may be intended, as in a library's object; a list of promises never is. */
  function warnOfEmptied(value: unknown): void {
    let left = 1_000;
    const find = (part: unknown, path: string): string | undefined => {
      if (typeof part !== 'object' || part === null || left-- < 0) return undefined;
      const known = path === 'result' ? undefined : emptied(part);
      if (known) return `${path} is ${known[0]}, and {} as JSON. Return ${known[1]}.`;
      if (typeof (part as Any)['toJSON'] === 'function') return undefined;
      const keys = ownKeys(part);
      for (let i = 0; i < keys.length && left > 0; i++) {
        const key = keys[i];
        if (typeof key !== 'string') continue;
        const found = find((part as Any)[key], isArray(part) ? `${path}[${key}]` : `${path}.${key}`);
        if (found) return found;
      }
      return undefined;
    };
    try {
      const found = find(value, 'result');
      const console = found && (original('console') as Any);
      if (console) apply(console['warn'] as Fn, console, [found]);
    } catch {
      // A getter threw when it was read a second time: the result is still returned.
    }
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
    if (json !== undefined && (apply(indexOf, json, ['{}']) as number) >= 0) warnOfEmptied(value);
    if (json === undefined)
      throw invalid(`The function returned a ${typeof value}, which is not JSON. Return data, or a Response.`);
    return json;
  }

  /** Says where in the result the value is that JSON cannot hold. */
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
    return found === undefined ? error : invalid(`The result of the function is not JSON: ${found}`);
  }

  /** Prefixes the JSON with a space, which the JSON of a plain result never starts with: see `readResult`. */
  async function closeResponse(
    value: object,
    Response: { prototype: object },
  ): Promise<{ json: string; body: Uint8Array | string }> {
    const read = (key: string): unknown => {
      const get = getOwnPropertyDescriptor(Response.prototype, key)?.get;
      if (!get) throw new TypeErrorClass(`Response has no ${key}`);
      return apply(get, value, []);
    };
    const atHand = bodyAtHand(value);
    if (atHand === undefined && read('bodyUsed') === true)
      throw invalid('The body of the returned Response was read already. Return response.clone() instead.');
    const headers: unknown[] = [];
    (read('headers') as { forEach(each: (value: string, key: string) => void): void }).forEach((text, key) => {
      own(headers, headers.length, [key, text]);
    });
    const { arrayBuffer } = Response.prototype as { arrayBuffer?: Fn };
    const body = atHand ?? ((await apply(arrayBuffer as Fn, value, [])) as ArrayBuffer);
    const parts = { status: read('status'), statusText: read('statusText'), headers };
    return { json: ` ${stringify(parts)}`, body: typeof body === 'string' ? body : new BytesClass(body) };
  }

  return close;
}
