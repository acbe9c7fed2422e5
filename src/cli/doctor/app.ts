import { existsSync } from 'node:fs';
import { access, constants, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  AppFileReader,
  areEditorFilesCurrent,
  configFile,
  hintOfAppsBelow,
  listFunctionFiles,
  type Project,
  readSeed,
  standingOf,
} from '../../project/index.ts';
import { FnError, forPackageManager, messageOf } from '../../std/index.ts';
import type { Context } from '../context.ts';
import type { Found } from './findings.ts';

export async function appConfig(context: Context): Promise<Found> {
  const project = await context.project();
  if (project === undefined) {
    return {
      state: 'warning',
      message: `there is no ${configFile} in ${context.cwd} or above it`,
      hint: (await hintOfAppsBelow(context.cwd, context.startedIn)) ?? 'Create an app: fn init',
    };
  }
  return { state: 'ok', message: `${project.app} in ${project.root}` };
}

export async function appFunctions(context: Context): Promise<Found | undefined> {
  const project = await context.project();
  if (project === undefined) return undefined;
  const files = await listFunctionFiles(project);
  if (files.length === 0)
    return { state: 'warning', message: 'there are no functions yet', hint: 'Create one: fn init' };
  return {
    state: 'ok',
    message: `${files.length} ${files.length === 1 ? 'function' : 'functions'}; to check that they build: fn build`,
  };
}

/** Checks AI agents and flows, as far as that needs no function to be built. */
export async function appFiles(context: Context): Promise<Found | undefined> {
  const project = await context.project();
  if (project === undefined) return undefined;
  const reader = new AppFileReader();
  const [agents, flows] = await Promise.all([reader.list(project, 'ai-agent'), reader.list(project, 'flow')]);
  const count = agents.length + flows.length;
  if (count === 0) return undefined;
  const { appFileProblems } = await import('../../emulator/index.ts');
  const [first, ...others] = await appFileProblems({
    app: project.app,
    appFiles: async (kind) => {
      const files = await reader.list(project, kind);
      return files.map(({ texts, ...file }) => ({ ...file, text: async (path) => texts.get(path) }));
    },
  });
  if (first === undefined)
    return {
      state: 'ok',
      message: `${count === 1 ? 'one AI agent or flow is' : `${count} AI agents and flows are`} valid`,
    };
  const { message, location, hint } = first.error;
  const line = location?.line === undefined ? '' : ` (line ${location.line})`;
  const more = others.length === 0 ? '' : `, and ${others.length} more: fn build`;
  return { state: 'wrong', message: `${message}${line}${more}`, hint };
}

/** Checks that an editor finds `convo-fn` and Node's types: in `.fn`, by what the config names, or as installed packages. */
export async function editorTypes(context: Context): Promise<Found | undefined> {
  const project = await context.project();
  if (project === undefined) return undefined;
  const { root } = project;
  const config = ['tsconfig.json', 'jsconfig.json'].find((name) => existsSync(join(root, name)));
  if (config === undefined) {
    return {
      state: 'warning',
      message: 'there is neither jsconfig.json nor tsconfig.json, so editors do not know what functions receive',
      hint: 'Copy one from a new app: fn init --yes -C /tmp/new-app',
    };
  }
  const text = await configText(join(root, config));
  const isNamed = text.includes('.fn/types/');
  if (!isNamed && !isInstalled(root, 'convo-fn')) {
    return {
      state: 'warning',
      message: `${config} does not say where the types of convo-fn are, so editors do not find them`,
      hint: 'Add to its compilerOptions: "paths": {"convo-fn": ["./.fn/types/index.d.ts"], "convo-fn/testing": ["./.fn/types/testing.d.ts"]}',
    };
  }
  if (isNamed && !areEditorFilesCurrent(project)) {
    return {
      state: 'warning',
      message: 'the types of convo-fn in .fn/types are missing, or those of another version of fn',
      hint: 'Start "fn dev", or run "fn test": both write them.',
    };
  }
  if (text.includes('"node"') && !isInstalled(root, '@types/node')) {
    return {
      state: 'warning',
      message: `${config} asks for the types of Node, which are not installed`,
      hint: `Run: ${forPackageManager('npm install', root)}`,
    };
  }
  return { state: 'ok', message: `editors find the types by ${config}` };
}

