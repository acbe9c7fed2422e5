import { linearRegExp } from '../contract/linear-pattern.ts';
import type { FlowCondition } from '../contract/shapes/index.ts';
import { canonicalJson, isRecord } from '../std/index.ts';
import { valueAt } from './paths.ts';
import type { FlowContext, FlowState, Json } from './types.ts';

type Comparison = Extract<FlowCondition, { readonly field: string }>;

/** Whether a condition holds. What is not there equals only null, and is neither less nor more than anything. */
export function holds(condition: FlowCondition, state: FlowState, context: FlowContext): boolean {
  if ('all' in condition) return condition.all.every((inner) => holds(inner, state, context));
  if ('any' in condition) return condition.any.some((inner) => holds(inner, state, context));
  if ('not' in condition) return !holds(condition.not, state, context);
  return compares(valueAt(condition.field, state, context) ?? null, condition);
}

function compares(found: Json, { op, value = null }: Comparison): boolean {
  const wanted = value as Json;
  switch (op) {
    case 'eq':
      return isSame(found, wanted);
    case 'ne':
      return !isSame(found, wanted);
    case 'lt':
      return orderOf(found, wanted) < 0;
    case 'lte':
      return orderOf(found, wanted) <= 0;
    case 'gt':
      return orderOf(found, wanted) > 0;
    case 'gte':
      return orderOf(found, wanted) >= 0;
    case 'contains':
      if (Array.isArray(found)) return found.some((item) => isSame(item, wanted));
      return typeof found === 'string' && lower(found).includes(lower(wanted));
    case 'startsWith':
      return typeof found === 'string' && lower(found).startsWith(lower(wanted));
    case 'in':
      return Array.isArray(wanted) && wanted.some((item) => isSame(item, found));
    case 'exists':
      return found !== null;
    case 'matches':
      return typeof found === 'string' && pattern(String(wanted)).test(found);
  }
}

const isSame = (a: Json, b: Json) => a === b || (typeof a === 'object' && canonicalJson(a) === canonicalJson(b));
/** Numbers compare with numbers, texts with texts: times, too, as they are written. NaN, which is neither less nor more, for the rest. */
function orderOf(a: Json, b: Json): number {
  const isComparable =
    (typeof a === 'number' && typeof b === 'number') || (typeof a === 'string' && typeof b === 'string');
  if (!isComparable) return Number.NaN;
  return a < b ? -1 : a > b ? 1 : 0;
}
const lower = (value: Json) => String(value).toLowerCase();

const maxPatterns = 200;
const patterns = new Map<string, { test(text: string): boolean }>();

function pattern(source: string): { test(text: string): boolean } {
  const known = patterns.get(source);
  if (known) return known;
  if (patterns.size >= maxPatterns) patterns.clear();
  const compiled = linearRegExp(source);
  patterns.set(source, compiled);
  return compiled;
}

/** @returns why a pattern is none; undefined if it is one */
export function findPatternProblem(source: unknown): string | undefined {
  if (typeof source !== 'string') return 'must be a text for `matches`';
  try {
    pattern(source);
    return undefined;
  } catch (error) {
    return `is no pattern: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`;
  }
}

/** Every comparison in a condition, with where it stands. */
export function comparisonsOf(
  condition: FlowCondition,
  at: string,
): { readonly is: Comparison; readonly at: string }[] {
  if ('all' in condition) return condition.all.flatMap((inner, i) => comparisonsOf(inner, `${at}.all[${i}]`));
  if ('any' in condition) return condition.any.flatMap((inner, i) => comparisonsOf(inner, `${at}.any[${i}]`));
  if ('not' in condition) return comparisonsOf(condition.not, `${at}.not`);
  return [{ is: condition, at }];
}

/** A comparison in a few words, for drawings: `message.text contains order`. */
export function describeCondition(condition: FlowCondition): string {
  if ('all' in condition) return condition.all.map(describeCondition).join(' and ');
  if ('any' in condition) return condition.any.map(describeCondition).join(' or ');
  if ('not' in condition) return `not ${describeCondition(condition.not)}`;
  if (condition.op === 'exists') return `${condition.field} exists`;
  const value = isRecord(condition.value)
    ? '{…}'
    : Array.isArray(condition.value)
      ? condition.value.join(', ')
      : condition.value;
  return `${condition.field} ${signs[condition.op] ?? condition.op} ${String(value)}`;
}

const signs: Readonly<Record<string, string>> = { eq: '=', ne: '≠', lt: '<', lte: '≤', gt: '>', gte: '≥' };
