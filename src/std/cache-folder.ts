import { isAbsolute } from 'node:path';

/**
 * Where this user's caches of `fn` lie, of what V8 made of our own code: the same rule as in `bin/load.js`, which also old versions of
 * Node read. Undefined where nobody is at home. The specification of XDG_CACHE_HOME: relative paths are to be ignored; a relative HOME would put them
 * into whatever folder a command runs in.
 */
export function cacheFolder(env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  const { XDG_CACHE_HOME: chosen = '', HOME = '' } = env;
  const home = (isAbsolute(chosen) && chosen) || (isAbsolute(HOME) && `${HOME}/.cache`) || env['LOCALAPPDATA'];
  return home ? `${home}/convo-fn` : undefined;
}
