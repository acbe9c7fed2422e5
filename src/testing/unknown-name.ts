import { nearest, UsageError } from '../std/index.ts';

/** Reports in plain JavaScript what the compiler reports in TypeScript. */
export function unknownName(kind: 'option' | 'operation', name: string, known: readonly string[]): UsageError {
  const meant = nearest(name, known);
  return new UsageError(`${kind}_unknown`, `There is no ${kind} "${name}"`, {
    hint: meant ? `Did you mean ${meant}?` : kind === 'option' ? `The options are ${known.join(', ')}.` : undefined,
  });
}

/** @throws UsageError option_unknown */
export function checkOptionNames(options: object, known: readonly string[]): void {
  for (const name of Object.keys(options)) if (!known.includes(name)) throw unknownName('option', name, known);
}
