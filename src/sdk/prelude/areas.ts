import type { SdkTable } from '../table.ts';
import type { emptied } from './emptied.ts';
import type { Any, Call, Fn, Kit } from './kit.ts';

/** `sdk.<area>.<verb>(input)` for every operation of the table, and the error in which a refusal arrives. */
export function areas(kit: Kit, table: SdkTable, refuseEmptied: ReturnType<typeof emptied>['refuseEmptied']) {
  const { apply, captureStackTrace, defineProperty, ErrorClass, indexOf } = kit;
  const { own, ownKeys, slice, TypeErrorClass } = kit;

  /** A refusal of the workspace, with the same code as over HTTP. */
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

  /** Adds the place of the call to an error that arrives later, when the stack is gone. */
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
      if (typeof input === 'function' || typeof input === 'symbol') throw new TypeErrorClass('it is not JSON');
      refuseEmptied(input);
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
      const verb = verbs[i] as string;
      const operation = `${name}.${verb}`;
      // The computed key names the function after its verb, which console.log shows.
      const { [verb]: member } = {
        [verb]: (input?: unknown, options?: unknown) => send(call, operation, input, options, member as Fn),
      };
      own(members, verb, member);
    }
    if (name === 'vars') ownApp(members, app);
    shortForms[name]?.(members, call, app);
    return members;
  }

  /** Variables belong to the function's own app unless another app is named. */
  function ownApp(members: Any, app: string): void {
    for (const verb of ownKeys(members)) {
      const long = members[verb] as Fn;
      own(members, verb, (input?: unknown, options?: unknown) =>
        long(typeof input === 'object' && input !== null ? { app, ...input } : (input ?? { app }), options),
      );
    }
  }

  type Form = (first: string, rest: unknown[], ask: (input: object) => Promise<Any>) => Promise<unknown>;

  /** Short forms: a key instead of an input object, the value instead of an output object. */
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
      const list = members['list'] as Fn;
      // `list(undefined, options)` lists all keys; the second argument must not be taken for the options of the call.
      own(members, 'list', (first?: unknown, ...rest: unknown[]) =>
        list(first === undefined && rest.length > 0 ? '' : first, ...rest),
      );
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
      short(members, call, 'methods', 'enqueue', (path, [body, options], ask) =>
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

  return { area, refusal };
}
