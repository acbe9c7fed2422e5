import type { z } from 'zod';
import type { FieldProblem } from '../../std/index.ts';
import { shortName } from '../short-name.ts';
import { problemWords, unknownFieldWords } from './problem-words.ts';

export type Checked<T> =
  | { readonly fits: true; readonly value: T }
  | { readonly fits: false; readonly problems: readonly FieldProblem[] };

/**
 * Applies a shape. This is the only place where findings of the schema library become our own messages.
 * @returns each problem with the path of its field (empty: the whole value) and a message that completes the path to a sentence
 */
export function checkShape<T>(shape: z.ZodType<T>, given: unknown): Checked<T> {
  const known: KnownFields = new WeakMap();
  const result = shape.safeParse(given, {
    error: (issue) => {
      if (issue.code === 'unrecognized_keys') known.set(issue.keys, fieldsOf(issue.inst));
      return problemWords(issue);
    },
  });
  if (result.success) return { fits: true, value: result.data };
  return { fits: false, problems: result.error.issues.flatMap((issue) => problemsOf(issue, [], known)) };
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];
/** The known fields of an object with unknown keys. The library exposes the object's shape only during the check. */
type KnownFields = WeakMap<readonly string[], readonly string[]>;

/** Maximum number of fields with a suggestion: for thousands it would take seconds, and nobody would read them. */
const mostSuggestions = 100;

function problemsOf(issue: Issue, above: Path, known: KnownFields): FieldProblem[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    const meant = known.get(issue.keys) ?? [];
    return issue.keys.map((key, i) => unknownField([...path, key], key, i < mostSuggestions ? meant : []));
  }
  if (issue.code === 'invalid_union') {
    const branch = likeliest(issue.errors);
    if (branch !== undefined) return branch.flatMap((inner) => problemsOf(inner, path, known));
  }
  if (issue.code === 'invalid_key' || issue.code === 'invalid_element') {
    return issue.issues.map(({ message }) => ({ path: dotted(path), message }));
  }
  return [{ path: dotted(path), message: issue.message }];
}

function unknownField(path: Path, key: string, known: readonly string[]): FieldProblem {
  return { path: dotted(path), message: unknownFieldWords(key, known) };
}

/** Picks the branch of a union that got furthest; the others describe a different kind of value. */
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

function fieldsOf(inst: unknown): readonly string[] {
  const shape = (inst as Partial<z.ZodObject> | undefined)?.shape;
  return shape === undefined ? [] : Object.keys(shape);
}

/** `variables.carousel[1].buttons[0].value` */
function dotted(path: Path): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += `${text === '' ? '' : '.'}${shortName(String(part))}`;
  }
  return text;
}
