import type { SdkArgument } from '../argument.ts';
import type { SdkTable } from '../table.ts';
import type { areas } from './areas.ts';
import type { emptied } from './emptied.ts';
import type { headers } from './headers.ts';
import type { Any, Call, Fn, kit, Platform } from './kit.ts';
import type { request } from './request.ts';
import type { result } from './result.ts';
import type { standIn } from './stand-in.ts';

/** The parts of the prelude, each sent as text as well. */
export interface Parts {
  readonly kit: typeof kit;
  readonly areas: typeof areas;
  readonly emptied: typeof emptied;
  readonly headers: typeof headers;
  readonly request: typeof request;
  readonly result: typeof result;
  readonly standIn: typeof standIn;
}

/**
 * Makes the `sdk` object of Server SDK functions. It runs in every new context and must stay light: it wakes none of the lazy web
 * globals, and creates members of `sdk` only when a function uses them.
 */
export function prelude(table: SdkTable, parts: Parts): void {
  const k = parts.kit();
  const { apply, freeze, getOwnPropertyDescriptor, has, hasOwn, original, own, ownKeys, ProxyClass } = k;
  const { emptiedOf, refuseEmptied } = parts.emptied(k);
  const { area, refusal } = parts.areas(k, table, refuseEmptied);
  const standIn = parts.standIn(k);
  const { ready: requestReady, requestOf } = parts.request(k, standIn, parts.headers(k, standIn));
  const areaNames = ownKeys(table) as string[];
  const root = globalThis as unknown as Any;
  let DateClass = Date;

  function ready(platform: Platform | undefined): void {
    if (platform) k.connect(platform);
    requestReady();
    // The Date that follows the workspace clock; the web layer installs it after this script has run.
    DateClass = root['Date'] as DateConstructor;
  }

  function logger(): Any {
    const log: Any = {};
    for (const level of ['debug', 'info', 'warn', 'error']) {
      own(log, level, (...values: unknown[]) => {
        const console = original('console') as Any;
        apply(console[level] as Fn, console, values);
      });
    }
    return freeze(log);
  }

  function open(argument: SdkArgument, body: Uint8Array | undefined, call: Call): Any {
    const { context, request, flow, tool, cron, setup } = argument;
    const members: Any = { context: freeze({ ...context, now: () => new DateClass() }) };
    if (request) members['request'] = requestOf(request, body);
    if (flow !== undefined) members['flow'] = flow;
    if (tool !== undefined) members['tool'] = tool;
    if (cron !== undefined) members['cron'] = cron;
    if (setup !== undefined) members['setup'] = setup;
    return withAreas(members, call, context.app);
  }

  /** Adds the areas to the members. Each area looks present, but is created at its first use. */
  function withAreas(members: Any, call: Call, app: string): Any {
    const isArea = (key: PropertyKey) => key === 'log' || (typeof key === 'string' && hasOwn(table, key));
    const make = (key: PropertyKey) => {
      if (!hasOwn(members, key) && isArea(key))
        own(members, key, key === 'log' ? logger() : area(call, `${key as string}`, app));
    };
    return new ProxyClass(members, {
      __proto__: null, // what a function puts on Object.prototype is no trap
      get(_, key) {
        make(key);
        return members[key];
      },
      has: (_, key) => isArea(key) || has(members, key),
      getOwnPropertyDescriptor(_, key) {
        make(key);
        return getOwnPropertyDescriptor(members, key);
      },
      ownKeys() {
        make('log');
        for (let i = 0; i < areaNames.length; i++) make(areaNames[i] as string);
        return ownKeys(members);
      },
    } as ProxyHandler<Any>);
  }

  root['__prelude'] = { open, close: parts.result(k, emptiedOf), error: refusal, ready };
}
