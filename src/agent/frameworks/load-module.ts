import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { codeOf, isRecord, messageOf, shortened } from '../../std/index.ts';
import { RunFailure } from '../run-error.ts';
import type { HarnessConfig } from '../types.ts';

/** What a module of the app exports as its agent. */
export interface LoadedModule {
  /** The file as the harness names it. */
  readonly file: string;
  readonly agent: unknown;
}

/**
 * Loads the module of a harness from its app: the export `default`, or `agent`. It runs outside the sandbox, so the folder must be trusted.
 * A file that was changed is loaded anew; what it imports is not.
 * @throws RunFailure `harness_module_…`, `harness_package_missing`, `folder_not_trusted`
 */
export async function loadModule({ name, module: file, packages }: HarnessConfig): Promise<LoadedModule> {
  if (file === undefined) {
    throw new RunFailure('harness_module_missing', `The harness ${name} names no module`, {
      hint: `Name the file of the app that exports the agent: fn harness update ${name} --module agents/bot.js`,
    });
  }
  if (packages === undefined) {
    throw new RunFailure('harness_module_missing', `The harness ${name} needs ${file}, and there is no app here`, {
      hint: 'Use this harness in the folder of the app that has the module.',
    });
  }
  const { folder, trusted } = packages;
  const path = pathIn(folder, file);
  if (!trusted) throw new RunFailure('folder_not_trusted', `${file} in ${folder} would run outside the sandbox`);
  const url = pathToFileURL(path);
  url.searchParams.set('changed', String(statSync(path).mtimeMs));
  let exported: unknown;
  try {
    exported = await import(url.href);
  } catch (error) {
    throw toFailure(error, file, folder);
  }
  if (isRecord(exported)) {
    for (const agent of [exported['default'], exported['agent']]) {
      // A CommonJS module arrives as the default export.
      if (isRecord(agent) && agent['agent'] !== undefined && Object.keys(agent).length === 1)
        return { file, agent: agent['agent'] };
      if (agent !== undefined) return { file, agent };
    }
  }
  throw new RunFailure('harness_agent_unsupported', `${file} exports neither default nor agent`);
}

/** @returns the real path of a file below the app's folder @throws RunFailure `harness_module_missing` */
function pathIn(folder: string, file: string): string {
  try {
    const root = realpathSync(folder);
    const path = realpathSync(join(root, file));
    const below = relative(root, path);
    const isBelow = below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
    if (isBelow && !isAbsolute(file) && statSync(path).isFile()) return path;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
  }
  throw new RunFailure('harness_module_missing', `There is no file ${file} in ${folder}`);
}

function toFailure(error: unknown, file: string, folder: string): RunFailure {
  const message = messageOf(error);
  const missing = /Cannot find (?:package|module) '([^'./][^']*)'/.exec(message)?.[1];
  if (missing !== undefined) {
    const name = missing
      .split('/')
      .slice(0, missing.startsWith('@') ? 2 : 1)
      .join('/');
    return new RunFailure('harness_package_missing', `${file} needs the package ${name}`, {
      hint: `In ${folder}: npm install ${name}`,
      cause: error,
    });
  }
  return new RunFailure('harness_module_broken', `${file} cannot be loaded: ${shortened(message, 300)}`, {
    cause: error,
  });
}
