import { apply, construct, dateNow, defineProperty, getOwnPropertyDescriptor } from './primordials.ts';

export interface ClockHandles {
  /**
   * From now on `Date` in the context is this many milliseconds ahead of the machine's clock (negative: behind).
   * @param stoppedAtMs a time at which it stands still instead
   */
  setClock(offsetMs: number, stoppedAtMs?: number): void;
}

/** Makes `Date` follow the workspace's clock. Installed before user code, so that a `Date` kept from module level follows as well. */
export function installDate(): ClockHandles {
  let offset = 0;
  let stoppedAt: number | undefined;
  const Native = Date;
  const now = () => stoppedAt ?? dateNow() + offset;
  const toText = Native.prototype.toString;
  // A function, not a class: `Date()` without `new` returns a text.
  function WorkspaceDate(this: unknown, ...args: unknown[]): unknown {
    if (new.target === undefined) return apply(toText, new Native(now()), []);
    return construct(Native, args.length === 0 ? [now()] : args, new.target);
  }
  const methods: Record<string, unknown> = { now, parse: Native.parse, UTC: Native.UTC };
  for (const name in methods) {
    defineProperty(WorkspaceDate, name, {
      value: methods[name],
      configurable: true,
      enumerable: false,
      writable: true,
    });
  }
  defineProperty(WorkspaceDate, 'name', { value: 'Date', configurable: true });
  defineProperty(WorkspaceDate, 'length', { value: 7, configurable: true });
  defineProperty(WorkspaceDate, 'prototype', { value: Native.prototype, writable: false, enumerable: false });
  defineProperty(Native.prototype, 'constructor', { value: WorkspaceDate, configurable: true, writable: true });
  defineProperty(__root, 'Date', { value: WorkspaceDate, configurable: true, enumerable: false, writable: true });
  let followed = false;
  return {
    setClock(offsetMs, stoppedAtMs) {
      offset = Number.isFinite(offsetMs) ? offsetMs : 0;
      stoppedAt = stoppedAtMs;
      const turned = offset !== 0 || stoppedAt !== undefined;
      if (turned && !followed) followInIntl(now);
      followed ||= turned;
    },
  };
}

/** `new Intl.DateTimeFormat().format()` without an argument means now. */
function followInIntl(now: () => number): void {
  const { prototype } = Intl.DateTimeFormat;
  const getFormat = getOwnPropertyDescriptor(prototype, 'format')?.get;
  if (getFormat) {
    defineProperty(prototype, 'format', {
      configurable: true,
      enumerable: false,
      get(this: Intl.DateTimeFormat) {
        const format = apply(getFormat, this, []) as (date: unknown) => string;
        return (date?: unknown) => format(date === undefined ? now() : date);
      },
    });
  }
  const { formatToParts } = prototype;
  defineProperty(prototype, 'formatToParts', {
    configurable: true,
    enumerable: false,
    writable: true,
    value: {
      formatToParts(this: Intl.DateTimeFormat, date?: unknown) {
        return apply(formatToParts, this, [date === undefined ? now() : date]);
      },
    }.formatToParts,
  });
}
