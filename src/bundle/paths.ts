import { isAbsolute, relative, sep } from 'node:path';

export function toSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/** Whether `path` is `folder` or lies in it. Both absolute. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
