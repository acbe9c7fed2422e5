import { currentEnvironment } from './environment.ts';
import { makeError } from './errors.ts';
import { log, sync } from './ops.ts';
import { apply } from './primordials.ts';

function notAvailable(name: string): () => never {
  return () => {
    throw makeError({
      name: 'Error',
      message: `process.${name} is not available in functions`,
      code: 'ERR_NOT_AVAILABLE',
    });
  };
}

const nowMs = () => sync('now') as number;

function hrtime(before?: [number, number]): [number, number] {
  const ms = nowMs();
  let seconds = Math.floor(ms / 1000);
  let nanoseconds = Math.floor((ms % 1000) * 1e6);
  if (before !== undefined) {
    seconds -= before[0];
    nanoseconds -= before[1];
    if (nanoseconds < 0) {
      seconds--;
      nanoseconds += 1e9;
    }
  }
  return [seconds, nanoseconds];
}
hrtime.bigint = () => BigInt(Math.floor(nowMs() * 1e6));

const nothing = () => process;

/** The members of Node's `process` that packages use. Discloses nothing about the machine: versions and platform are fixed. */
export const process = {
  title: 'function',
  platform: 'linux',
  arch: 'x64',
  version: 'v24.0.0',
  versions: Object.freeze({ node: '24.0.0' }),
  release: Object.freeze({ name: 'node' }),
  execPath: '/node',
  argv0: 'node',
  argv: [] as string[],
  execArgv: [] as string[],
  pid: 1,
  exitCode: undefined as number | undefined,
  browser: false,
  get env() {
    return currentEnvironment();
  },
  cwd: () => '/',
  umask: () => 0o22,
  uptime: () => nowMs() / 1000,
  hrtime,
  nextTick(callback: (...args: unknown[]) => unknown, ...args: unknown[]): void {
    if (typeof callback !== 'function') throw new TypeError('The "callback" argument must be of type function');
    (__web['queueMicrotask'] as (task: () => void) => void)(() => {
      apply(callback, undefined, args);
    });
  },
  memoryUsage: () => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }),
  emitWarning(warning: unknown): void {
    const text = warning instanceof Error ? `${warning.name}: ${warning.message}` : String(warning);
    log('warn', `(warning) ${text}`);
  },
  on: nothing,
  once: nothing,
  off: nothing,
  addListener: nothing,
  removeListener: nothing,
  removeAllListeners: nothing,
  prependListener: nothing,
  emit: () => false,
  listeners: () => [] as unknown[],
  listenerCount: () => 0,
  stdout: { isTTY: false, columns: 80, write: writer('info') },
  stderr: { isTTY: false, columns: 80, write: writer('error') },
  binding: notAvailable('binding'),
  chdir: notAvailable('chdir'),
  exit: notAvailable('exit'),
  abort: notAvailable('abort'),
  kill: notAvailable('kill'),
};

function writer(level: 'info' | 'error') {
  return (text: unknown): boolean => {
    const line = String(text);
    log(level, line.endsWith('\n') ? line.slice(0, -1) : line);
    return true;
  };
}

Object.defineProperty(process, Symbol.toStringTag, { value: 'process', configurable: true });
