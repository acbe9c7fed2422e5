import type { FnError } from '../../std/index.ts';
import type { Style } from '../terminal/style.ts';
import { type Circumstances, errorText } from './report.ts';

/** A function that does not build or load, and why. */
export interface BrokenFunction {
  readonly name: string;
  readonly error: FnError;
}

const shownNames = 5;

/** Functions that are broken for the same reason, such as a mistake in a shared file. */
export type Alike = readonly [BrokenFunction, ...BrokenFunction[]];

export function alike(broken: readonly BrokenFunction[]): Alike[] {
  return [...Map.groupBy(broken, reasonOf).values()].flatMap(([first, ...others]) =>
    first ? [[first, ...others]] : [],
  );
}

/** Error texts of functions that do not build; one for each reason. */
export function problemTexts(groups: readonly Alike[], style: Style, circumstances: Circumstances): string[] {
  return groups.flatMap(([{ error }, ...others]) => [
    errorText(error, style, circumstances),
    ...(others.length > 0 ? [alsoBroken(others.map(nameOf), style)] : []),
  ]);
}

/** Names the other functions with the same problem. */
export function alsoBroken(names: readonly string[], style: Style, why = 'for the same reason'): string {
  const does = names.length === 1 ? 'does' : 'do';
  return `${style.red(style.bold('error'))} ${names.length} more ${does} not build ${why}: ${someOf(names)}`;
}

/** A text that is equal for two functions that do not build for the same reason. The first line of a failed build contains the name. */
export function reasonOf({ error: { code, message, hint } }: BrokenFunction): string {
  if (code === 'packages_not_installed') return code;
  const [title, ...reason] = message.split('\n');
  return [code, ...(code === 'build_failed' && reason.length > 0 ? [] : [title]), ...reason, hint].join('\n');
}

/** The first of many names. */
export function someOf(names: readonly string[]): string {
  const sorted = [...names].sort();
  return `${sorted.slice(0, shownNames).join(', ')}${sorted.length > shownNames ? ' …' : ''}`;
}

function nameOf({ name }: BrokenFunction): string {
  return name;
}
