import { limits, type OperationName, type ParsedInput, refusal } from '../contract/index.ts';
import { checkInput, checkShape, type Seed, seed as seedShape } from '../contract/shapes/index.ts';
import { inputInvalid, seedInvalid } from './problems.ts';

/**
 * Reads an operation's input strictly.
 * @throws WorkspaceError input_invalid with one problem a field, body_too_deep
 */
export function parseInput<N extends OperationName>(name: N, input: unknown): ParsedInput<N> {
  const given = input ?? {};
  refuseDepth(given);
  const checked = checkInput(name, given);
  if (checked.fits) return checked.value;
  throw inputInvalid(name, checked.problems);
}

/** Reads a seed strictly. @throws WorkspaceError seed_invalid */
export function parseSeed(seed: Seed): ParsedInput<'workspace.import'>['seed'] {
  const checked = checkShape(seedShape, seed);
  if (checked.fits) return checked.value;
  throw seedInvalid(checked.problems);
}

/** Without recursion, so that no input can exhaust the stack of what comes after. */
function refuseDepth(input: unknown): void {
  let level: unknown[] = [input];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limits.request.jsonDepth) {
      throw refusal('body_too_deep', `The input is nested more than ${limits.request.jsonDepth} levels deep`);
    }
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
      for (const inner of Array.isArray(value) ? value : Object.values(value)) {
        if (typeof inner === 'object' && inner !== null) next.push(inner);
      }
    }
    level = next;
  }
}
