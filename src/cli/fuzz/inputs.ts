import { type JsonSchema as FakerSchema, generateSync } from 'json-schema-faker';
import type { JsonSchema } from '../../contract/function-config/index.ts';
import { isRecord } from '../../std/index.ts';

/** An input that matches a schema; the same for the same seed. @throws Error if nothing matches it */
export function validInput(schema: JsonSchema, seed: number): unknown {
  return generateSync(schema as FakerSchema, { seed });
}

/** The same input, broken in one place: without a field, with one too many, with a value of another type, or whole another value. */
export function brokenInput(valid: unknown, seed: number): unknown {
  if (!isRecord(valid) || Object.keys(valid).length === 0) return others[seed % others.length];
  const names = Object.keys(valid);
  const name = names[seed % names.length] ?? '';
  const { [name]: value, ...rest } = valid;
  const ways: readonly (() => unknown)[] = [
    () => rest,
    () => ({ ...valid, [`un${name}`]: value }),
    () => ({ ...valid, [name]: otherThan(value, seed) }),
    () => others[seed % others.length],
  ];
  return ways[(seed >>> 3) % ways.length]?.();
}

const others: readonly unknown[] = [null, 0, '', 'x', [], true, 'null', -1];

function otherThan(value: unknown, seed: number): unknown {
  const fitting = others.filter((other) => typeof other !== typeof value);
  return fitting[(seed >>> 5) % fitting.length];
}

const maxTries = 60;

/** The smallest input found that still fails: fields, items, characters and digits are taken away as long as it does. */
export async function smallest(input: unknown, fails: (input: unknown) => Promise<boolean>): Promise<unknown> {
  let found = input;
  let tries = 0;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of smallerThan(found)) {
      if (++tries > maxTries) return found;
      if (!(await fails(candidate))) continue;
      found = candidate;
      isSmaller = true;
      break;
    }
  }
  return found;
}

function* smallerThan(value: unknown): Generator<unknown> {
  if (typeof value === 'string') {
    if (value !== '') yield '';
    if (value.length > 1) yield value.slice(0, value.length >> 1);
    if (value.length > 1) yield value.slice(1);
  } else if (typeof value === 'number') {
    if (value !== 0) yield 0;
    if (!Number.isInteger(value)) yield Math.trunc(value);
    else if (Math.abs(value) > 1) yield Math.trunc(value / 2);
  } else if (Array.isArray(value)) {
    for (const index of value.keys()) yield value.toSpliced(index, 1);
    for (const [index, item] of value.entries())
      for (const smaller of smallerThan(item)) yield value.with(index, smaller);
  } else if (isRecord(value)) {
    for (const name of Object.keys(value)) {
      const { [name]: _, ...rest } = value;
      yield rest;
    }
    for (const [name, member] of Object.entries(value))
      for (const smaller of smallerThan(member)) yield { ...value, [name]: smaller };
  }
}
