import { type Dirent, readdirSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { nearest } from '../../std/index.ts';

/**
 * The file that a relative import probably meant: the same name with another ending, a similar name, or the same name in a similar folder.
 * @param from the importing file's folder
 * @returns as it would be written in the import
 */
export function meantFile(specifier: string, from: string): string | undefined {
  const wanted = resolve(from, specifier);
  const before = specifier.slice(0, specifier.length - basename(specifier).length);
  const file = similarFile(dirname(wanted), basename(wanted));
  if (file !== undefined) return before + file;
  const folder = basename(dirname(wanted));
  if (!before.endsWith(`${folder}/`)) return undefined;
  const above = dirname(dirname(wanted));
  const folders = entries(above).flatMap((entry) => (entry.isDirectory() ? entry.name : []));
  const meant = nearest(folder, folders);
  const found = meant === undefined ? undefined : similarFile(resolve(above, meant), basename(wanted));
  return found === undefined ? undefined : `${before.slice(0, -folder.length - 1)}${meant}/${found}`;
}

function similarFile(folder: string, name: string): string | undefined {
  const files = entries(folder).flatMap((entry) => (entry.isFile() ? entry.name : []));
  if (files.includes(name)) return name;
  const stem = withoutEnding(name);
  const meant = files.find((file) => withoutEnding(file) === stem);
  if (meant !== undefined) return meant;
  const near = nearest(stem, files.map(withoutEnding));
  return files.find((file) => withoutEnding(file) === near);
}

const withoutEnding = (file: string): string => file.replace(/\.\w+$/, '');

function entries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
