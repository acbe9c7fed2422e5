import { isRecord } from '../../std/index.ts';
import type { JsonSchema } from './types.ts';

/** What keeps a schema of arguments from being taken by every model, with its path: `properties.kind.oneOf`. */
export interface PortabilityProblem {
  readonly path: string;
  readonly message: string;
}

export interface Portability {
  /** Most providers do not take it. */
  readonly errors: readonly PortabilityProblem[];
  /** Some providers do not take it. */
  readonly warnings: readonly PortabilityProblem[];
}

/** Checked by our own validator, and known to the providers that take formats. */
export const portableFormats = [
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
] as const;

const refused = [
  'if',
  'then',
  'else',
  'not',
  'patternProperties',
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedItems',
  'unevaluatedProperties',
  '$dynamicRef',
  '$recursiveRef',
];
const doubtful = ['oneOf', 'allOf'];
/** Keywords that hold one schema, several, or several by name. */
const holders = {
  one: ['items', 'additionalProperties', 'contains', 'propertyNames'],
  many: ['anyOf', 'oneOf', 'allOf', 'prefixItems'],
  named: ['properties', '$defs', 'definitions'],
};
const maxDepth = 5;
const maxProperties = 100;
const maxBytes = 16 * 1024;

/**
 * Finds what models of some providers do not take in the schema of a tool's arguments. The subset: agents.md 6, made of the providers' own
 * documents.
 */
export function checkPortability(schema: JsonSchema): Portability {
  const errors: PortabilityProblem[] = [];
  const warnings: PortabilityProblem[] = [];
  let properties = 0;
  let deepest = 0;

  function visit(value: unknown, path: readonly string[], level: number): void {
    if (!isRecord(value)) return;
    deepest = Math.max(deepest, level);
    const at = (keyword: string) => [...path, keyword].join('.');
    for (const keyword of refused) {
      if (keyword in value) errors.push({ path: at(keyword), message: 'most models do not take this keyword' });
    }
    for (const keyword of doubtful) {
      if (keyword in value)
        warnings.push({ path: at(keyword), message: 'some models do not take this keyword; anyOf is taken by all' });
    }
    const { $ref, format } = value;
    if (typeof $ref === 'string') {
      if (!$ref.startsWith('#'))
        errors.push({ path: at('$ref'), message: 'refers to another address; move it to $defs' });
      else if (isAbove($ref, path))
        errors.push({ path: at('$ref'), message: 'is recursive, which most models do not take' });
    }
    if (typeof format === 'string' && !portableFormats.some((one) => one === format)) {
      warnings.push({ path: at('format'), message: `"${format}" is not checked; ${portableFormats.join(', ')} are` });
    }
    if (isRecord(value['properties'])) properties += Object.keys(value['properties']).length;
    for (const keyword of holders.one) visit(value[keyword], [...path, keyword], level + 1);
    for (const keyword of holders.many) {
      const members: unknown = value[keyword];
      if (Array.isArray(members))
        for (const [i, member] of members.entries()) visit(member, [...path, keyword, String(i)], level);
    }
    for (const keyword of holders.named) {
      const members: unknown = value[keyword];
      if (!isRecord(members)) continue;
      const deeper = keyword === 'properties' ? level + 1 : level;
      for (const [name, member] of Object.entries(members)) visit(member, [...path, keyword, name], deeper);
    }
  }

  visit(schema, [], 0);
  if (deepest > maxDepth) errors.push({ path: '', message: `has ${deepest} levels; models take ${maxDepth}` });
  if (properties > maxProperties)
    errors.push({ path: '', message: `has ${properties} properties; models take ${maxProperties}` });
  const bytes = Buffer.byteLength(JSON.stringify(schema));
  if (bytes > maxBytes) errors.push({ path: '', message: `has ${bytes} bytes; models take ${maxBytes}` });
  return { errors, warnings };
}

/** Whether a reference leads to a schema that it is inside of. */
function isAbove(ref: string, path: readonly string[]): boolean {
  const target = ref
    .slice(1)
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return target.every((part, i) => part === path[i]);
}
