import type { SdkArgument } from './argument.ts';
import type { SdkTable } from './table.ts';

/**
 * Makes the `sdk` object of Server SDK functions. Sent into the sandbox as text (`String(prelude)`), so it uses nothing but its
 * parameter and the context's globals, and takes what it needs of them before user code runs. It must stay light: it runs in
 * every new context, and wakes none of the web globals that are made at their first use.
 */
export function prelude(table: SdkTable): void {
  type Any = Record<PropertyKey, unknown>;
  type Fn = (...args: unknown[]) => unknown;
  type Call = (operation: string, input: unknown) => Promise<unknown>;
  const root = globalThis as unknown as Any;
  const { apply, construct, defineProperty, getPrototypeOf, getOwnPropertyDescriptor, ownKeys, setPrototypeOf } =
    Reflect;
  const ProxyClass = Proxy;
  const { toStringTag } = Symbol;
  const { freeze, prototype: objectPrototype } = Object;
  const { parse, stringify } = JSON;
  const { isArray, prototype: arrayPrototype } = Array;
  const ErrorClass = Error;
  const TypeErrorClass = TypeError;
  let DateClass = Date;
  const BytesClass = Uint8Array;
  const isView = ArrayBuffer.isView;
  const captureStackTrace = (ErrorClass as unknown as { captureStackTrace?: (target: object, above: Fn) => void })
    .captureStackTrace;
  const indexOf = String.prototype.indexOf as unknown as Fn;
  const slice = String.prototype.slice as unknown as Fn;

  /** Reads a global as the platform made it, whatever the function has put in its place since; wakes it at the first use. */
  function platform(name: string): () => Any {
    const made = getOwnPropertyDescriptor(root, name);
    let value: unknown = made?.value;
    return () => {
      if (value === undefined && made?.get) {
        const now = getOwnPropertyDescriptor(root, name);
        value = apply(made.get, root, []);
        if (now && now.get !== made.get) defineProperty(root, name, now);
      }
      return value as Any;
    };
  }
  let requestClass: () => Any;
  let responseClass: () => Any;
  let consoleOf: () => Any;
  let platformFetch: unknown;

  /** The web globals are there, and no user code has run. */
  function ready(): void {
    requestClass = platform('Request');
    responseClass = platform('Response');
    consoleOf = platform('console');
    platformFetch = root['fetch'];
    // The one that follows the clock of the workspace; the layer puts it in place after this script has run.
    DateClass = root['Date'] as DateConstructor;
  }

  /** The workspace said no. The same codes as over HTTP. */
  class SdkError extends ErrorClass {
    declare code: string;
    declare status: number;
    declare requestId: string | undefined;
    declare details: unknown;
  }
  defineProperty(SdkError.prototype, 'name', { value: 'SdkError', configurable: true, writable: true });

  function refusal(shape: Any): SdkError {
    const error = new SdkError(`${shape['message']}`) as SdkError & Any;
    for (const key of ['code', 'status', 'requestId', 'details']) {
      if (shape[key] !== undefined) own(error, key, shape[key]);
    }
    return error;
  }

  function own(target: object, key: PropertyKey, value: unknown): void {
    defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  }

  /** Computed when it is first read. */
  function lazy(target: object, key: string, make: () => unknown): void {
    defineProperty(target, key, {
      enumerable: true,
      configurable: true,
      get() {
        const value = make();
        defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
        return value;
      },
    });
  }

  /** Where the function called, for an error that arrives later, when the stack is gone. */
  function withPlace(error: unknown, place: { stack?: string }): unknown {
    if (!(error instanceof SdkError) || place.stack === undefined) return error;
    const frames = apply(indexOf, place.stack, ['\n    at ']) as number;
    if (frames >= 0) {
      const stack = `SdkError: ${error.message}${apply(slice, place.stack, [frames]) as string}`;
      defineProperty(error, 'stack', { value: stack, configurable: true, writable: true });
    }
    return error;
  }

  async function send(call: Call, name: string, input: unknown, options: unknown, above: Fn): Promise<unknown> {
    const place: { stack?: string } = {};
    captureStackTrace?.(place, above);
    try {
      if (typeof input === 'function' || typeof input === 'symbol') throw new TypeErrorClass('it is no JSON');
      const given = input === undefined ? {} : input;
      return await call(name, options === undefined ? given : { $options: options, input: given });
    } catch (error) {
      if (error instanceof TypeErrorClass)
        throw new TypeErrorClass(`sdk.${name}: the input cannot be sent: ${error.message}`);
      throw withPlace(error, place);
    }
  }

  function area(call: Call, name: string, app: string): Any {
    const members: Any = {};
    const verbs = table[name] ?? [];
    for (let i = 0; i < verbs.length; i++) {
      const operation = `${name}.${verbs[i]}`;
      const member = (input?: unknown, options?: unknown) => send(call, operation, input, options, member as Fn);
      own(members, verbs[i] as string, member);
    }
    if (name === 'vars') ownApp(members, app);
    shortForms[name]?.(members, call, app);
    return members;
  }

  /** Variables are those of the function's own app unless another one is named. */
  function ownApp(members: Any, app: string): void {
    for (const verb of ownKeys(members)) {
      const long = members[verb] as Fn;
      own(members, verb, (input?: unknown, options?: unknown) =>
        long(typeof input === 'object' && input !== null ? { app, ...input } : (input ?? { app }), options),
      );
    }
  }

  type Form = (first: string, rest: unknown[], ask: (input: object) => Promise<Any>) => Promise<unknown>;

  /** Forms that people write: a key instead of an input object, the value instead of an output object. */
  function short(members: Any, call: Call, areaName: string, verb: string, form: Form): void {
    const long = members[verb] as Fn;
    const member = (first?: unknown, ...rest: unknown[]): unknown => {
      if (typeof first !== 'string') return long(first, ...rest);
      return form(
        first,
        rest,
        (input) => send(call, `${areaName}.${verb}`, input, undefined, member as Fn) as Promise<Any>,
      );
    };
    own(members, verb, member);
  }

  const shortForms: Record<string, (members: Any, call: Call, app: string) => void> = {
    store(members, call) {
      short(members, call, 'store', 'get', async (key, _, ask) => (await ask({ key }))['value']);
      short(members, call, 'store', 'set', (key, [value, options], ask) => ask({ key, value, ...(options as object) }));
      short(members, call, 'store', 'delete', async (key, _, ask) => (await ask({ key }))['deleted']);
      short(members, call, 'store', 'list', (prefix, [options], ask) => ask({ prefix, ...(options as object) }));
      short(
        members,
        call,
        'store',
        'increment',
        async (key, [by], ask) => (await ask(by === undefined ? { key } : { key, by }))['value'],
      );
    },
    secrets(members, call) {
      short(members, call, 'secrets', 'get', async (name, _, ask) => (await ask({ name }))['value']);
    },
    methods(members, call) {
      short(members, call, 'methods', 'call', (path, [body, options], ask) =>
        ask({ path, ...(body !== undefined && { body }), ...(options as object) }),
      );
    },
    vars(members, call, app) {
      short(members, call, 'vars', 'get', async (name, _, ask) => {
        try {
          return (await ask({ app, name }))['value'];
        } catch (error) {
          if (error instanceof SdkError && error.code === 'var_not_found') return null;
          throw error;
        }
      });
      short(members, call, 'vars', 'set', (name, [value], ask) => ask({ app, name, value }));
      short(members, call, 'vars', 'delete', (name, _, ask) => ask({ app, name }));
    },
  };

  function logger(): Any {
    const log: Any = {};
    for (const level of ['debug', 'info', 'warn', 'error']) {
      own(log, level, (...values: unknown[]) => {
        const console = consoleOf();
        apply(console[level] as Fn, console, values);
      });
    }
    return freeze(log);
  }

  function open(argument: SdkArgument, body: Uint8Array | undefined, call: Call): Any {
    const { context } = argument;
    const sdk: Any = {};
    own(sdk, 'context', freeze({ ...context, now: () => new DateClass() }));
    lazy(sdk, 'log', logger);
    const names = ownKeys(table) as string[];
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string;
      lazy(sdk, name, () => area(call, name, context.app));
    }
    const { request } = argument;
    if (request) {
      own(sdk, 'request', requestOf(request, body));
      acquaint();
    }
    for (const name of ['flow', 'tool', 'cron', 'setup'] as const) {
      if (argument[name] !== undefined) own(sdk, name, argument[name]);
    }
    return sdk;
  }

  type Given = NonNullable<SdkArgument['request']>;
  type RequestClass = { prototype: object } & (new (url: unknown, init?: object) => Any);

  let lightPrototype: object | undefined;
  /** The platform's class, once the function has looked at it. */
  let woken: RequestClass | undefined;
  let realOf: ((light: unknown) => Any | undefined) | undefined;

  /**
   * `sdk.request`. Waking the platform's Request costs ten times what a small method takes, so this one answers what
   * methods ask most (method, url, json(), text()) by itself and becomes a real one for everything else. It passes for
   * one everywhere: `instanceof`, `fetch(sdk.request)`, `new Request(sdk.request)`.
   */
  function requestOf(given: Given, bytes: Uint8Array | undefined): object {
    const { url, method, headers, text } = given;
    const hasBody = method !== 'GET' && method !== 'HEAD' && (text !== undefined || bytes !== undefined);
    let real: Any | undefined;
    let used = false;

    function materialise(): Any {
      if (real) return real;
      const Class = requestClass() as unknown as RequestClass;
      real = new Class(url, { method, headers, ...(hasBody && { body: text ?? bytes }) });
      if (used) void (real['arrayBuffer'] as Fn)();
      return real;
    }
    async function read(as: 'text' | 'json'): Promise<unknown> {
      if (real || bytes !== undefined || used) return (materialise()[as] as Fn)();
      used = hasBody;
      const body = hasBody ? (text ?? '') : '';
      return as === 'text' ? body : parse(body);
    }
    const members: Any = {
      text: () => read('text'),
      json: () => read('json'),
      toString: () => '[object Request]',
    };
    for (const name of ['arrayBuffer', 'blob', 'bytes', 'clone', 'formData']) {
      members[name] = (...args: unknown[]) => apply(materialise()[name] as Fn, materialise(), args);
    }
    const readers: Record<string, () => unknown> = {
      method: () => method,
      url: () => (real ? real['url'] : url),
      bodyUsed: () => (real ? real['bodyUsed'] : used),
    };
    for (const name of otherMembers) readers[name] = () => materialise()[name];
    const prototype = {};
    for (const name of ownKeys(members)) hidden(prototype, name, members[name]);
    for (const name of ownKeys(readers) as string[]) {
      defineProperty(prototype, name, { get: readers[name] as () => unknown, enumerable: true, configurable: true });
    }
    hidden(prototype, toStringTag, 'Request');
    if (woken) setPrototypeOf(prototype, woken.prototype);
    const light = {};
    setPrototypeOf(light, prototype);
    lightPrototype = prototype;
    realOf = (value) => (value === light ? materialise() : undefined);
    return light;
  }

  const otherMembers = [
    'headers',
    'body',
    'cache',
    'credentials',
    'destination',
    'duplex',
    'integrity',
    'keepalive',
    'mode',
    'redirect',
    'referrer',
    'referrerPolicy',
    'signal',
  ];

  function hidden(target: object, key: PropertyKey, value: unknown): void {
    defineProperty(target, key, { value, enumerable: false, configurable: true, writable: true });
  }

  /** Teaches `Request` and `fetch` to take `sdk.request` for what it stands for. Only where a request is handed in. */
  function acquaint(): void {
    const made = getOwnPropertyDescriptor(root, 'Request');
    if (made?.get) {
      defineProperty(root, 'Request', {
        configurable: true,
        enumerable: false,
        get() {
          const Class = requestClass() as unknown as RequestClass;
          woken = Class;
          if (lightPrototype) setPrototypeOf(lightPrototype, Class.prototype);
          const known = new ProxyClass(Class, {
            construct: (target, args, newTarget) =>
              construct(target, [realOf?.(args[0]) ?? args[0], args[1]], newTarget),
          });
          hidden(Class.prototype, 'constructor', known);
          hidden(root, 'Request', known);
          return known;
        },
        set: (value: unknown) => hidden(root, 'Request', value),
      });
    }
    const own = platformFetch as Fn | undefined;
    if (own && root['fetch'] === own) {
      const fetch = (input: unknown, init?: unknown) => own(realOf?.(input) ?? input, init);
      hidden(root, 'fetch', fetch);
    }
  }

  async function close(value: unknown): Promise<{ json: string; body?: Uint8Array }> {
    if (value === undefined) return { json: 'null' };
    if (typeof value === 'object' && value !== null) {
      const above = getPrototypeOf(value);
      if (above !== objectPrototype && above !== arrayPrototype && above !== null) {
        const Response = responseClass() as unknown as { prototype: object } & Fn;
        if (value instanceof Response) return closeResponse(value, Response);
        refuseKind(value);
      }
    }
    return { json: jsonOf(value) };
  }

  /** What JSON would silently turn into `{}`. */
  function refuseKind(value: object): void {
    const binary = isView(value) || value instanceof ArrayBuffer;
    const kind = binary ? 'bytes' : value instanceof Map ? 'a Map' : value instanceof Set ? 'a Set' : undefined;
    if (kind === undefined) return;
    const instead = binary ? 'new Response(bytes)' : kind === 'a Map' ? 'Object.fromEntries(map)' : '[...set]';
    throw invalid(`The function returned ${kind}, which is no JSON. Return ${instead}.`);
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
  ): Promise<{ json: string; body: Uint8Array }> {
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
    const bytes = (await apply(arrayBuffer as Fn, value, [])) as ArrayBuffer;
    const parts = { status: read('status'), statusText: read('statusText'), headers };
    return { json: ` ${stringify(parts)}`, body: new BytesClass(bytes) };
  }

  root['__prelude'] = { open, close, error: refusal, ready };
}
