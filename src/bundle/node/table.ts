/**
 * The policy for Node built-ins: the pure ones work, by a shim of `../shims` each; `crypto` and `zlib` work in part, by the
 * sandbox's native bridge; all others import but say clearly when called that they are missing.
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

/** Done by the sandbox's child: what no package can do as well by itself. */
export const nativelyDone: ReadonlySet<string> = new Set(['crypto', 'zlib']);

/** Meaningless in a function, and harmful by intent: refused in the author's own code, a stub in packages that have a way without. */
export const refusedToAuthors: ReadonlySet<string> = new Set(['child_process', 'cluster', 'worker_threads']);

/** What to use instead, by built-in. */
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
