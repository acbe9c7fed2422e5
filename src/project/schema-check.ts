import { isRecord, nearest } from '../std/index.ts';

/** The part of JSON Schema that the formats of an app's files use. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly $id?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null';
  readonly const?: string | number | boolean | null;
  readonly enum?: readonly (string | number)[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: { readonly pattern: string };
  readonly items?: JsonSchema;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

export interface SchemaProblem {
  /** Path such as `limits.wallMs` or `secrets[0]`; empty for the value itself. */
  readonly path: string;
  readonly message: string;
  readonly hint: string | undefined;
  /** Whether the problem is a field that the schema does not have. */
  readonly unknown: boolean;
}

/** Checks a value without the schema library, which would take longer to load than everything else at start-up. */
export function firstProblem(schema: JsonSchema, value: unknown, path = ''): SchemaProblem | undefined {
  const says = (message: string, hint?: string, at = path, unknown = false): SchemaProblem => ({
    path: at,
    message: at === '' ? message : `${at} ${message}`,
    hint,
    unknown,
  });
  if (schema.const !== undefined && value !== schema.const)
    return says(value === undefined ? 'is missing' : `must be ${JSON.stringify(schema.const)}`);
  if (schema.enum !== undefined && !schema.enum.some((allowed) => allowed === value))
    return says(`must be one of ${schema.enum.join(', ')}`);
  if (schema.type !== undefined && !isOfType(value, schema.type)) return says(`must be ${named[schema.type]}`);
  if (typeof value === 'string') {
    if (value.length < (schema.minLength ?? 0)) return says('must not be empty');
    if (value.length > (schema.maxLength ?? Number.POSITIVE_INFINITY))
      return says(`is longer than ${schema.maxLength} characters`);
    if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value))
      return says(`is ${JSON.stringify(value.slice(0, 100))}`, schema.description && `${schema.description}.`);
  }
  if (typeof value === 'number') {
    if (value < (schema.minimum ?? Number.NEGATIVE_INFINITY)) return says(`must be at least ${schema.minimum}`);
    if (value > (schema.maximum ?? Number.POSITIVE_INFINITY)) return says(`must be at most ${schema.maximum}`);
  }
  if (Array.isArray(value)) {
    if (value.length > (schema.maxItems ?? Number.POSITIVE_INFINITY))
      return says(`has more than ${schema.maxItems} items`);
    if (schema.items === undefined) return undefined;
    for (const [index, item] of value.entries()) {
      const problem = firstProblem(schema.items, item, `${path}[${index}]`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  if (schema.type !== 'object' || typeof value !== 'object' || value === null) return undefined;
  const properties = schema.properties ?? {};
  const inner = (name: string) => (path === '' ? name : `${path}.${name}`);
  for (const [name, item] of Object.entries(value)) {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (own === undefined && schema.additionalProperties === false) {
      const meant = nearest(name, Object.keys(properties));
      const hint = meant ? `Did you mean "${meant}"?` : `It may hold ${Object.keys(properties).join(', ')}.`;
      return says('is not known', hint, inner(name), true);
    }
    if (schema.propertyNames !== undefined && !new RegExp(schema.propertyNames.pattern, 'u').test(name))
      return says('is not a valid name here', `It must match ${schema.propertyNames.pattern}`, inner(name));
    const next = own ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
    const problem = next && firstProblem(next, item, inner(name));
    if (problem) return problem;
  }
  for (const name of schema.required ?? []) {
    if (Object.hasOwn(value, name)) continue;
    const only = properties[name]?.const;
    const field = only === undefined ? `"${name}"` : `"${name}": ${JSON.stringify(only)}`;
    return says('is missing', `Add ${field} and save.`, inner(name));
  }
  return undefined;
}

const named = {
  object: 'an object: { … }',
  array: 'a list: [ … ]',
  string: 'a text in double quotes',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
} as const;

function isOfType(value: unknown, type: NonNullable<JsonSchema['type']>): boolean {
  switch (type) {
    case 'object':
      return isRecord(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}
