import type { FunctionType } from '../../contract/index.ts';
import { functionTypes } from '../../contract/index.ts';
import { ProjectError } from '../../std/index.ts';
import { appNameProblem, functionNameProblem, tidyName } from '../names.ts';
import { appTemplate, functionTemplates, type Language, modulesTemplate, type TemplateFile } from './templates.ts';

/** What is to be made. */
export interface ScaffoldRequest {
  /** Absolute; it need not exist. */
  readonly root: string;
  readonly app: string;
  /** Whether the app around the function is made, too. */
  readonly newApp: boolean;
  readonly function: { readonly type: FunctionType; readonly name: string };
  readonly language: Language;
  /** Whether Node takes a `.js` there for CommonJS. The files that are made are ES modules, and say so. */
  readonly commonJs: boolean;
  /** Version of this package, for the app's package.json. */
  readonly version: string;
}

export interface PlannedFile {
  /** Below the root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly role: string;
  /** One that is there stays as it is. */
  readonly shared: boolean;
}

export interface ScaffoldPlan {
  readonly root: string;
  readonly app: string;
  readonly newApp: boolean;
  /** Of the functions made. */
  readonly functions: readonly { readonly name: string; readonly type: FunctionType; readonly file: string }[];
  /** In the order in which they are put there: `fn.config.json` last, so that half an app is none. */
  readonly files: readonly PlannedFile[];
}

/** Which template files a request needs. */
export function templatesOf(
  request: Pick<ScaffoldRequest, 'function' | 'language' | 'newApp' | 'commonJs'>,
): readonly TemplateFile[] {
  const files = functionTemplates[request.function.type].files(request.language);
  const own = request.commonJs ? [...files, modulesTemplate] : files;
  return request.newApp ? [...own, ...appTemplate(request.language)] : own;
}

/**
 * Everything that will be written, as data: touches nothing.
 * @param texts what `readTemplates` gave for `templatesOf(request)`
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

/** An app that is made whole, from the files of an example. */
export function planExample(
  { version, ...request }: Pick<ScaffoldRequest, 'root' | 'app' | 'version'> & { readonly lockfile: boolean },
  texts: ReadonlyMap<string, string>,
): ScaffoldPlan {
  const problem = appNameProblem(request.app);
  if (problem !== undefined) throw new ProjectError(problem.code, problem.message, { hint: problem.hint });
  const files = [...texts]
    .filter(([path]) => request.lockfile || path !== 'package-lock.json')
    .map(([path, text]) => ({
      path,
      text: path === 'package.json' ? withOurselves(text, version) : text,
      role: 'example',
      shared: false,
    }));
  return { ...request, newApp: true, functions: [], files: configLast(files) };
}

/** The `package.json` of an example has this version of `fn`, as that of any other app: editors find the types in it. */
function withOurselves(text: string, version: string): string {
  return `${JSON.stringify({ ...JSON.parse(text), optionalDependencies: { 'convo-fn': version } }, null, 2)}\n`;
}

/**
 * The name of a function as a person gives it. One without a folder goes into the usual one of its type: `refund` → `tools/refund`.
 */
export function functionNameFor(type: FunctionType, given: string): string {
  const name = given.replace(/^(?:\.\/)?functions\//, '').replace(/\.(?:js|mjs|jsx|ts|mts|tsx)$/, '');
  const { folder } = functionTypes[type];
  return folder === '' || name.includes('/') || name === '' ? name : `${folder}/${name}`;
}

/** The name of an app in a folder: the folder's own, as an app may be called. */
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

function valuesOf({ app, language, commonJs, version, function: { name } }: ScaffoldRequest): Record<string, string> {
  const parts = name.split('/');
  const last = parts.at(-1) ?? name;
  const up = '../'.repeat(parts.length);
  const words = last.replace(/[-_.]+/g, ' ').trim();
  return {
    app,
    name,
    last,
    version,
    ending: language,
    moduleEnding: commonJs ? `m${language}` : language,
    folder: parts
      .slice(0, -1)
      .map((part) => `${part}/`)
      .join(''),
    title: words.charAt(0).toUpperCase() + words.slice(1),
    tool: last.replace(/[-.]+/g, '_').slice(0, 64),
    /** From a test to the app's root. */
    up,
    /** From a test to the input that it tries the function with. */
    fixture: `${up}fixtures/${name}/default.json`,
    /** From the function to `functions/`. */
    root: parts.length === 1 ? './' : '../'.repeat(parts.length - 1),
  };
}

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, key: string) => values[key] ?? whole);
}
