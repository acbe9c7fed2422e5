import { limits, type OperationName, type ParsedInput, refusal } from '../../contract/index.ts';
import { checkInput, checkSeed, type Seed } from '../../contract/shapes/index.ts';
import { isNestedDeeper } from '../../std/index.ts';
import { inputInvalid, seedInvalid } from './problems.ts';

/**
 * Reads an operation's input strictly.
 * @throws WorkspaceError input_invalid with one problem a field, body_too_deep
 */
export function parseInput<N extends OperationName>(name: N, input: unknown): ParsedInput<N> {
  const given = input ?? {};
  if (isNestedDeeper(given, limits.request.jsonDepth)) {
    throw refusal('body_too_deep', `The input is nested more than ${limits.request.jsonDepth} levels deep`);
  }
  const checked = checkInput(name, given);
  if (checked.fits) return checked.value;
  throw inputInvalid(name, checked.problems);
}

/** Reads a seed strictly. @throws WorkspaceError seed_invalid */
export function parseSeed(seed: Seed): ParsedInput<'workspace.import'>['seed'] {
  const checked = checkSeed(seed);
  if (checked.fits) return checked.value;
  throw seedInvalid(checked.problems);
}
