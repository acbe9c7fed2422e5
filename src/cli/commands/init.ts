import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type FunctionType, functionTypeNames, functionTypeOf, functionTypes } from '../../contract/index.ts';
import {
  applyScaffold,
  appNameFor,
  appNameProblem,
  type ConfigRequest,
  configTemplates,
  findProject,
  functionNameFor,
  functionNameProblem,
  functionTemplates,
  isCommonJs,
  type Language,
  listExamples,
  listFunctionFiles,
  type Project,
  planConfig,
  planExample,
  planScaffold,
  readExample,
  readTemplates,
  type ScaffoldPlan,
  type ScaffoldResult,
  templatesOf,
  toolNameFor,
  writeEditorFiles,
} from '../../project/index.ts';
import { forPackageManager, lockfiles, nearest, UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { roomOn, table } from '../terminal/table.ts';

const shortNames = functionTypeNames.map((type) => functionTypes[type].short);

export const command = defineCommand({
  description: `Creates a function of one of the six types: the function itself, a sample input, and a passing test. If there is no app yet, it creates one. The function is a sample to start from; it only reads, and no model may call a new tool yet. With --type agent it creates an AI agent instead, with instructions, a scripted model and a test.

NAME is the function's path below functions/. Without a folder, it goes into the default folder of its type: "refund" of type ai-tool becomes functions/tools/refund.js.

It asks only for what you did not specify, and nothing at all with --yes or without a terminal. It overwrites existing files only with --force.`,
  arguments: { name: { summary: 'Name of the function, such as refund or api/orders/find', optional: true } },
  options: {
    type: {
      flag: '-t, --type <type>',
      summary: `Type of the function: ${functionTypeNames.join(', ')} (or ${shortNames.join(', ')}); or agent, for an AI agent, or flow`,
    },
    ts: { flag: '--ts', summary: 'TypeScript instead of JavaScript, as for a NAME that ends in .ts' },
    app: { flag: '-C, --app <dir>', summary: 'App folder, created if necessary; default: this one' },
    yes: { flag: '-y, --yes', summary: 'Accept the defaults without asking' },
    force: { flag: '--force', summary: 'Overwrite existing files' },
    list: { flag: '--list', summary: 'List the six types and exit' },
    example: { flag: '--example <name>', summary: 'Create a complete example app instead: order-desk' },
  },
  examples: [
    { line: 'fn init', does: 'asks for type and name' },
    {
      line: 'fn init find-customer --type ai-tool --yes',
      does: 'creates functions/tools/find-customer.js',
      runs: true,
    },
    { line: 'fn init api/orders/find --type method --ts --yes', does: 'creates a method in TypeScript', runs: true },
    { line: 'fn init nora --type agent --yes', does: 'creates an AI agent that works without a key', runs: true },
    { line: 'fn init support --type flow --yes', does: 'creates a flow that answers customers', runs: true },
    { line: 'fn init --example order-desk --app order-desk', does: 'creates an app with all six types' },
    { line: 'fn init --list', does: 'shows the six types', runs: true },
  ],
  json: '{app, root, created, files: [{path, written}], functions: [{name, type, file}], next: [commands]}; with --list {items: [{type, short, title, name, does}]}.',
  see: ['getting-started', 'functions'],
  complete: {
    type: async () =>
      functionTypeNames.flatMap((type) => {
        const { title, short } = functionTypes[type];
        return [
          { text: type, about: title },
          { text: short, about: title },
        ];
      }),
    example: async () => listExamples(),
  },
  async run(context, args) {
    if (args.list) return list(context);
    const root = resolve(context.cwd, args.app ?? '.');
    // A named folder that does not exist becomes a new app, even inside another one.
    const project = args.app !== undefined && !existsSync(root) ? undefined : await findProject(root);
    if (project === undefined && args.app === undefined) refuseCrowded(root);
    if (args.example !== undefined) return makeExample(context, args.example, root, project, args.force);

    if (args.type === 'agent' || args.type === 'flow')
      return makeConfig(context, { ...args, type: args.type, root, project });

    const type = await typeFor(context, args.type, args.yes);
    if (type === 'custom-app-setup' && project !== undefined && !args.force) await refuseSecondSetup(project);
    const isFree = (wanted: string) => args.force || project === undefined || !isTaken(project, wanted);
    const asked = await nameFor(context, args.name, type, args.yes, isFree);
    const name = functionNameFor(type, asked);
    const language = await languageFor(context, args.ts ? 'ts' : languageOf(asked), args.yes, project);
    const folder = project?.root ?? root;
    // A new app gets its own package.json, unless there is one.
    const hasManifest = project !== undefined || existsSync(join(folder, 'package.json'));
    const request = {
      root: folder,
      app: project?.app ?? appNameFor(basename(root)),
      newApp: project === undefined,
      function: { type, name },
      language,
      commonJs: hasManifest && isCommonJs(folder),
      lockfile: !hasManifest && lockedFolder(folder) === undefined,
      ...(type === 'ai-tool' && project !== undefined && { tool: toolNameFor(name, await toolsBeside(project, name)) }),
    };
    const plan = planScaffold(request, readTemplates(templatesOf(request)));
    return made(context, plan, args.force);
  },
});

function list({ io }: Context): undefined {
  const items = Object.entries(functionTemplates).map(([wire, template]) => {
    const type = wire as FunctionType;
    const { short, title } = functionTypes[type];
    return { type, short, title, name: template.usualName, does: template.does };
  });
  io.result({ items }, () =>
    table(
      items.map(({ type, title, does }) => [type, title, does]),
      (cell, column) => (column === 0 ? io.style.bold(cell) : column === 2 ? io.style.dim(cell) : cell),
      roomOn(io, [2]),
    ),
  );
}

async function typeFor(context: Context, given: string | undefined, yes: boolean): Promise<FunctionType> {
  if (given === undefined) {
    if (yes) return 'server-side-method';
    return context.ask.choose({
      message: 'Which type of function?',
      flag: '--type <type>',
      choices: Object.entries(functionTemplates).map(([type, { does }]) => ({
        value: type as FunctionType,
        name: functionTypes[type as FunctionType].title,
        description: does,
      })),
    });
  }
  const type = functionTypeOf(given);
  if (type !== undefined) return type;
  const meant = nearest(given, [...functionTypeNames, ...shortNames]);
  throw new UsageError('value_unknown', `--type cannot be "${given.slice(0, 60)}"`, {
    hint: `${meant ? `Did you mean ${meant}? ` : ''}It is one of: ${functionTypeNames.join(', ')}. See: fn init --list`,
  });
}

/** As other tools take it: where to make something. */
const namesFolder = /^(?:\.{1,2}[/\\]?$|\.[/\\](?!functions[/\\])|[/~]|[A-Za-z]:[/\\])/;

/** @returns the name as it was given, perhaps with the ending of a file */
async function nameFor(
  context: Context,
  given: string | undefined,
  type: FunctionType,
  yes: boolean,
  isFree: (name: string) => boolean,
): Promise<string> {
  const { usualName } = functionTemplates[type];
  if (given !== undefined && namesFolder.test(given)) {
    throw new UsageError('name_invalid', `NAME is the name of a function, but "${given.slice(0, 60)}" is a folder`, {
      hint: `To create the app in that folder, use -C: fn init ${usualName} -C ${given.slice(0, 60)}`,
    });
  }
  if (given !== undefined) return given;
  if (yes) return usualName;
  const answer = await context.ask.text({
    message: 'What is it called?',
    flag: 'NAME',
    default: usualName,
    check: (value) => {
      const name = functionNameFor(type, value.trim());
      const problem = functionNameProblem(name);
      if (problem !== undefined) return `${problem.message}. ${problem.hint}`;
      return isFree(name) || `There is a function ${name} already. Choose another name.`;
    },
  });
  return answer.trim();
}

/** An app can have one only. Its config is looked for in the text: to build every function would take too long here. */
async function refuseSecondSetup(project: Project): Promise<void> {
  const isSetup = /^(?![ \t]*(?:\/\/|\*)).*\btype:\s*(['"`])custom-app-setup\1/m;
  const first = (await listFunctionFiles(project)).find(({ file }) => isSetup.test(readFileSync(file, 'utf8')));
  if (first === undefined) return;
  throw new UsageError('setup_twice', `This app has a Custom App Setup already: ${first.relative}`, {
    hint: 'An app can have only one. Add to that one what has to be set up.',
  });
}

/** The names of the app's other tools. As above, they are looked for in the text. */
async function toolsBeside(project: Project, name: string): Promise<ReadonlySet<string>> {
  const others = (await listFunctionFiles(project)).filter((file) => file.name !== name);
  const texts = others.map(({ file }) => readFileSync(file, 'utf8')).filter((text) => text.includes('ai-tool'));
  return new Set(
    texts.flatMap((text) => Array.from(text.matchAll(/\bname:\s*(['"`])([\w-]+)\1/g), ([, , found = '']) => found)),
  );
}

function isTaken(project: Project, name: string): boolean {
  const endings = ['js', 'mjs', 'jsx', 'ts', 'mts', 'tsx'];
  return endings.some((ending) => existsSync(join(project.root, 'functions', `${name}.${ending}`)));
}

/** The language that the ending of a name stands for. */
function languageOf(name: string): Language | undefined {
  const [, ending] = /\.m?([jt]s)x?$/.exec(name) ?? [];
  return ending as Language | undefined;
}

/** The one that was named, or that of the app that is there; a new one is asked for, and is JavaScript where nobody can be asked. */
async function languageFor(
  { ask }: Context,
  named: Language | undefined,
  yes: boolean,
  project: Project | undefined,
): Promise<Language> {
  if (named !== undefined) return named;
  if (project !== undefined) return existsSync(join(project.root, 'tsconfig.json')) ? 'ts' : 'js';
  if (yes || !ask.possible) return 'js';
  return ask.choose<Language>({
    message: 'In which language?',
    flag: '--ts',
    choices: [
      {
        value: 'js',
        name: 'JavaScript',
        description: 'With types in comments: the editor completes, nothing is compiled',
      },
      { value: 'ts', name: 'TypeScript' },
    ],
  });
}

/** What may lie in a folder that an app is made in without being named: what a new repository begins with. */
const usualInNewFolders =
  /^(?:\..*|package\.json|pnpm-workspace\.yaml|bunfig\.toml|node_modules|readme(?:\..*)?|licen[cs]e(?:\..*)?)$/i;

function refuseCrowded(folder: string): void {
  const there = existsSync(folder) ? readdirSync(folder) : [];
  const other = there.find((name) => !usualInNewFolders.test(name) && !lockfiles.includes(name));
  if (other === undefined) return;
  throw new UsageError('folder_not_empty', `There is no app here, and the folder is not empty (${other})`, {
    hint: 'Choose a folder for the app: --app order-desk. To use this one: --app .',
  });
}

function makeExample(
  context: Context,
  name: string,
  root: string,
  project: Project | undefined,
  force: boolean,
): undefined {
  const known = listExamples();
  if (!known.includes(name)) {
    const meant = nearest(name, known);
    throw new UsageError('value_unknown', `There is no example "${name.slice(0, 60)}"`, {
      hint: meant ? `Did you mean ${meant}?` : `The examples are: ${known.join(', ')}.`,
    });
  }
  if (project !== undefined && !force)
    throw new UsageError('app_exists', `There is an app here already: ${project.app} in ${project.root}`, {
      hint: 'Choose another folder: --app my-order-desk.',
    });
  const app = appNameProblem(name) === undefined ? name : appNameFor(basename(root));
  // Below a lockfile, or beside another package manager's, packages are installed there, and npm's would cut the app off from them.
  const lockfile = lockedFolder(root, (name) => name !== 'package-lock.json') === undefined;
  const request = { root, app, lockfile };
  const plan = planExample(request, readExample(name));
  return made(context, plan, force);
}

/** The nearest folder with a lockfile, in this repository. @param counts whether a lockfile in `root` itself does */
function lockedFolder(root: string, counts: (lockfile: string) => boolean = () => true): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    const names = folder === root ? lockfiles.filter(counts) : lockfiles;
    if (names.some((name) => existsSync(join(folder, name)))) return folder;
    if (existsSync(join(folder, '.git')) || folder === dirname(folder)) return undefined;
  }
}

interface ConfigWishes {
  readonly type: 'agent' | 'flow';
  readonly name: string | undefined;
  readonly root: string;
  readonly project: Project | undefined;
  readonly ts: boolean;
  readonly yes: boolean;
  readonly force: boolean;
}

/** An AI agent, with its instructions, a script of its model and a test; or a flow, with an agent that answers in it and a test. */
async function makeConfig(context: Context, wishes: ConfigWishes): Promise<undefined> {
  const { type, name, root, project, ts, yes, force } = wishes;
  const usualName = type === 'agent' ? 'nora' : 'support';
  const ask = () => context.ask.text({ message: 'What is it called?', flag: 'NAME', default: usualName });
  const asked = name ?? (yes ? usualName : (await ask()).trim());
  const folder = project?.root ?? root;
  const hasManifest = project !== undefined || existsSync(join(folder, 'package.json'));
  const request: ConfigRequest = {
    type,
    root: folder,
    app: project?.app ?? appNameFor(basename(root)),
    newApp: project === undefined,
    name: asked.replace(/^(?:\.\/)?(?:agents|flows)\//, '').replace(/\.json$/, ''),
    language: ts ? 'ts' : 'js',
    commonJs: hasManifest && isCommonJs(folder),
    lockfile: !hasManifest && lockedFolder(folder) === undefined,
  };
  return made(context, planConfig(request, readTemplates(configTemplates(request))), force);
}

function made(context: Context, plan: ScaffoldPlan, force: boolean): undefined {
  const result = applyScaffold(plan, { force });
  writeEditorFiles({ stateDir: join(plan.root, '.fn') });
  return report(context, plan, result);
}

function report({ io, cwd }: Context, plan: ScaffoldPlan, { written, kept }: ScaffoldResult): undefined {
  const where = relative(cwd, plan.root);
  const [made] = plan.functions;
  const packages = plan.newApp && made === undefined && plan.config === undefined;
  const install = packages ? 'npm install' : kept.includes('package.json') ? whatLacks(plan) : undefined;
  const [first = 'fn dev', ...others] = [
    ...(install === undefined ? [] : [forPackageManager(install, lockedFolder(plan.root) ?? plan.root)]),
    'fn dev',
    ...(plan.config?.type === 'agent'
      ? [`fn agent-run create --agent ${plan.config.name} --input 'Where is A-1017?' --wait`]
      : []),
    ...(plan.config?.type === 'flow' ? ["fn chat --send 'Where is A-1017?' --wait", 'fn chat', 'fn test'] : []),
    ...(made === undefined ? [] : [functionTemplates[made.type].invocable ? `fn invoke ${made.name}` : 'fn test']),
  ];
  const next = [where === '' || where.startsWith('..') ? first : `cd ${quoted(where)} && ${first}`, ...others];
  const value = {
    app: plan.app,
    root: plan.root,
    created: plan.newApp,
    files: [
      ...written.map((path) => ({ path, written: true })),
      ...kept.map((path) => ({ path, written: false })),
    ].sort((a, b) => (a.path < b.path ? -1 : 1)),
    functions: plan.functions,
    next,
  };
  io.result(value, () => {
    const { bold, cyan, dim, green } = io.style;
    const roleOf = new Map(plan.files.map(({ path, role }) => [path, role]));
    const title = plan.newApp ? `Created the app ${bold(plan.app)}` : `Added to the app ${bold(plan.app)}`;
    const type = made && functionTypes[made.type].title;
    const rows = plan.files
      .filter(({ path }) => written.includes(path))
      .map(({ path, role }) => [`  ${path}`, path === made?.file && type ? type : role]);
    const files = packages
      ? `  ${written.length} files`
      : table(rows, (cell, column) => (column === 1 ? dim(cell) : cell), roomOn(io, [1]));
    const stayed = kept.map((path) => dim(`  ${path} stays as it is (${roleOf.get(path)})`));
    return [
      `${green('✔')} ${title}${where === '' ? '' : ` in ${where}`}`,
      '',
      files,
      ...stayed,
      '',
      'Next:',
      ...next.map((line) => `  ${cyan(line)}`),
    ].join('\n');
  });
}

/** A package.json that was there already knows nothing of what the editor takes types from. */
function whatLacks({ root, files }: ScaffoldPlan): string | undefined {
  const manifest = readFileSync(join(root, 'package.json'), 'utf8');
  const compiler = files.some(({ path }) => path === 'tsconfig.json') ? ['typescript'] : [];
  const lacking = ['@types/node', ...compiler].filter((name) => !manifest.includes(`"${name}"`));
  return lacking.length === 0 ? undefined : `npm install --save-dev ${lacking.join(' ')}`;
}

function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
