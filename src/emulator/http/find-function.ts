import type { Apps } from '../sources/apps.ts';
import type { LoadedFunction } from '../sources/function-source.ts';

export type FindFunction = (app: string, name: string) => LoadedFunction | Promise<LoadedFunction | undefined>;

/**
 * `apps.find` for requests. Checking whether a function is up to date takes a dozen `stat` calls, which requests that arrive together
 * share. None of them can get code older than a preceding save: whatever one turn of the event loop reads from its sockets was sent
 * before that turn began.
 */
export function sharingLooks(apps: Pick<Apps, 'find'>): FindFunction {
  const foundNow = new Map<string, LoadedFunction>();
  return (app, name) => {
    const key = `${app}/${name}`;
    const known = foundNow.get(key);
    if (known) return known;
    const found = apps.find(app, name);
    if (found instanceof Promise) return found;
    if (foundNow.size === 0) setImmediate(() => foundNow.clear());
    foundNow.set(key, found);
    return found;
  };
}
