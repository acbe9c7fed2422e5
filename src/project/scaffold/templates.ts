import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FunctionType } from '../../contract/index.ts';
import { packageFile } from '../../std/index.ts';

/** The language that new files are written in. */
export type Language = 'js' | 'ts';

/** One file of a template: its source, and its place in the app. */
export interface TemplateFile {
  /** Path below `templates/`. */
  readonly from: string;
  /** Path below the app's root. `{{…}}` is filled in, here and in the text. */
  readonly to: string;
  /** What it is, for the list that `fn init` prints. */
  readonly role: string;
  /** Shared by several functions: an existing file stays. */
  readonly shared?: true;
  /** Written unchanged: `{{1}}` in it is a variable of a message template. */
  readonly verbatim?: true;
}

export interface FunctionTemplate {
  /** Default name of the function. */
  readonly usualName: string;
  /** What the template's function does. */
  readonly does: string;
  /** Whether `fn invoke` runs it. A view runs in a browser. */
  readonly invocable: boolean;
  readonly files: (language: Language) => readonly TemplateFile[];
}

const files = (type: FunctionType, ending: string): TemplateFile[] => [
  {
    from: `functions/${type}/function.${ending}`,
    to: `functions/{{name}}.${ending}`,
    role: 'function',
  },
  {
    from: `functions/${type}/fixture.json`,
    to: 'fixtures/{{name}}/default.json',
    role: 'a sample input',
    verbatim: true,
  },
  { from: `functions/${type}/test.js`, to: 'test/{{name}}.test.{{moduleEnding}}', role: 'a passing test' },
];

const plain = (type: FunctionType) => (language: Language) => files(type, language);

/** The six types, in the order in which `fn init --list` shows them. */
export const functionTemplates: Readonly<Record<FunctionType, FunctionTemplate>> = {
  'server-side-method': {
    usualName: 'api/find-customer',
    does: 'An endpoint for other systems: looks up a customer and returns the open conversations',
    invocable: true,
    files: plain('server-side-method'),
  },
  'ai-tool': {
    usualName: 'tools/find-customer',
    does: 'A tool for AI agents: looks up a customer before they answer',
    invocable: true,
    files: plain('ai-tool'),
  },
  'custom-flow-node': {
    usualName: 'flow-nodes/opening-hours',
    does: 'A flow node: takes one exit while the shop is open, another while it is closed',
    invocable: true,
    files: plain('custom-flow-node'),
  },
  'custom-view': {
    usualName: 'views/customer-panel',
    does: 'A panel next to the conversation: who the customer is, what we know, the last messages',
    invocable: false,
    files: (language) => [
      ...files('custom-view', `${language}x`),
      { from: 'functions/custom-view/style.css', to: 'functions/{{folder}}{{last}}.css', role: 'its styles' },
      {
        from: `functions/custom-view/summary.${language}`,
        to: `functions/{{folder}}_{{last}}.summary.${language}`,
        role: 'its content',
      },
      {
        from: `functions/custom-view/dom.${language}`,
        to: `functions/_dom.${language}`,
        role: 'what JSX becomes',
        shared: true,
      },
    ],
  },
  'cron-job': {
    usualName: 'cron/report-idle-conversations',
    does: 'A nightly job: reports open conversations without activity for a week',
    invocable: true,
    files: plain('cron-job'),
  },
  'custom-app-setup': {
    usualName: 'setup',
    does: 'Runs when the app is installed: checks its settings and prepares what it needs',
    invocable: true,
    files: plain('custom-app-setup'),
  },
};

/** Added where a package.json makes `.js` files CommonJS. Tests use an extension of their own instead: other tests may be beside them. */
export const modulesTemplate: TemplateFile = {
  from: 'app/functions-package.json',
  to: 'functions/package.json',
  role: 'functions are ES modules',
  shared: true,
};

/** An AI agent. The script of its model is left as it is: its `{{…}}` are filled in when it answers. */
export const agentTemplate: readonly TemplateFile[] = [
  { from: 'agents/agent.json', to: 'agents/{{name}}.json', role: 'AI agent' },
  { from: 'agents/agent.md', to: 'agents/{{name}}.md', role: 'its instructions' },
  {
    from: 'agents/agent.model.json',
    to: 'agents/{{name}}.model.json',
    role: 'what a scripted model answers',
    verbatim: true,
  },
  { from: 'agents/test.js', to: 'test/agents/{{name}}.test.{{moduleEnding}}', role: 'a passing test' },
];

/** A flow, with the AI agent that answers in it. One of that name that is there stays. */
export const flowTemplate: readonly TemplateFile[] = [
  { from: 'flows/flow.json', to: 'flows/{{name}}.json', role: 'flow' },
  { from: 'flows/test.js', to: 'test/flows/{{name}}.test.{{moduleEnding}}', role: 'a passing test' },
  ...agentTemplate.filter(({ to }) => to.startsWith('agents/')).map((file) => ({ ...file, shared: true as const })),
];

/** The app around functions. `.gitignore` has no dot in the package, because npm would rename it. */
export function appTemplate(language: Language, lockfile: boolean): readonly TemplateFile[] {
  const [config, manifest, locked] =
    language === 'ts'
      ? ['tsconfig.json', 'package-ts.json', 'package-lock-ts.json']
      : ['jsconfig.json', 'package.json', 'package-lock.json'];
  const lock = {
    from: `app/${locked}`,
    to: 'package-lock.json',
    role: 'versions of the packages',
    shared: true,
  } as const;
  return [
    { from: 'app/fn.config.json', to: 'fn.config.json', role: 'the app' },
    {
      from: 'app/seed.json',
      to: 'seed.json',
      role: 'initial data of the local workspace',
      shared: true,
      verbatim: true,
    },
    { from: `app/${manifest}`, to: 'package.json', role: 'scripts and packages', shared: true },
    ...(lockfile ? [lock] : []),
    { from: `app/${config}`, to: config, role: 'editor types', shared: true, verbatim: true },
    { from: 'app/gitignore', to: '.gitignore', role: 'files that git ignores', shared: true, verbatim: true },
    { from: 'app/README.md', to: 'README.md', role: 'how to work with the app', shared: true },
  ];
}

/** The texts of template files, by `from`. */
export function readTemplates(wanted: readonly TemplateFile[]): ReadonlyMap<string, string> {
  const folder = packageFile('templates');
  // Synchronous: a dozen small files, in a command that has nothing else to do.
  return new Map(wanted.map(({ from }) => [from, readFileSync(join(folder, from), 'utf8')]));
}

/** The names of the example apps: `fn init --example order-desk`. */
export function listExamples(): readonly string[] {
  return readdirSync(packageFile('examples'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

const left = new Set(['node_modules', '.fn']);

/** Every file of an example, by its path below the app. */
export function readExample(name: string): ReadonlyMap<string, string> {
  const folder = packageFile(`examples/${name}`);
  const found = new Map<string, string>();
  const walk = (below: string): void => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (left.has(entry.name)) continue;
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile())
        found.set(path === 'gitignore' ? '.gitignore' : path, readFileSync(join(folder, path), 'utf8'));
    }
  };
  walk('');
  return found;
}