/** The text of a config and of those that it extends by path. */
async function configText(file: string, depth = 0): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const [, base] = /"extends"\s*:\s*"(\.[^"]*)"/.exec(text) ?? [];
  if (base === undefined || depth > 5) return text;
  const path = join(dirname(file), base);
  return text + (await configText(path.endsWith('.json') ? path : `${path}.json`, depth + 1));
}

/** Whether it is in a `node_modules` of the folder or of one above. */
function isInstalled(folder: string, name: string): boolean {
  if (existsSync(join(folder, 'node_modules', name, 'package.json'))) return true;
  return dirname(folder) !== folder && isInstalled(dirname(folder), name);
}

export async function seedAndFixtures(context: Context): Promise<Found | undefined> {
  const project = await context.project();
  if (project === undefined) return undefined;
  const seed = await readSeed(project);
  return {
    state: 'ok',
    message: seed === undefined ? 'no seed.json; the built-in sample data is used' : 'seed.json is valid',
  };
}

/** The error with which commands fail to open the database. */
async function brokenDatabase(file: string): Promise<FnError | undefined> {
  if (!existsSync(file)) return undefined;
  const { checkDatabase } = await import('../../workspace/index.ts');
  try {
    checkDatabase(file);
    return undefined;
  } catch (error) {
    if (error instanceof FnError) return error;
    throw error;
  }
}

/** Checks `.fn`: writable, database intact, private, and not in version control. */
export async function localState(context: Context): Promise<Found | undefined> {
  const project = await context.project();
  if (project === undefined) return undefined;
  const present = await stat(project.stateDir).then(
    () => true,
    () => false,
  );
  if (standingOf(project.stateDir, context.env) === 'foreign') {
    return {
      state: 'warning',
      message: '.fn was not made by you on this machine in this folder: the next command sets it aside',
      hint: 'If it is yours: fn workspace adopt',
    };
  }
  try {
    if (present) await tryToWrite(project.stateDir);
    else await access(project.root, constants.W_OK);
  } catch (error) {
    return {
      state: 'wrong',
      message: `${project.stateDir} cannot be written: ${messageOf(error)}`,
      hint: 'The local workspace is stored there: check the permissions of the folder and the space on the disk.',
    };
  }
  const broken = await brokenDatabase(join(project.stateDir, 'workspace.db'));
  if (broken)
    return { state: 'wrong', message: broken.message, ...(broken.hint !== undefined && { hint: broken.hint }) };
  for (const name of ['local-token', 'secrets.json']) {
    const mode = await stat(join(project.stateDir, name)).then(
      (found) => found.mode,
      () => 0,
    );
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      return {
        state: 'wrong',
        message: `.fn/${name} can be read by other users`,
        hint: `chmod 600 ${join(project.stateDir, name)}`,
      };
    }
  }
  if (present && !(await isIgnored(project))) {
    return {
      state: 'warning',
      message: 'git does not ignore .fn',
      hint: 'Add a line ".fn/" to .gitignore: it holds the local token, secrets and data.',
    };
  }
  return {
    state: 'ok',
    message: present ? '.fn is writable and private' : '.fn will be created when needed',
  };
}

/** Permissions say nothing about a full disk. */
async function tryToWrite(folder: string): Promise<void> {
  const file = join(folder, `doctor-${process.pid}`);
  try {
    await writeFile(file, Buffer.alloc(4096), { flag: 'wx', mode: 0o600 });
  } finally {
    await rm(file, { force: true });
  }
}

/** Whether it is ignored by its own `.gitignore`, which `fn` creates, or by the app's, or there is no repository. */
async function isIgnored({ root, stateDir }: Project): Promise<boolean> {
  const says = (file: string, line: RegExp) =>
    readFile(file, 'utf8').then(
      (text) => line.test(text),
      () => false,
    );
  const isRepository = await stat(join(root, '.git')).then(
    () => true,
    () => false,
  );
  return (
    !isRepository ||
    (await says(join(stateDir, '.gitignore'), /^\*\s*$/m)) ||
    (await says(join(root, '.gitignore'), /^\/?\.fn\/?\s*$/m))
  );
}
