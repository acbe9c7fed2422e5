import type { OperationName } from '../contract/index.ts';
import { type FnError, UnknownOutcomeError, UnreachableError } from '../std/index.ts';
import { plainText } from './plain.ts';
import { changesSomething } from './repeat.ts';
import type { RemoteWorkspace } from './target.ts';

export interface KeptAnswer {
  readonly name: OperationName;
  readonly json: unknown;
}

/**
 * Finds what is wrong with answers that a command could not use. Only then are they checked fully: the schema library takes longer to
 * load than most commands to run.
 * @returns undefined when all answers are valid, so the fault is ours
 */
export async function misfitOf(
  workspace: RemoteWorkspace,
  answers: readonly KeptAnswer[],
): Promise<FnError | undefined> {
  const { checkOutput } = await import('../contract/shapes/index.ts');
  for (const { name, json } of answers) {
    const checked = checkOutput(name, json);
    if (checked.fits) continue;
    const [first] = checked.problems;
    const where = plainText(first?.path || 'the answer', 200, true);
    const what = `${new URL(workspace.baseUrl).origin} answered ${name} with unexpected JSON: ${where} ${plainText(first?.message ?? '', 300, true)}`;
    const hint =
      'Check the address and slug with `fn whoami`. If this is your workspace, it uses another version of the API: update fn.';
    return answers.some((answer) => changesSomething(answer.name))
      ? new UnknownOutcomeError('outcome_unknown', `It may or may not have been carried out: ${what}`, { hint })
      : new UnreachableError('not_a_workspace', what, { hint });
  }
  return undefined;
}
