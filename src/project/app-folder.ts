import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export const configFile = 'fn.config.json';

/**
 * The real path of the app around a folder. Its config is not read: which workspace a command means is decided before that, and a broken
 * config must not decide it.
 */
export function appAround(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, configFile))) return realpathSync(at);
    if (dirname(at) === at) return undefined;
  }
}
