import { refusal } from '../../contract/index.ts';
import { type FieldProblem, WorkspaceError } from '../../std/index.ts';

/** How many problems are listed; the rest are only counted. */
const problemsTold = 50;

export function inputInvalid(name: string, problems: readonly FieldProblem[]): WorkspaceError {
  const [first] = problems;
  const where = first === undefined || first.path === '' ? '' : `${first.path}: `;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  return refusal('input_invalid', `${name} – ${where}${first?.message ?? 'the input is not valid'}${more}`, {
    errors: problems.slice(0, problemsTold),
  });
}

export function seedInvalid(problems: readonly FieldProblem[]): Error {
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  return refusal('seed_invalid', `The seed is not valid: ${first?.path} ${first?.message}${more}`, {
    errors: problems.slice(0, 100),
  });
}

/** What refused one item of a seed, with the item's path. @throws whatever is no refusal */
export function seedProblem(path: string, error: unknown): FieldProblem {
  if (!(error instanceof WorkspaceError)) throw error;
  const [first] = error.errors ?? [];
  return { path: first === undefined ? path : `${path}.${first.path}`, message: first?.message ?? error.message };
}
