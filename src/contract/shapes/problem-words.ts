import type { z } from 'zod';
import { nearest } from '../../std/index.ts';

/** Describes a problem in words that follow the path of the field: `limit` + `must be at least 1`. */
export function problemWords(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing';
      // Query values arrive as text; text that is not a number has become NaN.
      return `must be ${kindOf(issue.expected)}${Number.isNaN(issue.input) ? '' : `, not ${given(issue.input)}`}`;
    case 'too_small':
      if (issue.minimum === 1 && issue.origin === 'string') return 'is empty';
      return sizeWords(
        issue.origin,
        issue.minimum,
        issue.exact ? 'exactly' : issue.inclusive ? 'at least' : 'more than',
      );
    case 'too_big':
      return sizeWords(
        issue.origin,
        issue.maximum,
        issue.exact ? 'exactly' : issue.inclusive ? 'at most' : 'less than',
      );
    case 'invalid_value':
      return issue.input === undefined ? 'is missing' : oneOf(issue.values);
    case 'invalid_union':
      if (issue.input === undefined) return 'is missing';
      return Array.isArray(issue['options']) ? oneOf(issue['options']) : 'does not have an allowed type';
    case 'invalid_format':
      return formats[issue.format] ?? 'does not have the required format';
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    default:
      return 'is not valid';
  }
}

const units: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  object: ['field', 'fields'],
  record: ['field', 'fields'],
};

/** `must have at least 5 characters`, or for a number `must be at least 5`. */
export function sizeWords(origin: string, limit: number | bigint, bound: string): string {
  const unit = units[origin];
  return unit ? `must have ${bound} ${limit} ${unit[limit === 1 ? 0 : 1]}` : `must be ${bound} ${limit}`;
}

/** More fields than this are not listed. */
const mostListed = 5;

/** @param known the existing fields, one of which was probably meant */
export function unknownFieldWords(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  if (meant !== undefined) return `is not a known field; did you mean "${meant}"?`;
  const few = known.length > 0 && known.length <= mostListed;
  return `is not a known field${few ? `; known: ${known.join(', ')}` : ''}`;
}

function oneOf(values: readonly unknown[]): string {
  const shown = values.map((value) => JSON.stringify(value));
  return shown.length === 1 ? `must be ${shown[0]}` : `must be one of ${shown.join(', ')}`;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

/** `must be a whole number or null` */
export const typeWords = (types: readonly string[]): string =>
  `must be ${types.map((type) => kindOf(type === 'integer' ? 'int' : type)).join(' or ')}`;

const kindOf = (expected: string): string => kinds[expected] ?? `a value of type ${expected}`;

function given(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'a list';
  if (typeof input === 'boolean' || (typeof input === 'number' && !Number.isInteger(input))) return String(input);
  return kindOf(typeof input);
}

const formats: Readonly<Record<string, string>> = {
  email: 'is not an e-mail address',
  url: 'must be an address like https://example.com/path',
  datetime: 'must be a time like 2030-01-31T09:00:00Z (RFC 3339, UTC)',
};
