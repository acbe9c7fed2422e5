import { isRecord } from '../../std/index.ts';
import { stepsOf } from './fields.ts';

/**
 * The value of `-f key=text` as the operation wants it: where its schema accepts no such text but a number, true, false, null, a list or an
 * object, the text is read as that JSON. Anything else stays text, which the workspace may refuse with its reason.
 * @param schema JSON Schema of the input
 */
export function bySchema(schema: unknown, path: string, text: string): unknown {
  const possible = alternativesAt(schema, path);
  if (possible.length === 0 || possible.some((one) => acceptsText(one, text))) return text;
  const value = fromJson(text);
  return possible.some((one) => acceptsValue(one, value)) ? value : text;
}

/** The schemas that a value at a path may follow. */
function alternativesAt(schema: unknown, path: string): Record<string, unknown>[] {
  let at = flat(schema);
  for (const step of stepsOf(path)) {
    at = at.flatMap((one) => {
      if (typeof step !== 'string' || step === '[]') return flat(one['items']);
      const properties = isRecord(one['properties']) ? one['properties'] : {};
      return flat(Object.hasOwn(properties, step) ? properties[step] : one['additionalProperties']);
    });
  }
  return at;
}

function flat(schema: unknown): Record<string, unknown>[] {
  if (!isRecord(schema)) return [];
  const { anyOf, oneOf } = schema;
  const alternatives = [anyOf, oneOf].filter(Array.isArray).flat();
  return alternatives.length > 0 ? alternatives.flatMap(flat) : [schema];
}

function typesOf({ type }: Record<string, unknown>): readonly unknown[] {
  return Array.isArray(type) ? type : [type];
}

function acceptsText(schema: Record<string, unknown>, text: string): boolean {
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(text);
  if ('const' in schema) return schema['const'] === text;
  return schema['type'] === undefined || typesOf(schema).includes('string');
}

function acceptsValue(schema: Record<string, unknown>, value: unknown): boolean {
  const types = typesOf(schema);
  if (value === null) return types.includes('null');
  if (typeof value === 'number') return types.includes('number') || types.includes('integer');
  if (Array.isArray(value)) return types.includes('array');
  return ['boolean', 'object'].includes(typeof value) && types.includes(typeof value);
}

/** Undefined for what is no JSON. */
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
