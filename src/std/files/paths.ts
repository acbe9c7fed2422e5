import { isAbsolute, relative, sep } from 'node:path';

/** The path with forward slashes, as names and messages show it on every system. */
export function toSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/** Whether `path` is `folder` or lies in it. Both must be absolute, with links resolved. */
export function isInside(folder: string, path: string): boolean {
  // The prefix nearly always decides: parsing paths costs ten times as much, and a build checks each of its files.
  if (path.startsWith(folder) && path[folder.length] === sep && !path.includes('..')) return true;
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
