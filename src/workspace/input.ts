import type { z } from 'zod';
import { limits, type OperationName, type ParsedInput, refusal } from '../contract/index.ts';
import { type Seed, seed as seedShape, shapes } from '../contract/shapes/index.ts';
import type { FieldProblem } from '../std/index.ts';
import { dotted, inputInvalid, type Path, seedInvalid } from './problems.ts';

/**
 * Reads an operation's input strictly.
 * @throws WorkspaceError input_invalid with one problem a field, body_too_deep
 */
export function parseInput<N extends OperationName>(name: N, input: unknown): ParsedInput<N> {
  const given = input ?? {};
  refuseDepth(given);
  // The table guarantees the type; the compiler cannot follow it through a name it does not know.
  const shape: z.ZodType<unknown> = shapes[name].input;
  const result = shape.safeParse(given);
  if (result.success) return result.data as ParsedInput<N>;
  throw inputInvalid(
    name,
    result.error.issues.flatMap((issue) => problemsOf(issue, [])),
  );
}

/** Reads a seed strictly. @throws WorkspaceError seed_invalid */
export function parseSeed(seed: Seed): ParsedInput<'workspace.import'>['seed'] {
  const result = seedShape.safeParse(seed);
  if (result.success) return result.data;
  throw seedInvalid(result.error.issues.flatMap((issue) => problemsOf(issue, [])));
}

type Issue = z.core.$ZodIssue;

/** Turns what zod found into problems a person can act on, one a field. */
function problemsOf(issue: Issue, above: Path): FieldProblem[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: dotted([...path, key]), message: 'is not a known field' }));
  }
  if (issue.code === 'invalid_union') {
    const branch = likeliest(issue.errors);
    if (branch !== undefined) return branch.flatMap((inner) => problemsOf(inner, path));
  }
  if (issue.code === 'invalid_key' || issue.code === 'invalid_element') {
    return issue.issues.map((inner) => ({ path: dotted(path), message: wordsOf(inner) }));
  }
  return [{ path: dotted(path), message: wordsOf(issue) }];
}

/** Of the branches of a union, the one that got furthest: the others are of another kind altogether. */
function likeliest(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const depth = (issues: readonly Issue[]) => Math.max(...issues.map((issue) => issue.path.length));
  const wrongKind = (issues: readonly Issue[]) =>
    issues.some((issue) => issue.code === 'invalid_type' && issue.path.length === 0);
  const right = branches.filter((issues) => issues.length > 0 && !wrongKind(issues));
  if (right.length === 0) return undefined;
  return right.reduce((best, next) =>
    depth(next) > depth(best) || (depth(next) === depth(best) && next.length < best.length) ? next : best,
  );
}

function wordsOf(issue: Issue): string {
  const text = issue.message;
  if (issue.code === 'invalid_type' && text.endsWith('received undefined')) return 'is missing';
  if (issue.code === 'invalid_union') return 'is of no kind that fits here';
  // A shape that says it in words of its own is heard.
  if (!/^(Too (small|big):|Invalid )/.test(text)) return text;
  if (issue.code === 'too_small') return sizeWords(issue, issue.minimum, issue.inclusive ? 'at least' : 'more than');
  if (issue.code === 'too_big') return sizeWords(issue, issue.maximum, issue.inclusive ? 'at most' : 'less than');
  if (issue.code === 'invalid_value') {
    const values = issue.values.map((value) => JSON.stringify(value));
    return values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(', ')}`;
  }
  if (issue.code === 'invalid_format' && issue.format === 'email') return 'is no e-mail address';
  if (issue.code === 'invalid_format' && issue.format === 'datetime')
    return 'must be a time like 2030-01-31T09:00:00Z (RFC 3339, UTC)';
  return text.replace(/^Invalid (input|string|number): /, '');
}

function sizeWords(issue: Issue & { origin: string; exact?: boolean }, limit: number | bigint, bound: string): string {
  const how = issue.exact ? 'exactly' : bound;
  if (issue.origin === 'string' && issue.code === 'too_small' && limit === 1) return 'is empty';
  if (issue.origin === 'string') return `must have ${how} ${limit} character${limit === 1 ? '' : 's'}`;
  if (issue.origin === 'array' || issue.origin === 'set')
    return `must have ${how} ${limit} item${limit === 1 ? '' : 's'}`;
  if (issue.origin === 'number' || issue.origin === 'int') return `must be ${how} ${limit}`;
  return issue.message;
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
