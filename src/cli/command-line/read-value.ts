import { nearest, UsageError } from '../../std/index.ts';
import type { ValueType } from '../command.ts';

/**
 * Reads the value of an argument, a flag or its variable.
 * @param name as it is written in messages: `TEMPLATE`, `--rate`, `FN_RATE`
 * @throws UsageError `value_unknown` or `value_not_a_number`
 */
export function readValue(
  name: string,
  value: string,
  spec: { readonly type?: ValueType; readonly choices?: readonly string[] },
): string | number {
  if (spec.choices && !spec.choices.includes(value)) {
    const meant = nearest(value, spec.choices);
    throw new UsageError('value_unknown', `${name} cannot be "${value.slice(0, 60)}"`, {
      hint: `${meant ? `Did you mean ${meant}? ` : ''}It is one of: ${spec.choices.join(', ')}`,
    });
  }
  if (spec.type !== 'number' && spec.type !== 'count') return value;
  const number = value.trim() === '' ? Number.NaN : Number(value);
  const wrong = spec.type === 'count' ? !Number.isSafeInteger(number) || number < 0 : !Number.isFinite(number);
  if (wrong) {
    throw new UsageError(
      'value_not_a_number',
      `${name} is "${value.slice(0, 60)}", not ${spec.type === 'count' ? 'a whole number of 0 or more' : 'a number'}`,
      { hint: `Give ${name} a number.` },
    );
  }
  return number;
}
