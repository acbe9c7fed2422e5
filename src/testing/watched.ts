import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LocalOptions } from '../emulator/index.ts';
import { listFunctionFiles, type Project } from '../project/index.ts';

type OnEvent = NonNullable<LocalOptions['onEvent']>;

/**
 * `node --test --watch` runs a test file again when a file changes that its process imported. No test imports a function: what a
 * workspace is made of is told to the runner in the way in which Node's own loader tells it of imports.
 * @returns hears of what functions were built from; undefined where nobody watches
 */
export async function toldToWatcher(project: Project): Promise<OnEvent | undefined> {
  if (!process.env['WATCH_REPORT_DEPENDENCIES'] || !process.send) return undefined;
  const functions = await listFunctionFiles(project);
  tell([
    ...functions.map(({ file }) => file),
    ...['fn.config.json', 'seed.json'].map((name) => join(project.root, name)),
  ]);
  return (event) => {
    if (event.type === 'built') tell(event.inputs);
  };
}

function tell(files: readonly string[]): void {
  const own = files.filter((file) => !/[\\/]node_modules[\\/]/.test(file));
  if (process.connected) process.send?.({ 'watch:import': own.map((file) => pathToFileURL(file).href) });
}
