/**
 * Writes src/bundle/node/unavailable.json: the names in each Node built-in that functions do not have, so that importing them
 * works, feature tests see what they see in Node, and calling says clearly what is missing. Run with the Node version of the project.
 */
import { writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { shimmed } from '../src/bundle/node/table.ts';

interface Shape {
  fn?: string;
  value?: Record<string, unknown>;
  object?: Record<string, Shape>;
}

const refused = new Set([
  'default',
  'module.exports',
  'globalAgent',
  'builtinModules',
  '_cache',
  '_pathCache',
  '_extensions',
  'global',
  'rootCertificates',
]);

function shapeOf(value: object, depth: number): Shape {
  const functions: string[] = [];
  const values: Record<string, unknown> = {};
  const objects: Record<string, Shape> = {};
  for (const key of Object.getOwnPropertyNames(value).sort()) {
    if (refused.has(key)) continue;
    let member: unknown;
    try {
      member = (value as Record<string, unknown>)[key];
    } catch {
      continue;
    }
    if (typeof member === 'function') functions.push(key);
    else if (isData(member)) values[key] = member;
    else if (typeof member === 'object' && member !== null && depth > 0) objects[key] = shapeOf(member, depth - 1);
  }
  return {
    ...(functions.length > 0 ? { fn: functions.join(' ') } : {}),
    ...(Object.keys(values).length > 0 ? { value: values } : {}),
    ...(Object.keys(objects).length > 0 ? { object: objects } : {}),
  };
}

/** Plain facts: numbers, names, tables of them. */
function isData(value: unknown): boolean {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true;
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  if (typeof value !== 'object') return false;
  const proto: unknown = Object.getPrototypeOf(value);
  if (proto !== Object.prototype && proto !== null) return false;
  const members = Object.values(value as object);
  return members.length > 0 && members.every((item) => ['string', 'number'].includes(typeof item));
}

process.removeAllListeners('warning');
const names = new Set([
  ...builtinModules.map((name) => name.replace(/^node:/, '')),
  'sea',
  'sqlite',
  'test',
  'test/reporters',
]);
const out: Record<string, Shape> = {};
for (const name of [...names].sort()) {
  if (shimmed.has(name) || name.startsWith('_')) continue;
  const loaded: unknown = process.getBuiltinModule(`node:${name}`) ?? process.getBuiltinModule(name);
  if (typeof loaded === 'object' && loaded !== null) out[name] = shapeOf(loaded, 1);
  else if (typeof loaded === 'function') out[name] = shapeOf(loaded, 1);
}
writeFileSync(new URL('../src/bundle/node/unavailable.json', import.meta.url), `${JSON.stringify(out)}\n`);
const folder = new URL('../src/bundle/shims/', import.meta.url);
for (const name of ['os', 'zlib', 'crypto']) {
  const { constants } = process.getBuiltinModule(`node:${name}`) as { constants: Record<string, unknown> };
  // The list of cipher suites is a fact of this build of OpenSSL, and of TLS, which functions do not speak.
  const kept = Object.fromEntries(Object.entries(constants).filter(([key]) => !/cipher/i.test(key)));
  writeFileSync(new URL(`${name}-constants.json`, folder), `${JSON.stringify(kept)}\n`);
}
const { METHODS, STATUS_CODES } = process.getBuiltinModule('node:http');
writeFileSync(new URL('http-constants.json', folder), `${JSON.stringify({ METHODS, STATUS_CODES })}\n`);
