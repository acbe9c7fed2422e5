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
const hint = ${JSON.stringify(insteadOf(name))};
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
`;
}
