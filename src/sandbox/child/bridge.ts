/**
 * The only code of `fn` inside a context that talks to the outside. It is sent as text (`String(bridge)`), so it may use
 * nothing but its parameters and the context's globals, and it takes what it needs of them before user code runs.
 *
 * Nothing here is trusted by the child: user code may replace whatever it finds. What this code promises is that an
 * honest function whose libraries patch intrinsics still works, and that limits are met before data crosses.
 */

/** Told to the child, which answers nothing. */
interface Tell {
  (what: 'start', invocation: number, id: number, name: string, json: string, bytes: unknown): void;
  (what: 'log', invocation: number, level: string, text: string): void;
  /** Loading ended: undefined, or JSON of what was thrown. */
  (what: 'loaded', error: string | undefined): void;
  /**
   * An invocation or a description ended. `used`: the layer's late parts that it asked for; `unanswered`: ids of its calls and
   * fetches that were open.
   */
  (
    what: 'done',
    invocation: number,
    status: string,
    json: string | undefined,
    bytes: unknown,
    leftOpen: boolean,
    used: string,
    unanswered: string,
  ): void;
}

/**
 * What the child hands in, as globals of these names behind `__`, which are taken away before user code runs: functions of the
 * context, made by isolated-vm, and a text. Each costs every context twice what a line of this file does.
 */
export interface HandedIn {
  /** Returns [value] or [undefined, name, message]; its arguments are copied. */
  sync: (...args: unknown[]) => readonly [unknown, string?, string?];
  tell: Tell;
  /** Late parts of the layer that whoever comes next is likely to ask for; names, separated by spaces. */
  preload: string;
  /** Only where a debugger may be attached. */
  inspected?: true;
}

/** What the child calls: `enter('invoke', …)` and so on. */
export type Enter = (kind: string, a?: unknown, b?: unknown, c?: unknown, d?: unknown) => void;

