import { dirname, join, resolve } from 'node:path';
import { ProjectError } from '../std/index.ts';
import { type AppConfig, parseAppConfig } from './app-config.ts';
import { configFile } from './app-folder.ts';
import { readJsonFile } from './read-file.ts';

/** An app on disk. */
export interface Project {
  /** Absolute; the folder that holds `fn.config.json`. */
  readonly root: string;
  /** `fn.config.json`, checked. */
  readonly config: AppConfig;
  /** Name of the app. */
  readonly app: string;
  /** Its `.fn` folder: the local workspace, builds, tokens; git-ignored. It need not exist. */
  readonly stateDir: string;
}

/**
 * Finds the app around a folder by the nearest `fn.config.json`, searching upwards.
 * @throws ProjectError when that file is broken, of a future version, names no app, or is a link that leaves its folder
 */
export async function findProject(from: string): Promise<Project | undefined> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const file = join(folder, configFile);
    // A config in a parent folder is shown with its full path: a bare name would suggest the current folder.
    const shown = folder === resolve(from) ? configFile : file;
    const read = await readJsonFile(file, shown, 1024 * 1024, folder);
    if (read !== undefined) {
      const config = parseAppConfig(read.value, read.text, shown);
      return { root: folder, config, app: config.app, stateDir: join(folder, '.fn') };
    }
    if (dirname(folder) === folder) return undefined;
  }
}

/**
 * @param startedIn the folder in which the command was started, if different: hints show paths relative to it
 * @throws ProjectError `project_missing`, and those of `findProject`
 */
export async function requireProject(from: string, startedIn: string = from): Promise<Project> {
  const project = await findProject(from);
  if (project !== undefined) return project;
  const { hintOfAppsBelow } = await import('./apps-below.ts');
  throw new ProjectError('project_missing', `There is no app here: no ${configFile} in ${resolve(from)} or above it`, {
    hint: (await hintOfAppsBelow(from, startedIn)) ?? 'Create one with "fn init", or change to its folder.',
  });
}
