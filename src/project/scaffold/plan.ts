import type { FunctionType } from '../../contract/index.ts';
import { functionTypes } from '../../contract/index.ts';
import { ProjectError } from '../../std/index.ts';
import { appNameProblem, functionNameProblem, tidyName } from '../names.ts';
import {
  agentTemplate,
  appTemplate,
  flowTemplate,
  functionTemplates,
  type Language,
  modulesTemplate,
  type TemplateFile,
} from './templates.ts';

/** What to create. */
export interface ScaffoldRequest {
  /** Absolute; it need not exist. */
  readonly root: string;
  readonly app: string;
  /** Whether to create the app around the function, too. */
  readonly newApp: boolean;
  readonly function: { readonly type: FunctionType; readonly name: string };
  readonly language: Language;
  /** Whether Node treats a `.js` file there as CommonJS. The created files are ES modules and say so. */
  readonly commonJs: boolean;
  /** The name by which models call an AI Tool; default: after the function. No two tools of an app may share one. */
  readonly tool?: string;
  /** Whether the app gets a lockfile of npm: not where another package manager's is, or one above. */
  readonly lockfile?: boolean;
}

export interface PlannedFile {
  /** Path relative to the root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly role: string;
  /** Whether an existing file stays as it is. */
  readonly shared: boolean;
}

export interface ScaffoldPlan {
  readonly root: string;
  readonly app: string;
  readonly newApp: boolean;
  /** The created functions. */
  readonly functions: readonly { readonly name: string; readonly type: FunctionType; readonly file: string }[];
  /** The created AI agent or flow. */
  readonly config?: { readonly type: 'agent' | 'flow'; readonly name: string };
  /** Files in the order of writing: `fn.config.json` is last, so that an incomplete app does not count as an app. */
  readonly files: readonly PlannedFile[];
}

/** Which template files a request needs. */
export function templatesOf(
  request: Pick<ScaffoldRequest, 'function' | 'language' | 'newApp' | 'commonJs' | 'lockfile'>,
): readonly TemplateFile[] {
  const files = functionTemplates[request.function.type].files(request.language);
  const own = request.commonJs ? [...files, modulesTemplate] : files;
  return request.newApp ? [...own, ...appTemplate(request.language, request.lockfile === true)] : own;
}

/**
 * Plans everything that will be written, as data; touches nothing.
 * @param texts the result of `readTemplates` for `templatesOf(request)`
 * @throws ProjectError `name_invalid`, `name_reserved`, `name_too_long`
 */
export function planScaffold(request: ScaffoldRequest, texts: ReadonlyMap<string, string>): ScaffoldPlan {
  const { app, language, newApp, root } = request;
  const { type, name } = request.function;
  const problem = functionNameProblem(name) ?? appNameProblem(app);
  if (problem !== undefined) throw new ProjectError(problem.code, problem.message, { hint: problem.hint });
  if (name.split('/').some((part) => part.startsWith('_')) || name.includes('.test'))
    throw new ProjectError(
      'name_invalid',
      `${name} would not be a function: its name starts with _ or contains .test.`,
      {
        hint: 'Choose another name.',
      },
    );
  const values = valuesOf(request);
  const files = templatesOf(request).map((file) => {
    const text = texts.get(file.from) ?? '';
    return {
      path: fill(file.to, values),
      text: file.verbatim ? text : fill(text, values),
      role: file.role,
      shared: file.shared === true,
    };
  });
  const ending = type === 'custom-view' ? `${language}x` : language;
  return {
    root,
    app,
    newApp,
    functions: [{ name, type, file: `functions/${name}.${ending}` }],
    files: configLast(files),
  };
}

/** What an AI agent or a flow needs to be created. */
export type ConfigRequest = Pick<ScaffoldRequest, 'root' | 'app' | 'newApp' | 'language' | 'commonJs' | 'lockfile'> & {
  readonly type: 'agent' | 'flow';
  readonly name: string;
};

export function configTemplates({ type, newApp, language, lockfile }: ConfigRequest): readonly TemplateFile[] {
  const own = type === 'agent' ? agentTemplate : flowTemplate;
  return newApp ? [...own, ...appTemplate(language, lockfile === true)] : own;
}

/**
 * Plans the files of an AI agent or a flow, and of the app around it if there is none.
 * @param texts the result of `readTemplates` for `configTemplates(request)`
 * @throws ProjectError `name_invalid`, `name_reserved`, `name_too_long`
 */