export function bridge(): Enter {
  type Any = Record<PropertyKey, unknown>;
  type Fn = (...args: unknown[]) => unknown;
  interface Report {
    name: string;
    message: string;
    stack: string;
    code?: string;
    fields?: string;
    callee?: string;
    cause?: Report;
    errors?: Report[];
  }
  const root = globalThis as unknown as Any;
  const { apply, ownKeys, deleteProperty, defineProperty } = Reflect;
  const { parse, stringify } = JSON;
  const ErrorClass = Error;
  const PromiseClass = Promise;
  const MapClass = Map;
  const StringOf = String;
  const getDescriptor = Object.getOwnPropertyDescriptor;
  const promiseThen = PromiseClass.prototype.then as unknown as Fn;
  const mapGet = MapClass.prototype.get as unknown as Fn;
  const mapSet = MapClass.prototype.set as unknown as Fn;
  const sizeOfMap = getDescriptor(MapClass.prototype, 'size')?.get as unknown as Fn;
  const mapDelete = MapClass.prototype.delete as unknown as Fn;
  const mapForEach = MapClass.prototype.forEach as unknown as Fn;
  const slice = StringOf.prototype.slice as unknown as Fn;
  const functionToString = Function.prototype.toString as unknown as Fn;
  const BytesClass = Uint8Array;
  const bytesPrototype = Object.getPrototypeOf(Uint8Array.prototype) as object;
  const lengthOfBytes = getDescriptor(bytesPrototype, 'byteLength')?.get as unknown as Fn;
  const bufferOfBytes = getDescriptor(bytesPrototype, 'buffer')?.get as unknown as Fn;
  const offsetOfBytes = getDescriptor(bytesPrototype, 'byteOffset')?.get as unknown as Fn;
  const lengthOfBuffer = getDescriptor(ArrayBuffer.prototype, 'byteLength')?.get as unknown as Fn;
  const sliceOfBuffer = ArrayBuffer.prototype.slice as unknown as Fn;

  // No limit covers what these take; none of them is needed by a function (docs: web-standard globals).
  deleteProperty(root, 'WebAssembly');
  deleteProperty(root, 'SharedArrayBuffer');
  deleteProperty(root, 'Atomics');

  interface Running {
    id: number;
    lines: number;
    logBytes: number;
    pending: number;
    timers: number;
    bytes: number;
    limits: { logLines: number; logBytes: number; pendingCalls: number; resultBytes: number };
    operationBytes: number;
    openOperationBytes: number;
  }
  /** While a module loads: id 0, a budget of its own, no host calls. */
  let running: Running | undefined = newRunning(0, {
    logLines: 200,
    logBytes: 65_536,
    pendingCalls: 100,
    resultBytes: 1_048_576,
  });
  /** Open operations: own calls by negative id with their settlers, the layer's by positive id. */
  interface Open {
    bytes: number;
    timer: boolean;
    /** The parent was asked: a call, a fetch, or a piece of what answers one. */
    asked: boolean;
    of: Running;
    settle?: [Fn, Fn];
  }
  const open = new MapClass<number, Open>();
  let lastCall = 0;
  /** Id of the invocation that this context served last. */
  let lastEnded = 0;

  function newRunning(id: number, limits: Running['limits'], operationBytes = 65_536, openOperationBytes = 1_048_576) {
    return { id, lines: 0, logBytes: 0, pending: 0, timers: 0, bytes: 0, limits, operationBytes, openOperationBytes };
  }

  function tooManyBytes({ operationBytes, openOperationBytes }: Running): string {
    const kib = (bytes: number) => `${(bytes - (bytes % 1024)) / 1024} KiB`;
    return `Too many bytes are on their way out of the function: one call (of fetch, crypto.subtle or sdk) may take ${kib(operationBytes)}, all open ones ${kib(openOperationBytes)}`;
  }

  function take(name: string): unknown {
    const value = root[name];
    deleteProperty(root, name);
    return value;
  }

  const sync = take('__sync') as HandedIn['sync'];
  const tell = take('__tell') as HandedIn['tell'];
  const preload = take('__preload') as HandedIn['preload'];
  const makeLayer = take('__layer') as Fn;
  const prelude = take('__prelude') as { open: Fn; close: Fn; error?: Fn; ready?: Fn };
  const { open: preludeOpen, close: preludeClose, error: preludeError } = prelude;

  function newError(name: unknown, message: unknown): Error {
    const error = new ErrorClass(StringOf(message)) as Error & Any;
    defineProperty(error, 'name', { __proto__: null, value: name, configurable: true, writable: true } as never);
    return error;
  }

  function nativeSync(...args: unknown[]): unknown {
    for (let i = 0; i < args.length; i++)
      if (typeof args[i] === 'function') return newError('TypeError', 'a function cannot be sent');
    const answer = apply(sync, undefined, args) as readonly [unknown, string?, string?];
    return answer[1] === undefined ? answer[0] : newError(answer[1], answer[2]);
  }

  function byteLength(bytes: unknown): number {
    if (bytes === undefined) return 0;
    try {
      return apply(lengthOfBuffer, bytes, []) as number;
    } catch {
      return apply(lengthOfBytes, bytes, []) as number;
    }
  }

  /** A refusal that is known at once, given as one would come from outside: later. */
  function refuse(id: number, name: string, message: string): void {
    const text = stringify({ __proto__: null, name, message });
    apply(promiseThen, PromiseClass.resolve(), [() => settle(id, text, undefined, undefined)]);
  }

  function nativeStart(id: number, name: string, json: unknown, bytes?: unknown): void {
    if (name === 'cancel') {
      const target = parse(StringOf(json)).id as number;
      if (forget(target)) tell('start', running?.id ?? 0, target, 'cancel', '', undefined);
      return;
    }
    const of = running;
    if (of === undefined) {
      refuse(id, 'AbortError', 'The invocation has ended');
      return;
    }
    const text = json === undefined ? '' : StringOf(json);
    const timer = name === 'timer';
    const size = timer ? 0 : text.length + byteLength(bytes);
    const limit = of.limits.pendingCalls;
    if (timer ? of.timers >= 10 * limit : of.pending >= limit) {
      refuse(
        id,
        'QuotaExceededError',
        `More than ${timer ? `${10 * limit} timers` : `${limit} host calls`} are open at once`,
      );
      return;
    }
    if (size > of.operationBytes || of.bytes + size > of.openOperationBytes) {
      refuse(id, 'QuotaExceededError', tooManyBytes(of));
      return;
    }
    if (timer) of.timers++;
    else of.pending++;
    of.bytes += size;
    apply(mapSet, open, [id, { __proto__: null, bytes: size, timer, asked: name === 'fetch' || name === 'read', of }]);
    tell('start', of.id, id, name, text, bytes);
  }

  function forget(id: number): { settle?: [Fn, Fn] } | undefined {
    const entry = apply(mapGet, open, [id]) as Open | undefined;
    if (entry === undefined) return undefined;
    apply(mapDelete, open, [id]);
    if (entry.timer) entry.of.timers--;
    else entry.of.pending--;
    entry.of.bytes -= entry.bytes;
    return entry;
  }

  function nativeLog(level: unknown, value: unknown): void {
    const of = running;
    if (of === undefined || of.lines > of.limits.logLines) return;
    if (of.lines === of.limits.logLines || of.logBytes >= of.limits.logBytes) {
      of.lines = of.limits.logLines + 1;
      tell(
        'log',
        of.id,
        'warn',
        '[fn] the log ends here: its limit of ' +
          of.limits.logLines +
          ' lines or ' +
          of.limits.logBytes +
          ' bytes is reached',
      );
      return;
    }
    let text = StringOf(value);
    if (text.length > of.limits.logBytes - of.logBytes)
      text = `${apply(slice, text, [0, of.limits.logBytes - of.logBytes]) as string}…`;
    of.lines++;
    of.logBytes += text.length;
    tell('log', of.id, StringOf(level), text);
  }

  const native = { __proto__: null, sync: nativeSync, start: nativeStart, log: nativeLog };
  const ownConsole = '__inspected' in root && take('__inspected') ? root['console'] : undefined;
  const handles = makeLayer(native) as Record<string, Fn | undefined> & { platform?: object };
  const {
    settle: settleLayer,
    report: reportError,
    setClock,
    setEnvironment,
    begin: beginLayer,
    end: endLayer,
    used: layerUsed,
  } = handles;

  // The globals are there now and still the platform's own: the prelude takes those it will need.
  prelude.ready?.(handles.platform);
  if (ownConsole) handles['inspected']?.(ownConsole);
  if (preload !== '') handles['preload']?.(preload);

  function settle(id: number, error: string | undefined, json: string | undefined, bytes: unknown): void {
    const entry = forget(id);
    if (id > 0) {
      settleLayer?.(id, error, json, bytes);
      return;
    }
    if (!entry?.settle) return;
    // By index: destructuring would ask the array's iterator, which user code can replace.
    if (error === undefined) entry.settle[0](json === undefined || json === '' ? undefined : parse(json));
    else entry.settle[1](callError(parse(error)));
  }

  function callError(shape: Any): unknown {
    if (preludeError !== undefined) return preludeError(shape);
    const error = newError('SdkError', shape['message']) as unknown as Any;
    const keys = ownKeys(shape);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as string;
      if (key !== 'message')
        defineProperty(error, key, {
          __proto__: null,
          value: shape[key],
          enumerable: true,
          configurable: true,
          writable: true,
        } as never);
    }
    return error;
  }

  /** `call` of one invocation: refused once that invocation has ended, whichever runs then. */
  function callFor(of: Running) {
    return (operation: unknown, input: unknown) =>
      new PromiseClass((resolve: Fn, reject: Fn) => {
        const id = --lastCall;
        if (running !== of) {
          reject(newError('AbortError', 'The invocation has ended'));
          return;
        }
        const text = stringify({ __proto__: null, operation: StringOf(operation), input });
        if (of.pending >= of.limits.pendingCalls) {
          reject(newError('QuotaExceededError', `More than ${of.limits.pendingCalls} host calls are open at once`));
          return;
        }
        if (text.length > of.operationBytes || of.bytes + text.length > of.openOperationBytes) {
          reject(newError('QuotaExceededError', tooManyBytes(of)));
          return;
        }
        of.pending++;
        of.bytes += text.length;
        const settle = [resolve, reject];
        apply(mapSet, open, [id, { __proto__: null, bytes: text.length, timer: false, asked: true, of, settle }]);
        tell('start', of.id, id, 'call', text, undefined);
      });
  }

  /** Without a prototype: a `toJSON` that user code puts on Object.prototype is not asked. */
  function plain(report: Report, depth: number): Any {
    const { name, message, stack, code, fields, callee, cause, errors } = report;
    let held: Any[] | undefined;
    if (errors !== undefined && depth > 0) {
      held = Object.setPrototypeOf([], null) as Any[];
      for (let i = 0; i < errors.length; i++)
        defineProperty(held, i, {
          __proto__: null,
          value: plain(errors[i] as Report, depth - 1),
          enumerable: true,
          configurable: true,
          writable: true,
        } as never);
    }
    return {
      __proto__: null,
      name,
      message,
      stack,
      code,
      fields,
      callee,
      cause: cause === undefined || depth === 0 ? undefined : plain(cause, depth - 1),
      errors: held,
    } as unknown as Any;
  }

  function describeError(error: unknown): string {
    let report: Report | undefined;
    try {
      report = reportError?.(error) as Report | undefined;
      if (report !== undefined) return stringify(plain(report, 8));
    } catch {
      // The report itself was sabotaged; what follows reads nothing of the error.
    }
    return stringify({
      __proto__: null,
      name: 'Error',
      message: 'Something was thrown that cannot be read',
      stack: '',
    });
  }

  let exports: Any | undefined;
  const exportNames: string[] = Object.setPrototypeOf([], null);

  function register(namespace: Any): void {
    if (exports !== undefined) return;
    exports = namespace;
    const keys = ownKeys(namespace);
    for (let i = 0; i < keys.length; i++) {
      if (typeof keys[i] === 'string')
        defineProperty(exportNames, exportNames.length, {
          __proto__: null,
          value: keys[i],
          enumerable: true,
          configurable: true,
          writable: true,
        } as never);
    }
  }

  defineProperty(root, '__begin', {
    __proto__: null,
    configurable: true,
    value: (program: Fn) => {
      deleteProperty(root, '__begin');
      let promise: unknown;
      try {
        promise = program(register);
      } catch (error) {
        tell('loaded', describeError(error));
        return;
      }
      apply(promiseThen, promise, [
        () => {
          running = undefined;
          tell(
            'loaded',
            exports === undefined ? describeError(newError('Error', 'The bundle exports nothing')) : undefined,
          );
        },
        (error: unknown) => tell('loaded', describeError(error)),
      ]);
    },
  } as never);

  function unansweredOf(of: Running): string {
    let ids = '';
    apply(mapForEach, open, [
      (entry: Open, id: number) => {
        if (entry.asked && entry.of === of) ids += `${id} `;
      },
    ]);
    return ids;
  }

  function end(of: Running, status: string, json: string | undefined, bytes?: unknown): void {
    if (running !== of) return;
    running = undefined;
    lastEnded = of.id;
    const used = layerUsed === undefined ? '' : (layerUsed() as string);
    const leftOpen = (apply(sizeOfMap, open, []) as number) > 0;
    tell('done', of.id, status, json, bytes, leftOpen, used, leftOpen ? unansweredOf(of) : '');
  }

  function invoke(argument: string, body: ArrayBuffer | undefined, of: Running): void {
    const fail = (error: unknown) => end(of, 'error', describeError(error));
    const succeed = (closed: unknown) => {
      const { json, body: bytes } = closed as { json: unknown; body?: unknown };
      const text = json === undefined ? 'null' : StringOf(json);
      // Of a text the child counts the bytes once more.
      const isText = typeof bytes === 'string';
      const size = isText ? bytes.length : byteLength(bytes);
      // Of a Response the body is the result; what stands around it has a limit of its own.
      const most = bytes !== undefined && size > text.length ? size : text.length;
      if (most > of.limits.resultBytes) return end(of, 'too-large', StringOf(most));
      end(of, 'ok', text, bytes === undefined || isText ? bytes : copyOf(bytes, size));
    };
    try {
      const main = exports?.['default'];
      if (typeof main !== 'function') {
        end(of, 'no-default', undefined);
        return;
      }
      const input = preludeOpen(parse(argument), body === undefined ? undefined : new BytesClass(body), callFor(of));
      const returned = new PromiseClass((resolve: Fn) => resolve((main as Fn)(input)));
      const closed = apply(promiseThen, returned, [(value: unknown) => preludeClose(value)]);
      apply(promiseThen, closed, [succeedSafely, fail]);
    } catch (error) {
      fail(error);
    }
    function succeedSafely(value: unknown): void {
      try {
        succeed(value);
      } catch (error) {
        fail(error);
      }
    }
  }

  /** An ArrayBuffer of exactly these bytes: a view may be a window on a big one. */
  function copyOf(bytes: unknown, size: number): unknown {
    try {
      const offset = apply(offsetOfBytes, bytes, []) as number;
      return apply(sliceOfBuffer, apply(bufferOfBytes, bytes, []), [offset, offset + size]);
    } catch {
      return apply(sliceOfBuffer, bytes, [0, size]);
    }
  }

  function describe(of: Running): void {
    try {
      const config = exports?.['config'];
      // A function leaves no trace in JSON, and whoever exports one should hear of it.
      const json = typeof config === 'function' ? '"[function]"' : stringify(config === undefined ? null : config);
      if (json !== undefined && json.length > of.limits.resultBytes) {
        end(of, 'too-large', StringOf(json.length));
        return;
      }
      const names = stringify(exportNames);
      const main = exports?.['default'];
      const hasDefault = typeof main === 'function' && !isClass(main);
      end(
        of,
        'ok',
        '{"hasConfig":' +
          (config !== undefined) +
          ',"config":' +
          (json ?? 'null') +
          ',"hasDefault":' +
          hasDefault +
          ',"exports":' +
          names +
          '}',
      );
    } catch (error) {
      end(of, 'error', describeError(error));
    }
  }

  /** A class is a function that cannot be called. */
  function isClass(main: unknown): boolean {
    const text = apply(functionToString, main, []) as string;
    // Not the method of an object that is named so.
    return apply(slice, text, [0, 5]) === 'class' && apply(slice, text, [5, 6]) !== '(';
  }

  /** A warm context goes on to the next invocation: what the last one left open ends now, as its own doing. */
  function drain(): void {
    endLayer?.();
    const left: number[] = [];
    apply(mapForEach, open, [
      (_: unknown, id: number) =>
        defineProperty(left, left.length, {
          __proto__: null,
          value: id,
          enumerable: true,
          configurable: true,
          writable: true,
        } as never),
    ]);
    for (let i = 0; i < left.length; i++)
      settle(left[i] as number, '{"name":"AbortError","message":"The invocation has ended"}', undefined, undefined);
  }

  return (kind, a, b, c, d) => {
    if (kind === 'settle') {
      // An answer that crossed the invocation's end comes too late: nothing of it runs any more.
      const entry = apply(mapGet, open, [a]) as { of: Running } | undefined;
      if (entry?.of === running) settle(a as number, b as string | undefined, c as string | undefined, d);
    } else if (kind === 'invoke' || kind === 'describe') {
      const setup = parse(a as string);
      const of = newRunning(setup.id, setup.limits, setup.operationBytes, setup.openOperationBytes);
      running = of;
      // Of a warm context's last invocation; where something of it was open, `drain` came before.
      if (lastEnded !== 0) endLayer?.();
      beginLayer?.();
      setClock?.(setup.clockOffsetMs);
      if (setup.environment !== undefined) setEnvironment?.(setup.environment);
      if (kind === 'invoke') invoke(b as string, c as ArrayBuffer | undefined, of);
      else describe(of);
    } else if (kind === 'drain') drain();
  };
}
