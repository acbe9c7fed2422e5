import type { Setup } from '../../setup.ts';
import type { Enter, HandedIn } from './handed-in.ts';
import type { Any, Fn, kit } from './kit.ts';
import type { outgoing, Running } from './outgoing.ts';
import type { thrown } from './thrown.ts';

/**
 * The only code of `fn` inside a context that talks to the outside. It is sent as text (see source.ts), so it and its parts can use
 * only their parameters and the context's globals, and they take the globals they need before user code runs.
 *
 * The child trusts nothing here: user code may replace whatever it finds. This code only ensures that an honest function
 * whose libraries patch intrinsics still works, and that limits are checked before data crosses.
 * Its parts are separate parameters: an object that holds them would have to be created in every context.
 */
export function bridge(takeKit: typeof kit, openOutgoing: typeof outgoing, readThrown: typeof thrown): Enter {
  const k = takeKit();
  const { apply, defineProperty, parse, stringify, getDescriptor, PromiseClass, promiseThen, StringOf, slice } = k;
  const { bytesPrototype, own, bareList, bare, newError, byteLength } = k;
  const { ownKeys, deleteProperty } = Reflect;
  const root = globalThis as unknown as Any;
  const functionToString = Function.prototype.toString as unknown as Fn;
  const BytesClass = Uint8Array;
  const bufferOfBytes = getDescriptor(bytesPrototype, 'buffer')?.get as unknown as Fn;
  const offsetOfBytes = getDescriptor(bytesPrototype, 'byteOffset')?.get as unknown as Fn;
  const sliceOfBuffer = ArrayBuffer.prototype.slice as unknown as Fn;

  // No limit covers the memory of these, and functions do not need them (docs: web-standard globals).
  deleteProperty(root, 'WebAssembly');
  deleteProperty(root, 'SharedArrayBuffer');
  deleteProperty(root, 'Atomics');

  /** Id of the last invocation in this context. */
  let lastEnded = 0;

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

  function nativeSync(...args: unknown[]): unknown {
    for (let i = 0; i < args.length; i++)
      if (typeof args[i] === 'function') return newError('TypeError', 'a function cannot be sent');
    const answer = apply(sync, undefined, args) as readonly [unknown, string?, string?, (string | undefined)?];
    if (answer[1] === undefined) return answer[0];
    const error = newError(answer[1], answer[2]);
    own(error as unknown as Any, 'code', answer[3]);
    return error;
  }

  const out = openOutgoing(k, tell, (id, error, json, bytes) => settleLayer?.(id, error, json, bytes), callError);
  const { answer, begin, callFor } = out;
  const native = { __proto__: null, sync: nativeSync, start: out.start, log: out.log };
  const ownConsole = '__inspected' in root && take('__inspected') ? root['console'] : undefined;
  const handles = makeLayer(native) as Record<string, Fn | undefined> & { platform?: object };
  const {
    settle: settleLayer,
    report,
    setClock,
    setEnvironment,
    begin: beginLayer,
    end: endLayer,
    used: layerUsed,
  } = handles;

  const describeError = readThrown(k, report);

  // The globals exist now and are not patched yet: the prelude takes the ones it will need.
  prelude.ready?.(handles.platform);
  if (ownConsole) handles['inspected']?.(ownConsole);
  if (preload !== '') handles['preload']?.(preload);

  function callError(shape: Any): unknown {
    if (preludeError !== undefined) return preludeError(shape);
    const error = newError('SdkError', shape['message']) as unknown as Any;
    const keys = ownKeys(shape);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as string;
      if (key !== 'message') own(error, key, shape[key]);
    }
    return error;
  }

  let exports: Any | undefined;
  const exportNames = bareList<unknown>();

  function register(namespace: Any): void {
    if (exports !== undefined) return;
    exports = namespace;
    const keys = ownKeys(namespace);
    for (let i = 0; i < keys.length; i++) {
      if (typeof keys[i] === 'string') own(exportNames, exportNames.length, keys[i]);
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
          out.endLoading();
          tell(
            'loaded',
            exports === undefined ? describeError(newError('Error', 'The bundle exports nothing')) : undefined,
          );
        },
        (error: unknown) => tell('loaded', describeError(error)),
      ]);
    },
  } as never);

  function end(of: Running, status: string, json: string | undefined, bytes?: unknown): void {
    if (!out.end(of)) return;
    lastEnded = of.id;
    const used = layerUsed === undefined ? '' : (layerUsed() as string);
    const leftOpen = out.hasOpen();
    tell('done', of.id, status, json, bytes, leftOpen, used, leftOpen ? out.unansweredOf(of) : '');
  }

  function invoke(argument: string, body: ArrayBuffer | undefined, of: Running): void {
    const fail = (error: unknown) => end(of, 'error', describeError(error));
    const succeed = (closed: unknown) => {
      const { json, body: bytes } = closed as { json: unknown; body?: unknown };
      const text = json === undefined ? 'null' : StringOf(json);
      // For a text, the child counts the bytes again.
      const isText = typeof bytes === 'string';
      const size = isText ? bytes.length : byteLength(bytes);
      // For a Response, the body is the result; its status and headers have a separate limit.
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

  /** An ArrayBuffer of exactly these bytes: a view may show a small part of a big one. */
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
      // JSON drops a function silently, but its author should learn that it is no config.
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
    // Not a method named `class`.
    return apply(slice, text, [0, 5]) === 'class' && apply(slice, text, [5, 6]) !== '(';
  }

  /** Before a warm context's next invocation: ends what the last one left open, on that one's account. */
  function drain(): void {
    endLayer?.();
    out.abandon();
  }

  let setupText: string | undefined;
  let setup: Setup | undefined;

  /** A warm context gets the same text again and again. */
  function setupOf(text: string): Setup {
    if (setup === undefined || text !== setupText) {
      setup = bare(parse(text) as Setup);
      bare(setup.limits);
      setupText = text;
    }
    return setup;
  }

  return (kind, a, b, c, d) => {
    if (kind === 'settle') {
      answer(a as number, b as string | undefined, c as string | undefined, d);
    } else if (kind === 'invoke' || kind === 'describe') {
      const setup = setupOf(b as string);
      const of = begin(a as number, setup.limits);
      // Ends a warm context's last invocation; if it had left something open, `drain` ran first.
      if (lastEnded !== 0) endLayer?.();
      beginLayer?.();
      setClock?.(setup.clockOffsetMs, setup.clockStoppedAtMs);
      if (setup.environment !== undefined) setEnvironment?.(setup.environment);
      if (kind === 'invoke') invoke(c as string, d as ArrayBuffer | undefined, of);
      else describe(of);
    } else if (kind === 'drain') drain();
  };
}
