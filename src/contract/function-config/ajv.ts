import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats, { type FormatName } from 'ajv-formats';
import type { FieldProblem } from '../../std/index.ts';
import { linearRegExp } from '../linear-pattern.ts';
import { sizeWords, typeWords, unknownFieldWords } from '../shapes/problem-words.ts';
import { shortName } from '../short-name.ts';
import { isSchema } from './draft.ts';
import { inTime } from './in-time.ts';
import { isMultiple } from './is-multiple.ts';
import type { SchemaCheck } from './json-schema.ts';
import { portableFormats } from './portable-schema.ts';
import type { JsonSchema } from './types.ts';

const formats: FormatName[] = [...portableFormats];
const mostProblems = 50;

/**
 * Compiles a schema with a new Ajv instance each time, so that the `$id` of one author's schema cannot clash with another's.
 * @param form a query is all text: where the schema asks for it, text becomes a number or a boolean, and one value becomes a list
 */
export function compileSchema(schema: JsonSchema, form: 'json' | 'query' = 'json'): SchemaCheck {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true, // problems include the known fields
    strict: false,
    validateSchema: false,
    coerceTypes: form === 'query' ? 'array' : false,
    validateFormats: true,
    logger: false,
    code: { regExp: linearRegExp },
  });
  addFormats.default(ajv, { formats });
  // The library's own check compares every pair of items: a list of 100,000 blocked the process for a minute.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must not hold the same item twice' },
    validate: (isAsked: boolean, items: readonly unknown[]) => !isAsked || !hasTwins(items),
  });
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    error: { message: ({ schema: of }) => `must be a multiple of ${String(of)}` },
    validate: (of: number, value: number) => isMultiple(value, of),
  });
  // "$async" is an Ajv extension: it makes every value pass and throws problems where nobody catches them.
  const { $schema: _, $async: __, ...rest } = typeof schema === 'boolean' ? { allOf: [schema] } : schema;
  if (!isSchema(rest)) throw new Error(firstOf(isSchema.errors));
  const validate = ajv.compile(rest);
  const text = JSON.stringify(rest);
  const isSmall = text.length <= smallSchema && !/"\$(?:ref|dynamicRef)"/.test(text);
  return (value) => {
    if (isSmall && hasFew(value)) return problemsOf(validate, value);
    try {
      return inTime(() => problemsOf(validate, value))?.value ?? [endless];
    } catch (error) {
      if (error instanceof RangeError) return [endless];
      throw error;
    }
  };
}

/** Below this size of schema and value, nothing takes long, unless references form a cycle or double the work at each step. */
const smallSchema = 4_000;
const fewValues = 200;
const shortText = 10_000;

const endless = { path: '', message: 'takes too long to check against its schema' };

function problemsOf(validate: ValidateFunction, value: unknown): FieldProblem[] {
  if (validate(value)) return [];
  const errors = validate.errors ?? [];
  // Generated schemas give both. "date" says what is wrong; its pattern fills three lines.
  const formatted = new Set(errors.filter(({ keyword }) => keyword === 'format').map(placeOf));
  const told = errors.filter((error) => error.keyword !== 'pattern' || !formatted.has(placeOf(error)));
  return told.slice(0, mostProblems).map(problemOf);
}

/** The value and the schema that it does not fit. */
const placeOf = ({ instancePath, schemaPath }: ErrorObject) =>
  `${instancePath}\n${schemaPath.slice(0, schemaPath.lastIndexOf('/'))}`;

function hasFew(value: unknown): boolean {
  let left = fewValues;
  const open = [value];
  for (let one = open.pop(); left > 0; one = open.pop()) {
    left--;
    if (typeof one === 'string' && one.length > shortText) return false;
    if (typeof one === 'object' && one !== null) {
      const held = Object.values(one);
      if (held.length > left) return false;
      open.push(...held);
    }
    if (open.length === 0) return true;
  }
  return false;
}

function firstOf(errors: readonly ErrorObject[] | null | undefined): string {
  const { path, message } = errors?.[0] ? problemOf(errors[0]) : { path: '', message: 'it does not fit the draft' };
  return path === '' ? message : `${path} ${message}`;
}

function problemOf({ instancePath, keyword, params, message, parentSchema }: ErrorObject): FieldProblem {
  const at = dotted(instancePath);
  const below = (name: string) => `${at === '' ? '' : `${at}.`}${shortName(name)}`;
  if (keyword === 'required') return { path: below(String(params['missingProperty'])), message: 'is missing' };
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    const name = String(params['additionalProperty'] ?? params['unevaluatedProperty']);
    return { path: below(name), message: unknownFieldWords(name, Object.keys(Object(parentSchema?.['properties']))) };
  }
  if (keyword === 'enum') {
    const allowed: unknown = params['allowedValues'];
    return { path: at, message: `must be one of ${Array.isArray(allowed) ? allowed.map(asText).join(', ') : ''}` };
  }
  if (keyword === 'const') return { path: at, message: `must be ${JSON.stringify(params['allowedValue'])}` };
  if (keyword === 'type') return { path: at, message: typeWords([params['type']].flat().map(String)) };
  if (keyword === 'format') return { path: at, message: formatWords(String(params['format'])) };
  const size = sizes[keyword];
  if (size) return { path: at, message: sizeWords(size.of, Number(params['limit']), size.bound) };
  return { path: at, message: message ?? `does not fit (${keyword})` };
}

// Worded like the operations' messages about their own fields.

const examples: Readonly<Record<string, string>> = {
  'date-time': 'a time like 2030-01-31T09:00:00Z',
  date: 'a date like 2030-01-31',
  uri: 'an address like https://example.com/path',
};

function formatWords(format: string): string {
  if (format === 'email') return 'is not an e-mail address';
  const example = examples[format];
  return example === undefined ? `must match format "${format}"` : `must be ${example}`;
}

const sizes: Readonly<Record<string, { of: string; bound: string }>> = {
  minLength: { of: 'string', bound: 'at least' },
  maxLength: { of: 'string', bound: 'at most' },
  minItems: { of: 'array', bound: 'at least' },
  maxItems: { of: 'array', bound: 'at most' },
  minProperties: { of: 'object', bound: 'at least' },
  maxProperties: { of: 'object', bound: 'at most' },
  minimum: { of: 'number', bound: 'at least' },
  maximum: { of: 'number', bound: 'at most' },
  exclusiveMinimum: { of: 'number', bound: 'more than' },
  exclusiveMaximum: { of: 'number', bound: 'less than' },
};

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

function hasTwins(items: readonly unknown[]): boolean {
  return new Set(items.map(keyOf)).size < items.length;
}

/** A key that is equal for equal values, regardless of the order of their fields. */
function keyOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value, sorted) : JSON.stringify(value);
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `/items/0/a~1b` → `items[0].a/b` */
function dotted(pointer: string): string {
  let path = '';
  for (const part of pointer.split('/').slice(1)) {
    const name = shortName(part.replaceAll('~1', '/').replaceAll('~0', '~'));
    path += /^\d+$/.test(name) ? `[${name}]` : path === '' ? name : `.${name}`;
  }
  return path;
}