export function planConfig(request: ConfigRequest, texts: ReadonlyMap<string, string>): ScaffoldPlan {
  const { app, name, newApp, root, type } = request;
  const problem = appNameProblem(name) ?? appNameProblem(app);
  if (problem !== undefined) throw new ProjectError(problem.code, problem.message, { hint: problem.hint });
  const values = valuesOf({ ...request, function: { type: 'server-side-method', name } });
  const files = configTemplates(request).map((file) => {
    const text = texts.get(file.from) ?? '';
    return {
      path: fill(file.to, { ...values, moduleEnding: request.commonJs ? 'mjs' : 'js' }),
      text: file.verbatim ? text : fill(text, values),
      role: file.role,
      shared: file.shared === true,
    };
  });
  return { root, app, newApp, functions: [], config: { type, name }, files: configLast(files) };
}

/** The files of an agent's server, for a harness of the kind custom. */
export const serverTemplates: readonly TemplateFile[] = [
  ['server.js', 'the server: signatures and AG-UI'],
  ['agent.js', 'what it decides'],
  ['server.test.js', 'a passing test'],
  ['package.json', 'its package'],
].map(([name = '', role = '']) => ({ from: `harness/custom/${name}`, to: name, role }));

/**
 * Plans a folder with an agent's server.
 * @param texts the result of `readTemplates` for `serverTemplates`
 * @throws ProjectError `name_invalid`, `name_reserved`, `name_too_long`
 */
export function planServer(
  { root, name }: { readonly root: string; readonly name: string },
  texts: ReadonlyMap<string, string>,
): ScaffoldPlan {
  const problem = appNameProblem(name);
  if (problem !== undefined) throw new ProjectError(problem.code, problem.message, { hint: problem.hint });
  const files = serverTemplates.map(({ from, to, role }) => {
    return { path: to, text: (texts.get(from) ?? '').replace('{{name}}', name), role, shared: false };
  });
  return { root, app: name, newApp: false, functions: [], files };
}

/** Plans a whole app from the files of an example. */
export function planExample(
  request: Pick<ScaffoldRequest, 'root' | 'app' | 'lockfile'>,
  texts: ReadonlyMap<string, string>,
): ScaffoldPlan {
  const problem = appNameProblem(request.app);
  if (problem !== undefined) throw new ProjectError(problem.code, problem.message, { hint: problem.hint });
  const files = [...texts]
    .filter(([path]) => request.lockfile || path !== 'package-lock.json')
    .map(([path, text]) => ({ path, text, role: 'example', shared: false }));
  return { root: request.root, app: request.app, newApp: true, functions: [], files: configLast(files) };
}

/**
 * Completes a function name given by a person. A name without a folder goes into the usual folder of its type: `refund` → `tools/refund`.
 */
export function functionNameFor(type: FunctionType, given: string): string {
  const name = given.replace(/^(?:\.\/)?functions\//, '').replace(/\.(?:js|mjs|jsx|ts|mts|tsx)$/, '');
  const { folder } = functionTypes[type];
  return folder === '' || name.includes('/') || name === '' ? name : `${folder}/${name}`;
}

/**
 * Derives the name by which models call a tool from the function's: `tools/refund` → `refund`, `orders/refund` → `orders_refund`.
 * @param taken names of other tools of the app
 */
export function toolNameFor(functionName: string, taken: ReadonlySet<string> = new Set()): string {
  const words = functionName
    .replace(/^tools\//, '')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  const wanted = words.slice(-64).replace(/^_/, '') || 'tool';
  for (let count = 2, name = wanted; ; count++) {
    if (!taken.has(name)) return name;
    name = `${wanted.slice(0, 60)}_${count}`;
  }
}

/** Derives an app's name from its folder's name. */
export function appNameFor(folderName: string): string {
  const tidy = tidyName(folderName)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63);
  return tidy !== '' && appNameProblem(tidy) === undefined ? tidy : 'my-app';
}

function configLast(files: readonly PlannedFile[]): PlannedFile[] {
  const last = (file: PlannedFile) => file.path === 'fn.config.json';
  return [...files.filter((file) => !last(file)), ...files.filter(last)];
}

function valuesOf({ app, language, commonJs, tool, function: { name } }: ScaffoldRequest): Record<string, string> {
  const parts = name.split('/');
  const last = parts.at(-1) ?? name;
  const up = '../'.repeat(parts.length);
  const words = last.replace(/[-_.]+/g, ' ').trim();
  return {
    app,
    name,
    last,
    ending: language,
    moduleEnding: commonJs ? `m${language}` : language,
    folder: parts
      .slice(0, -1)
      .map((part) => `${part}/`)
      .join(''),
    title: words.charAt(0).toUpperCase() + words.slice(1),
    tool: tool ?? toolNameFor(name),
    /** Path from a test to the app's root. */
    up,
    /** Path from a test to its input. */
    fixture: `${up}fixtures/${name}/default.json`,
    /** Path from the function to `functions/`. */
    root: parts.length === 1 ? './' : '../'.repeat(parts.length - 1),
  };
}

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, key: string) => values[key] ?? whole);
}
