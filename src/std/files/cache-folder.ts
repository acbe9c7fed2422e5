import { isAbsolute } from 'node:path';
import type { Environment } from '../environment.ts';

/**
 * The folder of this user's caches, which hold V8's compiled form of our own code. `bin/launch.js` has the same rule in syntax that old
 * versions of Node can read. Undefined without a home folder. The XDG specification requires relative paths to be ignored; a relative
 * HOME would put the caches into whatever folder a command runs in.
 */
export function cacheFolder(env: Environment = process.env): string | undefined {
  const { XDG_CACHE_HOME: chosen = '', HOME = '' } = env;
  const home = (isAbsolute(chosen) && chosen) || (isAbsolute(HOME) && `${HOME}/.cache`) || env['LOCALAPPDATA'];
  return home ? `${home}/convo-fn` : undefined;
}
