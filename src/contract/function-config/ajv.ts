import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats, { type FormatName } from 'ajv-formats';
import { RE2JS } from 're2js';
import type { FieldProblem } from '../../std/index.ts';
import type { SchemaCheck } from './json-schema.ts';
import type { JsonSchema } from './types.ts';

const formats: FormatName[] = [
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'uri',
  'ipv4',
  'ipv6',
  'uuid',
];
const mostProblems = 50;

/** What Ajv makes of a `pattern`: never the engine's own, which backtracks. Ajv tells patterns apart by their `toString`. */
function linearRegExp(pattern: string): { test(text: string): boolean; toString(): string } {
  const compiled = RE2JS.compile(pattern);
  return { test: (text) => compiled.matcher(text).find(), toString: () => pattern };
}
linearRegExp.code = 'linearRegExp';

/** A new instance each time, so that the `$id` of one author's schema is nothing to another's. */
export function compileSchema(schema: JsonSchema): SchemaCheck {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    validateFormats: true,
    logger: false,
    code: { regExp: linearRegExp },
  });
  addFormats.default(ajv, { formats });
  const { $schema: _, ...rest } = typeof schema === 'boolean' ? { allOf: [schema] } : schema;
  const validate = ajv.compile(rest);
  return (value) => (validate(value) ? [] : (validate.errors ?? []).slice(0, mostProblems).map(problemOf));
}

function problemOf({ instancePath, keyword, params, message }: ErrorObject): FieldProblem {
  const at = dotted(instancePath);
  const below = (name: string) => (at === '' ? name : `${at}.${name}`);
  if (keyword === 'required') return { path: below(String(params['missingProperty'])), message: 'is missing' };
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    const name = params['additionalProperty'] ?? params['unevaluatedProperty'];
    return { path: below(String(name)), message: 'is not a known field' };
  }
  if (keyword === 'enum') {
    const allowed: unknown = params['allowedValues'];
    return { path: at, message: `must be one of ${Array.isArray(allowed) ? allowed.map(String).join(', ') : ''}` };
  }
  if (keyword === 'const') return { path: at, message: `must be ${JSON.stringify(params['allowedValue'])}` };
  return { path: at, message: message ?? `does not fit (${keyword})` };
}

/** `/items/0/a~1b` → `items[0].a/b` */
function dotted(pointer: string): string {
  let path = '';
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    path += /^\d+$/.test(name) ? `[${name}]` : path === '' ? name : `.${name}`;
  }
  return path;
}
