import type { FunctionType } from '../../contract/index.ts';
import { ProjectError } from '../../std/index.ts';

/** A function of an app, as far as it is known. */
interface Known {
  readonly name: string;
  readonly type?: FunctionType;
}

/**
 * An app is installed by one Custom App Setup; a second one would never run, and nobody would notice.
 * @returns the problem of each that is one too many, by name
 */
export function surplusSetups(functions: readonly Known[]): ReadonlyMap<string, ProjectError> {
  const [first, ...others] = functions
    .filter(({ type }) => type === 'custom-app-setup')
    .map(({ name }) => name)
    .sort();
  return new Map(
    others.map((name) => [
      name,
      new ProjectError('setup_twice', `${name} is a second Custom App Setup; an app has one, and ${first} is it`, {
        hint: 'Do in one what both do, or give the other a leading underscore and call it from there.',
      }),
    ]),
  );
}
