import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LocalOptions } from '../emulator/index.ts';
import { listFunctionFiles, type Project } from '../project/index.ts';

type OnEvent = NonNullable<LocalOptions['onEvent']>;

/**
 * `node --test --watch` runs a test file again when a file changes that its process imported. No test imports a function, so the
 * source files of a workspace are reported to the runner the way Node's own loader reports imports.
 * @returns a listener for the files that functions were built from; undefined when nothing is watched
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
