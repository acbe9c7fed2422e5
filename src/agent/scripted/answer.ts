import { isRecord } from '../../std/index.ts';
import { compilePattern, type ModelScript, parseGroupArgument } from './script.ts';

/** What a scripted model sees: everything since the last message of the user counts. */
export interface ScriptView {
  readonly lastUser: string;
  /** What the user wrote before, oldest first. */
  readonly earlierUser: readonly string[];
  /** Results since then, oldest first. */
  readonly results: readonly { readonly tool: string; readonly failed: boolean; readonly value: unknown }[];
}

export interface ScriptAnswer {
  readonly say: string;
  readonly calls: readonly { readonly tool: string; readonly args: Record<string, unknown> }[];
  readonly fail?: { readonly status: number; readonly message: string } | undefined;
  readonly delayMs: number;
  readonly wordDelayMs: number;
}

type Rule = ModelScript['rules'][number];
type Groups = Readonly<Record<string, string>>;

const otherwise: NonNullable<ModelScript['default']> = { say: 'I have no answer to that.' };

/** The answer of the first rule that fits, with everything filled in. */
export function answerByScript(script: ModelScript, view: ScriptView): ScriptAnswer {
  for (const rule of script.rules) {
    const groups = matchRule(rule, view);
    if (groups !== undefined) return fillIn(rule, view, groups);
  }
  return fillIn(script.default ?? otherwise, view, {});
}

/** @returns the named groups, if the rule fits */
function matchRule({ when }: Rule, { lastUser, earlierUser, results }: ScriptView): Groups | undefined {
  const { toolResults } = when;
  if (typeof toolResults === 'number' && results.length !== toolResults) return undefined;
  if (typeof toolResults === 'object') {
    if (results.length < (toolResults.min ?? 0)) return undefined;
    if (results.length > (toolResults.max ?? Number.POSITIVE_INFINITY)) return undefined;
  }
  const last = results.at(-1);
  if (when.lastTool !== undefined && last?.tool !== when.lastTool) return undefined;
  if (when.lastToolFailed !== undefined && last?.failed !== when.lastToolFailed) return undefined;
  for (const [path, value] of Object.entries(when.lastToolResult ?? {})) {
    if (last === undefined || readValue(last.value, toSteps(path)) !== value) return undefined;
  }
  const { equals, contains, matches } = when.lastUser ?? {};
  const text = lastUser.trim().toLowerCase();
  if (equals !== undefined && text !== equals.trim().toLowerCase()) return undefined;
  if (contains !== undefined && !text.includes(contains.toLowerCase())) return undefined;
  const earlier = when.earlierUser && findGroups(when.earlierUser.matches, earlierUser.toReversed());
  const groups = matches === undefined ? {} : findGroups(matches, [lastUser]);
  if (groups === undefined || (when.earlierUser !== undefined && earlier === undefined)) return undefined;
  return { ...earlier, ...groups };
}

/** The named groups in the first text that fits. */
function findGroups(matches: string, texts: readonly string[]): Groups | undefined {
  const pattern = compilePattern(matches);
  if (!(pattern instanceof RegExp)) return undefined;
  for (const text of texts) {
    const found = pattern.exec(text);
    if (found === null) continue;
    return Object.fromEntries(Object.entries(found.groups ?? {}).filter(([, value]) => value !== undefined));
  }
  return undefined;
}

function fillIn(answer: NonNullable<ModelScript['default']>, view: ScriptView, groups: Groups): ScriptAnswer {
  const { say = '', call = [], fail, delayMs = 0, wordDelayMs = 0 } = answer;
  return {
    say: say.replace(/\{\{\s*([\w.[\]-]+)\s*\}\}/g, (_, path: string) => readPath(path, view, groups)),
    calls: call.map(({ tool, args = {} }) => ({
      tool,
      args: Object.fromEntries(
        Object.entries(args)
          .map(([name, value]) => [name, fillArgument(value, groups)])
          .filter(([, value]) => value !== undefined),
      ),
    })),
    ...(fail && { fail: { status: fail.status, message: fail.message ?? `The script fails with ${fail.status}` } }),
    delayMs,
    wordDelayMs,
  };
}

/**
 * `$id` is the named group, `$id:number` the number that it is, `$$id` the text `$id`.
 * @returns undefined for a number that the user did not say: a model would leave the argument out
 */
function fillArgument(value: unknown, groups: Groups): unknown {
  if (typeof value !== 'string') return value;
  if (value.startsWith('$$')) return value.slice(1);
  const { name, number } = parseGroupArgument(value)?.groups ?? {};
  if (name === undefined) return value;
  const found = groups[name];
  if (number === undefined) return found ?? '';
  if (found === undefined) return undefined;
  const read = Number(found.replace(',', '.'));
  return Number.isNaN(read) ? found : read;
}

/** A path that leads nowhere gives an empty text, as a model would leave it out. */
function readPath(path: string, view: ScriptView, groups: Groups): string {
  const [first = '', ...rest] = toSteps(path);
  if (first === 'lastUser') return view.lastUser;
  if (first !== 'lastToolResult') return groups[first] ?? '';
  const value = readValue(view.results.at(-1)?.value, rest);
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const toSteps = (path: string): string[] => path.split(/[.[\]]+/).filter((part) => part !== '');

function readValue(from: unknown, steps: readonly string[]): unknown {
  let value = from;
  for (const step of steps) {
    if (Array.isArray(value)) value = value[Number(step)];
    else value = isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}
