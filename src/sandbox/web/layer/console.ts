/** https://console.spec.whatwg.org/ : each call becomes one log line of the invocation, in order. */
import { format, inspect } from './inspect.ts';
import { type LogLevel, log, sync } from './ops.ts';
import { apply } from './primordials.ts';
import { showTable } from './table.ts';

let groups = 0;
const counts = new Map<string, number>();
const timers = new Map<string, number>();
const maxGroups = 50;

function write(level: LogLevel, text: string): void {
  const pad = '  '.repeat(Math.min(groups, maxGroups));
  log(level, pad === '' ? text : pad + text.replaceAll('\n', `\n${pad}`));
}

function safeFormat(args: readonly unknown[]): string {
  try {
    return format(args);
  } catch {
    return '(the arguments could not be shown)';
  }
}

/** A debugger shows the values themselves, which can be expanded. */
function tellDebugger(method: string, args: readonly unknown[]): void {
  if (!__console) return;
  try {
    apply(__console[method] as () => void, __console, args as []);
  } catch {
    // V8 converts the arguments for %s and %d itself, which may throw.
  }
}

function say(method: string, level: LogLevel, args: readonly unknown[]): void {
  tellDebugger(method, args);
  write(level, safeFormat(args));
}

const label = (value: unknown) => (value === undefined ? 'default' : `${value}`);

function elapsed(name: string): string | undefined {
  const start = timers.get(name);
  if (start === undefined) {
    write('warn', `Timer '${name}' does not exist`);
    return undefined;
  }
  const ms = (sync('now') as number) - start;
  return ms < 1000 ? `${Number(ms.toFixed(3))}ms` : `${(ms / 1000).toFixed(3)}s`;
}

function trace(...args: unknown[]): void {
  tellDebugger('trace', args);
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, trace);
  const text = safeFormat(args);
  const frames = (holder.stack ?? '').split('\n').slice(1).join('\n');
  write('debug', `Trace${text === '' ? '' : `: ${text}`}${frames === '' ? '' : `\n${frames}`}`);
}

function group(...args: unknown[]): void {
  if (args.length > 0) write('info', safeFormat(args));
  groups++;
}

/** Its prototype is an empty object, as the standard requires of a namespace. One literal, which V8 creates in one step. */
export const console: object = {
  __proto__: {},
  log: (...args: unknown[]) => say('log', 'info', args),
  debug: (...args: unknown[]) => say('debug', 'debug', args),
  info: (...args: unknown[]) => say('info', 'info', args),
  warn: (...args: unknown[]) => say('warn', 'warn', args),
  error: (...args: unknown[]) => say('error', 'error', args),
  dir(value: unknown, options: unknown = {}): void {
    tellDebugger('dir', [value]);
    write('info', inspect(value, { customInspect: false, ...(options as object) }));
  },
  dirxml: (...args: unknown[]) => say('dirxml', 'info', args),
  table(data: unknown, columns: unknown = undefined): void {
    tellDebugger('table', [data, columns]);
    write('info', showTable(data, columns) ?? safeFormat([data]));
  },
  trace,
  assert(condition: unknown = false, ...args: unknown[]): void {
    if (condition) return;
    tellDebugger('assert', [false, ...args]);
    const [first, ...rest] = args;
    if (args.length === 0) write('error', 'Assertion failed');
    else if (typeof first === 'string') write('error', safeFormat([`Assertion failed: ${first}`, ...rest]));
    else write('error', safeFormat(['Assertion failed', ...args]));
  },
  clear(): void {
    groups = 0;
  },
  count(name: unknown = undefined): void {
    const key = label(name);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    write('info', `${key}: ${count}`);
  },
  countReset(name: unknown = undefined): void {
    const key = label(name);
    if (counts.has(key)) counts.set(key, 0);
    else write('warn', `Count for '${key}' does not exist`);
  },
  group,
  groupCollapsed: (...args: unknown[]) => group(...args),
  groupEnd(): void {
    if (groups > 0) groups--;
  },
  time(name: unknown = undefined): void {
    const key = label(name);
    if (timers.has(key)) write('warn', `Timer '${key}' already exists`);
    else timers.set(key, sync('now') as number);
  },
  timeLog(name: unknown = undefined, ...args: unknown[]): void {
    const key = label(name);
    const text = elapsed(key);
    if (text !== undefined) write('info', safeFormat([`${key}: ${text}`, ...args]));
  },
  timeEnd(name: unknown = undefined): void {
    const key = label(name);
    const text = elapsed(key);
    if (text === undefined) return;
    timers.delete(key);
    write('info', `${key}: ${text}`);
  },
  timeStamp(): void {},
  profile(): void {},
  profileEnd(): void {},
};

Object.defineProperty(console, Symbol.toStringTag, { value: 'console', configurable: true });
