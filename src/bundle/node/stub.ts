import { insteadOf } from './table.ts';
import shapes from './unavailable.json' with { type: 'json' };

/** The members of a built-in: names of its functions and classes (separated by spaces), plain values, nested objects. */
interface Shape {
  readonly fn?: string;
  readonly value?: object;
  readonly object?: Readonly<Record<string, Shape>>;
}

const table: Readonly<Record<string, Shape>> = shapes;

/** Whether Node has this built-in, but functions have no working version of it. */
export function isUnavailable(name: string): boolean {
  return Object.hasOwn(table, name);
}

export const unavailableNames: readonly string[] = Object.keys(table);

/**
 * Text of a CommonJS module that looks like the built-in: it has every member of Node's with Node's values, and each function or
 * class throws `node:fs.readFile is not available in functions` when called – not before, because many packages import modules
 * that they only use elsewhere. A function with a callback passes it the error, as in Node: nobody would hear of one that is thrown in
 * a timer, and what waits for the callback would wait until the time limit.
 */
export function stubText(name: string): string {
  const shape = table[name] ?? {};
  return `'use strict';
const hint = ${JSON.stringify(hintFor(name))};
function missing(path, callsBack) {
  return function (...given) {
    const error = new Error(path + ' is not available in functions. ' + hint);
    error.code = 'ERR_NOT_AVAILABLE_IN_FUNCTIONS';
    const callback = callsBack ? given.at(-1) : undefined;
    if (typeof callback !== 'function') throw error;
    queueMicrotask(() => callback(error));
  };
}
function build(shape, path) {
  const module = Object.assign({}, shape.value);
  const names = (shape.fn || '').split(' ');
  for (const name of names) if (name) module[name] = missing(path + '.' + name, path === 'node:dns' || (path === 'node:fs' && names.includes(name + 'Sync')));
  for (const name in shape.object) module[name] = build(shape.object[name], path + '.' + name);
  return module;
}
module.exports = build(${JSON.stringify(shape)}, ${JSON.stringify(`node:${name}`)});
${pureParts[name]?.() ?? ''}`;
}

/** Most packages that open sockets are database drivers. */
function hintFor(name: string): string {
  const sockets =
    name === 'net' || name === 'tls' ? ' A database is reached by an interface over HTTP, not by a socket.' : '';
  return `${insteadOf(name)}${sockets}`;
}

/** A neutral value, like those of `os`: the default memory limit of a function. */
const heapBytes = 128 * 1024 * 1024;

/** The pure functions of built-ins. Many packages check an address before they send anything. */
const pureParts: Readonly<Record<string, () => string>> = {
  // There are no files: SDKs call this for a key that may be a path or text.
  fs: () =>
    'module.exports.existsSync = () => false;\nmodule.exports.exists = (path, callback) => queueMicrotask(() => callback(false));',
  // Its methods are those of the module, with one to cancel them.
  dns: () => `module.exports.Resolver = class Resolver {
  cancel() {}
};
for (const name in module.exports) if (/^(?:resolve|reverse|[gs]etServers)/.test(name)) module.exports.Resolver.prototype[name] = module.exports[name];`,
  // Libraries size their buffers by this.
  v8: () => `module.exports.getHeapStatistics = () => ({
  heap_size_limit: ${heapBytes}, total_available_size: ${heapBytes}, total_heap_size: 0, used_heap_size: 0, total_physical_size: 0,
});`,
  // Passing Node's default check of server certificates changes nothing: fetch does the same.
  tls: () => "module.exports.checkServerIdentity[Symbol.for('convo-fn.as-fetch')] = true;",
  net: () => `
const isIPv4 = (text) => /^(?:(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(?:\\.(?!$)|$)){4}$/.test(String(text));
const isIPv6 = (text) => /^[\\da-f:.]+(?:%[\\w.:-]+)?$/i.test(String(text)) && URL.canParse('http://[' + String(text).replace(/%.*$/, '') + ']/');
Object.assign(module.exports, { isIPv4, isIPv6, isIP: (text) => (isIPv4(text) ? 4 : isIPv6(text) ? 6 : 0) });
`,
};
