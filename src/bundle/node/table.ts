/**
 * The policy for Node built-ins. The pure ones work, each by a shim in `../shims`; `crypto` and `zlib` work in part, by the
 * sandbox's native bridge; all others can be imported, but throw a clear error when called.
 */
export const shimmed: ReadonlySet<string> = new Set([
  'assert',
  'assert/strict',
  'async_hooks',
  'buffer',
  'console',
  'constants',
  'crypto',
  'diagnostics_channel',
  'events',
  'http',
  'https',
  'module',
  'os',
  'path',
  'path/posix',
  'path/win32',
  'perf_hooks',
  'process',
  'punycode',
  'querystring',
  'stream',
  'stream/consumers',
  'stream/promises',
  'stream/web',
  'string_decoder',
  'sys',
  'timers',
  'timers/promises',
  'tty',
  'url',
  'util',
  'util/types',
  'zlib',
]);

/** Built-ins that the sandbox's child implements, because no package can do it as well. */
export const nativelyDone: ReadonlySet<string> = new Set(['crypto', 'zlib']);

/** Pointless in a function and potentially harmful: refused in the author's own code, stubbed in packages, which may work without them. */
export const refusedToAuthors: ReadonlySet<string> = new Set(['child_process', 'cluster', 'worker_threads']);

/** What to use instead of a built-in. */
export function insteadOf(name: string): string {
  const base = name.split('/')[0] ?? name;
  if (base === 'fs') return 'Import the file to have it in the bundle, and keep data in sdk.store.';
  if (['http2', 'net', 'tls', 'dgram', 'dns', 'quic'].includes(base)) return 'Use fetch.';
  if (['child_process', 'cluster', 'worker_threads'].includes(base)) {
    return 'A function is one program; split work over several functions with sdk.methods.call.';
  }
  if (base === 'sqlite') return 'Keep data in sdk.store.';
  return 'Functions run on web-standard globals; see the list of Node built-ins that work.';
}
