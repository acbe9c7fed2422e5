import type { Apps } from '../apps.ts';
import type { LoadedFunction } from '../functions.ts';

export type FindFunction = (app: string, name: string) => LoadedFunction | Promise<LoadedFunction | undefined>;

/**
 * `apps.find` for requests. Whether a function is as its file is takes a dozen looks at the disk: requests that arrive together share
 * them. None can be answered from before a save that it came after: what one turn of the event loop reads from its sockets was
 * sent before that turn began.
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
