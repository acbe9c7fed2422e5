import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { configFile } from './app-folder.ts';

/** Bounds the search, so that the hint takes no longer in a home folder than in a repository. */
const maxFolders = 400;
const maxDepth = 4;
const maxNames = 3;

/** Finds apps below a folder, nearest first. Skips links and the folders that package managers and tools fill. */
async function appsBelow(folder: string): Promise<string[]> {
  const apps: string[] = [];
  let level = [folder];
  let searched = 0;
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    const below: string[] = [];
    for (const here of level) {
      if (searched === maxFolders) return apps;
      searched += 1;
      // Apps in an unreadable folder stay hidden: that is not what the person asked about.
      const entries = await readdir(here, { withFileTypes: true }).catch(() => []);
      if (here !== folder && entries.some((entry) => entry.name === configFile)) {
        apps.push(here);
        continue;
      }
      const folders = entries.filter((entry) => entry.isDirectory() && !/^(\.|node_modules$)/.test(entry.name));
      below.push(...folders.map((entry) => join(here, entry.name)).sort());
    }
    level = below;
  }
  return apps;
}

/**
 * Says how to name an app if there is none around a folder but some below it, as in the root of a monorepo.
 * @param startedIn the folder in which the command was started, which `-C` is resolved against
 */
export async function hintOfAppsBelow(folder: string, startedIn: string): Promise<string | undefined> {
  const apps = await appsBelow(folder);
  if (apps.length === 0) return undefined;
  const named = apps.slice(0, maxNames).map((app) => `fn -C ${asArgument(pathFrom(startedIn, app))} …`);
  const more = apps.length > maxNames ? ', and so on' : '';
  if (apps.length === 1) return `There is one below: ${named[0]}`;
  return `There are some below; name one: ${named.join(', ')}${more}`;
}

function pathFrom(folder: string, path: string): string {
  const way = relative(folder, path);
  return way.startsWith('..') ? path : way;
}

function asArgument(path: string): string {
  return /^[\w./\\:@+-]+$/.test(path) ? path : `"${path}"`;
}
