import { checkModelScriptShape, type ModelScript } from '../../contract/shapes/index.ts';
import type { FieldProblem } from '../../std/index.ts';
import { RunFailure } from '../run-error.ts';

export type { ModelScript };

type Rule = ModelScript['rules'][number];

/**
 * Checks a script as it was read from `agents/NAME.model.json`.
 * @param tools names of the tools that its agent may call; without them, tools are not checked
 * @returns the problems, each with a path (`rules[2].when.lastUser.matches`) and words that complete it to a sentence
 */
export function checkModelScript(given: unknown, tools?: readonly string[]): readonly FieldProblem[] {
  const checked = checkModelScriptShape(given);
  if (!checked.fits) return checked.problems;
  const { rules, default: fallback } = checked.value;
  return [
    ...rules.flatMap((rule, i) => problemsOfRule(rule, `rules[${i}]`, tools)),
    ...unreachableRules(rules),
    ...(fallback === undefined ? [] : problemsOfAnswer(fallback, 'default', new Set(), tools)),
  ];
}

/** @throws RunFailure `model_script_invalid` with the first problem */
export function parseModelScript(given: unknown, name: string): ModelScript {
  const checked = checkModelScriptShape(given);
  const problem = checked.fits ? checkModelScript(checked.value)[0] : checked.problems[0];
  if (checked.fits && problem === undefined) return checked.value;
  const where = problem?.path === '' ? 'it' : problem?.path;
  throw new RunFailure('model_script_invalid', `The script of script:${name}: ${where} ${problem?.message}`);
}

/** Rules behind one that always fits. */
function unreachableRules(rules: readonly Rule[]): FieldProblem[] {
  const always = rules.findIndex(({ when }) => Object.keys(when).length === 0);
  if (always === -1) return [];
  return rules.slice(always + 1).map((_, i) => ({
    path: `rules[${always + 1 + i}]`,
    message: `is never reached: rules[${always}] always fits`,
  }));
}

function problemsOfRule(rule: Rule, path: string, tools: readonly string[] | undefined): FieldProblem[] {
  const { lastUser, earlierUser, toolResults } = rule.when;
  const problems: FieldProblem[] = [];
  let groups: ReadonlySet<string> = new Set();
  if (lastUser !== undefined && Object.keys(lastUser).length === 0) {
    problems.push({ path: `${path}.when.lastUser`, message: 'needs one of equals, contains and matches' });
  }
  for (const [name, condition] of Object.entries({ lastUser, earlierUser })) {
    if (condition?.matches === undefined) continue;
    const compiled = compilePattern(condition.matches);
    if (compiled instanceof RegExp) groups = new Set([...groups, ...groupsOf(condition.matches)]);
    else problems.push({ path: `${path}.when.${name}.matches`, message: `is no regular expression: ${compiled}` });
  }
  if (typeof toolResults === 'object' && (toolResults.min ?? 0) > (toolResults.max ?? Number.POSITIVE_INFINITY)) {
    problems.push({ path: `${path}.when.toolResults`, message: 'has a min above its max: it never fits' });
  }
  return [...problems, ...problemsOfAnswer(rule, path, groups, tools)];
}

function problemsOfAnswer(
  answer: NonNullable<ModelScript['default']>,
  path: string,
  groups: ReadonlySet<string>,
  tools: readonly string[] | undefined,
): FieldProblem[] {
  const { say, call, fail } = answer;
  const problems: FieldProblem[] = [];
  if (say === undefined && call === undefined && fail === undefined) {
    problems.push({ path, message: 'needs one of say, call and fail' });
  }
  if (fail !== undefined && (say !== undefined || call !== undefined)) {
    problems.push({
      path: `${path}.fail`,
      message: 'stands alone: a model that fails neither says nor calls anything',
    });
  }
  for (const [i, { tool, args }] of (call ?? []).entries()) {
    if (tools !== undefined && !tools.includes(tool)) {
      problems.push({ path: `${path}.call[${i}].tool`, message: `names ${tool}, which is not a tool of this agent` });
    }
    for (const [name, value] of Object.entries(args ?? {})) {
      const group = typeof value === 'string' ? parseGroupArgument(value)?.groups?.['name'] : undefined;
      if (group === undefined || groups.has(group)) continue;
      problems.push({
        path: `${path}.call[${i}].args.${name}`,
        message: `names $${group}, but \`matches\` has no group (?<${group}>…); write "$$${group}" for the text itself`,
      });
    }
  }
  return problems;
}

/** @returns the expression, or why it is none */
export function compilePattern(pattern: string): RegExp | string {
  try {
    return new RegExp(pattern, 'iu');
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : String(error);
  }
}

/** An argument that stands for a named group: `$id`, or `$euros:number`. */
export function parseGroupArgument(text: string): RegExpExecArray | null {
  return /^\$(?<name>[A-Za-z_]\w*)(?<number>:number)?$/.exec(text);
}

function groupsOf(pattern: string): ReadonlySet<string> {
  return new Set([...pattern.matchAll(/\(\?<([A-Za-z_]\w*)>/g)].map(([, name = '']) => name));
}
