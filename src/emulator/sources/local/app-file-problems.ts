import type { FunctionConfig } from '../../../contract/function-config/index.ts';
import type { Flow } from '../../../contract/shapes/index.ts';
import { placeInJson } from '../../../project/index.ts';
import { type FnError, nearest, ProjectError } from '../../../std/index.ts';
import type { FunctionSource, SourceFile } from '../function-source.ts';

/** A file of an app beside its functions, and what is wrong with it. */
export interface BrokenAppFile {
  /** Below the app's root: `agents/nora.json`. */
  readonly name: string;
  readonly error: FnError;
}

/** A function of the app; without its config if it does not build. */
interface KnownFunction {
  readonly name: string;
  readonly config?: FunctionConfig;
}

/**
 * What is wrong with the AI agents and flows of an app, as far as its folder tells. A name that the app does not have may belong to the
 * workspace or to another app; it is taken for a mistake only if the app has one that is written nearly alike.
 * @param functions undefined: what files name of them is not checked
 */
export async function appFileProblems(
  source: Pick<FunctionSource, 'app' | 'appFiles'>,
  functions?: readonly KnownFunction[],
): Promise<BrokenAppFile[]> {
  const agents = (await source.appFiles?.('ai-agent')) ?? [];
  const flows = (await source.appFiles?.('flow')) ?? [];
  const tools = functions?.flatMap(({ config }) => (config?.type === 'ai-tool' ? [config.name] : []));
  const own = { app: source.app, functions, tools: tools ?? [], agents: agents.map(({ name }) => name) };
  const found = await Promise.all([
    ...agents.map((file) => problemsOf(file, ({ tools: named = [] }) => misspeltTools(named, 'tools', own.tools))),
    ...flows.map((file) => problemsOf(file, (flow) => flowProblems(flow, own))),
  ]);
  return found.flat();
}

interface PlacedProblem {
  readonly path: string;
  readonly message: string;
}

async function problemsOf<K extends 'ai-agent' | 'flow'>(
  file: SourceFile<K>,
  check: (config: NonNullable<SourceFile<K>['config']>) => readonly PlacedProblem[] | Promise<readonly PlacedProblem[]>,
): Promise<BrokenAppFile[]> {
  const { path: name, config, problem } = file;
  if (problem !== undefined) return [{ name, error: problem }];
  const problems = config === undefined ? [] : await check(config);
  const text = problems.length === 0 ? undefined : await file.text(name);
  return problems.map(({ path, message }) => {
    const location = { file: name, ...(text !== undefined && placeInJson(text, path)) };
    const error = new ProjectError('app_file_invalid', `${name}: ${path} ${message}`, {
      hint: 'Correct it and save.',
      location,
    });
    return { name, error };
  });
}

function misspeltTools(named: readonly string[], at: string, tools: readonly string[]): PlacedProblem[] {
  return named.flatMap((name, index) => {
    const meant = misspelt(name, tools);
    return meant === undefined
      ? []
      : [{ path: `${at}[${index}]`, message: `names the AI Tool ${name}; did you mean ${meant}?` }];
  });
}

/** The one of the app's own names that is meant by one that it does not have. */
const misspelt = (name: string, own: readonly string[]): string | undefined =>
  own.includes(name) ? undefined : nearest(name, own);

interface OwnNames {
  readonly app: string;
  readonly functions: readonly KnownFunction[] | undefined;
  readonly tools: readonly string[];
  readonly agents: readonly string[];
}

async function flowProblems(flow: Flow, own: OwnNames): Promise<readonly PlacedProblem[]> {
  const { checkFlow } = await import('../../../flow/index.ts');
  const checked = checkFlow(flow, surroundingsOf(flow, own));
  return checked.fits ? [] : checked.problems;
}

/** What a flow may name: what the app has, and whatever another app may have. */
function surroundingsOf({ nodes }: Flow, { app, functions, tools, agents }: OwnNames) {
  const all = Object.values(nodes);
  const elsewhere = (names: readonly string[], own: readonly string[]) =>
    names.filter((name) => misspelt(name, own) === undefined);
  const named = all.flatMap((node) => (node.type === 'ai-agent' && node.agent !== undefined ? [node.agent] : []));
  const used = all.flatMap((node) => (node.type === 'ai' || node.type === 'ai-agent' ? (node.tools ?? []) : []));
  const ownAgents = [...agents, ...agents.map((name) => `${app}/${name}`)];
  const made = { agents: [...ownAgents, ...elsewhere(named, ownAgents)] };
  if (functions === undefined) return made;
  const names = functions.map(({ name }) => name);
  const folders = new Set(names.map((name) => name.split('/')[0]));
  const called = all.flatMap((node) => (node.type === 'custom-flow-node' ? [node.function] : []));
  const foreign = elsewhere(called, names).filter((name) => !names.includes(name) && !folders.has(name.split('/')[0]));
  const nodeFunctions = functions.flatMap(({ name, config }) => {
    if (config === undefined) return [{ name }];
    return config.type === 'custom-flow-node' ? [{ name, outcomes: config.outcomes }] : [];
  });
  return {
    ...made,
    tools: [...tools, ...elsewhere(used, tools)],
    functions: [...nodeFunctions, ...foreign.map((name) => ({ name }))],
    otherFunctions: functions.flatMap(({ name, config }) =>
      config === undefined || config.type === 'custom-flow-node' ? [] : [name],
    ),
  };
}
