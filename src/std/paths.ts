import { isAbsolute, relative, sep } from 'node:path';

/** The path as it is written in names and messages, on every system. */
export function toSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/** Whether `path` is `folder` or lies in it. Both absolute and without links. */
export function isInside(folder: string, path: string): boolean {
  // Nearly always its beginning tells: to take paths apart costs ten times as much, and a build asks for each of its files.
  if (path.startsWith(folder) && path[folder.length] === sep && !path.includes('..')) return true;
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
