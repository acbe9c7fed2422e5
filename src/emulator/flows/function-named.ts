import type { Apps } from '../sources/apps.ts';
import type { LoadedFunction } from '../sources/function-source.ts';

/**
 * A function that a flow names: of its own app by its path, else of another one by app and path. undefined: there is none.
 * @throws WorkspaceError function_broken
 */
export async function functionNamed(
  apps: Pick<Apps, 'find'>,
  app: string,
  asked: string,
): Promise<LoadedFunction | undefined> {
  const own = await apps.find(app, asked);
  if (own) return own;
  const [other = '', ...path] = asked.split('/');
  return path.length === 0 ? undefined : apps.find(other, path.join('/'));
}
