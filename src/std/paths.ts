import { isAbsolute, relative, sep } from 'node:path';

/** The path as it is written in names and messages, on every system. */
export function toSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/** Whether `path` is `folder` or lies in it. Both absolute and without links. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
