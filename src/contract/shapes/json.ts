import { z } from 'zod';

type Json = z.core.util.JSONType;

/**
 * Any JSON value, without names that could be taken for a prototype. `z.json()` does the same, but tries a union for each value inside
 * it, which for an object with 300,000 keys takes half a second. In JSON Schema it is `$ref: '#/$defs/json'`.
 */
export const json = z
  .custom<Json>()
  .check((payload) => {
    let problem = problemIn(payload.value);
    if (problem?.message === prototypeNamed) {
      payload.value = withoutPrototypes(payload.value) as Json;
      problem = problemIn(payload.value);
    }
    if (problem) payload.issues.push({ code: 'custom', input: payload.value, ...problem });
  })
  .meta({ id: 'json' });

interface Problem {
  readonly path: PropertyKey[];
  readonly message: string;
}

const prototypeNamed = 'names a prototype';

/** @returns the first part that is not JSON; the depth of values from outside is limited before */
function problemIn(value: unknown): Problem | undefined {
  if (Array.isArray(value)) return problemAmong(value.keys(), (key) => value[key]);
  if (isPlainObject(value)) {
    if (Object.hasOwn(value, '__proto__')) return { path: [], message: prototypeNamed };
    return problemAmong(Object.keys(value), (key) => value[key]);
  }
  if (value === undefined) return { path: [], message: 'is missing' };
  const fits = value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  return fits ? undefined : { path: [], message: 'is not JSON' };
}

function problemAmong<K extends PropertyKey>(keys: Iterable<K>, at: (key: K) => unknown): Problem | undefined {
  for (const key of keys) {
    const problem = problemIn(at(key));
    if (problem) return { ...problem, path: [key, ...problem.path] };
  }
  return undefined;
}

function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (!isPlainObject(value)) return value;
  const kept = Object.keys(value).filter((key) => key !== '__proto__');
  return Object.fromEntries(kept.map((key) => [key, withoutPrototypes(value[key])]));
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  // An object of another realm has a prototype that has none itself.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
