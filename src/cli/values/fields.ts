import { isRecord, UsageError } from '../../std/index.ts';
import type { Context } from '../context.ts';
import { readGiven, saveAsUtf8, textOf } from './read-given.ts';

/** Splits `key=value`. @throws UsageError `field_invalid` */
export function keyAndValue(given: string, flag: string): [string, string] {
  const at = given.indexOf('=');
  if (at > 0) return [given.slice(0, at), given.slice(at + 1)];
  throw new UsageError('field_invalid', `${flag} ${given.slice(0, 60)} has no key and value`, {
    hint: `Write ${flag} key=value`,
  });
}

/** The steps of a path: names, indexes, and `[]` for a new element. */
export function stepsOf(path: string): (string | number)[] {
  return [...path.matchAll(/([^.[\]]+)|\[(\d*)\]/g)].map(
    ([, name, index]) => name ?? (index === '' ? '[]' : Number(index)),
  );
}

/**
 * Sets a value at a path of an input: `assign.agentEmail`, `variables.body[0]`, `scopes[]` (appends).
 * @throws UsageError `field_invalid` for a path that contradicts another one
 */
export function setField(input: Record<string, unknown>, path: string, value: unknown): void {
  const steps = stepsOf(path);
  const wrong = () =>
    new UsageError('field_invalid', `${path.slice(0, 60)} cannot be set`, {
      hint: 'Write a key as in: assign.agentEmail, variables.body[0], scopes[]',
    });
  if (
    steps.length === 0 ||
    typeof steps[0] !== 'string' ||
    steps.some((step) => step === '__proto__' || (typeof step === 'number' && step > 10_000))
  )
    throw wrong();
  let at: unknown = input;
  for (const [i, step] of steps.entries()) {
    const next = steps[i + 1];
    const below = next === undefined ? value : typeof next === 'number' || next === '[]' ? [] : {};
    if (Array.isArray(at) && typeof step !== 'string') {
      at[step] = next === undefined ? value : (at[step] ?? below);
      at = at[step];
    } else if (Array.isArray(at) && step === '[]') {
      at.push(below);
      at = below;
    } else if (isRecord(at) && typeof step === 'string') {
      if (!Object.hasOwn(at, step) || next === undefined) at[step] = below;
      at = at[step];
    } else {
      throw wrong();
    }
  }
}

/** A value of `-F`: JSON, `@file`, or text if it is not JSON. */
export async function typedValue(context: Context, given: string): Promise<unknown> {
  if (given.startsWith('@')) {
    const path = given.slice(1);
    return path === '-' ? await context.stdin() : textOf(await readGiven(context, path), path, saveAsUtf8);
  }
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}
