import { insteadOf } from './table.ts';
import shapes from './unavailable.json' with { type: 'json' };

/** The members of a built-in: names of its functions and classes (separated by spaces), plain values, nested objects. */
interface Shape {
  readonly fn?: string;
  readonly value?: object;
  readonly object?: Readonly<Record<string, Shape>>;
}

const table: Readonly<Record<string, Shape>> = shapes;

/** Whether Node has this built-in and functions have no working form of it. */
export function isUnavailable(name: string): boolean {
  return Object.hasOwn(table, name);
}

export const unavailableNames: readonly string[] = Object.keys(table);

/**
 * The text of a CommonJS module that looks like the built-in: every member of Node's is there, values are Node's own, and each
 * function or class throws `node:fs.readFile is not available in functions` when called – not before, because many packages
 * import what they use only elsewhere.
 */
export function stubText(name: string): string {
  const shape = table[name] ?? {};
  return `'use strict';
const hint = ${JSON.stringify(hintFor(name))};
function missing(path) {
  return function () {
    const error = new Error(path + ' is not available in functions. ' + hint);
    error.code = 'ERR_NOT_AVAILABLE_IN_FUNCTIONS';
    throw error;
  };
}
function build(shape, path) {
  const module = Object.assign({}, shape.value);
  for (const name of (shape.fn || '').split(' ')) if (name) module[name] = missing(path + '.' + name);
  for (const name in shape.object) module[name] = build(shape.object[name], path + '.' + name);
  return module;
}
module.exports = build(${JSON.stringify(shape)}, ${JSON.stringify(`node:${name}`)});
${pureParts[name]?.() ?? ''}`;
}

/** Drivers of databases are what mostly opens sockets. */
function hintFor(name: string): string {
  const sockets =
    name === 'net' || name === 'tls' ? ' A database is reached by an interface over HTTP, not by a socket.' : '';
  return `${insteadOf(name)}${sockets}`;
}

/** Neutral, as what `os` says of the machine: the limit of a function as it is without a setting. */
const heapBytes = 128 * 1024 * 1024;

/** What of a built-in computes and nothing else. Many packages look at an address before they send anything. */
const pureParts: Readonly<Record<string, () => string>> = {
  // There are no files, and that is an answer: SDKs ask it of a key that may be given as a path or as text.
  fs: () => 'module.exports.existsSync = () => false;',
  // What libraries size their buffers by.
  v8: () => `module.exports.getHeapStatistics = () => ({
  heap_size_limit: ${heapBytes}, total_available_size: ${heapBytes}, total_heap_size: 0, used_heap_size: 0, total_physical_size: 0,
});`,
  // A client that names Node's own way to check a server asks for nothing that fetch does not do.
  tls: () => "module.exports.checkServerIdentity[Symbol.for('convo-fn.as-fetch')] = true;",
  net: () => `
const isIPv4 = (text) => /^(?:(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(?:\\.(?!$)|$)){4}$/.test(String(text));
const isIPv6 = (text) => /^[\\da-f:.]+(?:%[\\w.:-]+)?$/i.test(String(text)) && URL.canParse('http://[' + String(text).replace(/%.*$/, '') + ']/');
Object.assign(module.exports, { isIPv4, isIPv6, isIP: (text) => (isIPv4(text) ? 4 : isIPv6(text) ? 6 : 0) });
`,
};
